/**
 * Errors of the flow. Those of the protocol library carry responses and parameters, so only what cannot hold a secret is
 * copied from them.
 *
 * @module
 */
import * as oauth from "oauth4webapi";
import { AuthError, OAuthCallbackError, OAuthProviderError, Timeout } from "../kernel/errors.ts";
import type { Awaitable } from "../kernel/model.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { callUser } from "../request/call_user.ts";
import type { RequestContext } from "../request/context.ts";

type Named = Pick<ResolvedOAuthProvider, "id">;

/** Runs a part of a flow. What is not an error of ours yet becomes an {@linkcode OAuthProviderError}. */
export async function wrapProtocolErrors<T>({ id }: Named, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AuthError && !(error instanceof Timeout)) throw error;
    throw new OAuthProviderError(`Cannot sign in with "${id}": ${reasonOf(error)}`, { cause: evidenceOf(error) });
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
  return cause instanceof AuthError ? cause : new OAuthProviderError(message, { cause });
}

/**
 * Makes the error of an authorization or token response that holds `error`. The description goes to the log only.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 | RFC 6749, section 4.1.2.1}
 */
export function authorizationError(
  id: string,
  { error, description, status }: {
    readonly error: string;
    readonly description?: string | null;
    readonly status?: number;
  },
): OAuthCallbackError {
  return new OAuthCallbackError(`Cannot sign in with "${id}": the provider answered with an error`, {
    cause: {
      error: ERROR_CODE.test(error) ? error : "(not a valid error code)",
      ...(description && { description: description.slice(0, 200) }),
      ...(status && { status }),
    },
  });
}

const ERROR_CODE = /^[\w.-]{1,64}$/;

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
  const { claim, attribute } = (cause ?? {}) as { claim?: unknown; attribute?: unknown };
  return {
    name: error.name,
    ...(isWord(code) && { reason: code }),
    ...(isWord(claim) && { claim }),
    ...(isWord(attribute) && { attribute }),
  };
}

function isWord(value: unknown): value is string {
  return typeof value === "string" && /^\w{1,64}$/.test(value);
}
