/**
 * What a provider did wrong, in our own words: errors of the protocol library carry answers and parameters, so only
 * what cannot hold a secret is copied.
 *
 * @module
 */
import * as oauth from "oauth4webapi";
import { AuthError, OAuthCallbackError, OAuthProviderError, Timeout } from "../kernel/errors.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";

/** Runs a part of a flow; whatever fails in it becomes an error of ours, once. */
export async function translated<T>({ id }: Pick<ResolvedOAuthProvider, "id">, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AuthError && !(error instanceof Timeout)) throw error;
    throw new OAuthProviderError(`Cannot sign in with "${id}": ${reasonOf(error)}`, { cause: evidenceOf(error) });
  }
}

/** Wraps what the developer's own code threw; its message is the developer's to read. */
export function handlerFailure(what: string, error: unknown): AuthError {
  if (error instanceof AuthError) return error;
  return new OAuthProviderError(`Cannot sign in: ${what} failed`, { cause: error });
}

/**
 * The error for a provider that answers with `error` instead of what was asked for.
 *
 * @param id Id of the provider.
 * @param answer What it said. The description is for the log alone.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 | RFC 6749, section 4.1.2.1}
 */
export function providerSaid(
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

// The library's own messages are constant; those of anything else may quote a URL.
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
