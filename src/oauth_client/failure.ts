/**
 * Errors of the flow. Those of the protocol library carry responses and parameters, so only what cannot hold a secret is
 * copied from them.
 *
 * @module
 */
import * as oauth from "oauth4webapi";
import { OAuthProviderError, Timeout } from "../kernel/errors.ts";
import { asKnownError } from "../kernel/known_errors.ts";
import { isObject } from "../kernel/objects.ts";
import type { Awaitable } from "../kernel/model.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { callUser } from "../request/call_user.ts";
import type { RequestContext } from "../request/context.ts";

type Named = Pick<ResolvedOAuthProvider, "id">;

/**
 * Runs a part of a flow. What is not an error of ours yet becomes an {@linkcode OAuthProviderError}. `failed` says what
 * then could not be done.
 */
export async function wrapProtocolErrors<T>(
  { id }: Named,
  run: () => Promise<T>,
  failed = `Cannot sign in with "${id}"`,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const known = asKnownError(error);
    if (known && !(known instanceof Timeout)) throw known;
    const logCode = error instanceof Timeout ? "timeout" : undefined;
    throw new OAuthProviderError(`${failed}: ${reasonOf(error)}`, { cause: evidenceOf(error), logCode });
  }
}

/**
 * Runs a handler that the developer gave as `option`. `wrap` makes the error of what it throws: by default an
 * {@linkcode OAuthProviderError}, and errors of ours stay as they are.
 */
export function callHandler<T>(
  ctx: Pick<RequestContext, "config">,
  { id }: Named,
  option: string,
  run: () => Awaitable<T>,
  wrap = providerError,
): Promise<T> {
  const what = `\`${option}\` of provider "${id}"`;
  return callUser(ctx, what, run, (error) => wrap(`Cannot sign in: ${what} failed`, error));
}

function providerError(message: string, cause: unknown): Error {
  return asKnownError(cause) ?? new OAuthProviderError(message, { cause, logCode: "callback-threw" });
}

// The library's messages are constant. Those of other errors may quote a URL.
function reasonOf(error: unknown): string {
  const known = error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError ||
    error instanceof Timeout;
  return known ? error.message : "its answer could not be processed";
}

function evidenceOf(error: unknown): Record<string, unknown> {
  if (error instanceof Timeout) return { err: error };
  if (!(error instanceof Error)) return { name: typeof error };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const { claim, attribute, claims, expected } = (cause ?? {}) as Record<string, unknown>;
  return {
    name: error.name,
    ...(isWord(code) && { reason: code }),
    ...(isWord(claim) && { claim }),
    ...(isWord(attribute) && { attribute }),
    ...(isWord(claim) && PUBLIC.has(claim) && isObject(claims) && { found: claims[claim], expected }),
  };
}

/** Claims that are no secrets: who issued a token, and for whom. */
const PUBLIC: ReadonlySet<string> = new Set(["iss", "aud"]);

function isWord(value: unknown): value is string {
  return typeof value === "string" && /^\w{1,64}$/.test(value);
}
