/**
 * Requests to providers: https, no redirects, an end in time and in size.
 *
 * @module
 */
import { withDeadline } from "../kernel/deadline.ts";
import { OAuthProviderError, Timeout } from "../kernel/errors.ts";
import { readBytes } from "../http/bytes.ts";
import { isSecureUrl } from "../http/redirect_url.ts";
import type { FetchLike } from "../contract/provider.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import { parseExact } from "./json.ts";

/** What requests to a provider depend on. */
export type OutboundConfig = Pick<ResolvedConfig, "runtime" | "timeouts">;

/** The largest answer, in bytes after decompression. */
const MAX_ANSWER = 1024 * 1024;

/** Statuses whose answers have no body. */
const EMPTY: ReadonlySet<number> = new Set([204, 205]);

/**
 * Makes the `fetch` for one provider's requests; also what the developer's handlers are given.
 *
 * Answers come with their body read, and their `json()` gives numbers beyond the safe integers as text. Errors name the
 * host alone: paths and queries may hold tokens.
 *
 * @param config Network, timer and deadline.
 * @param provider Whose requests; its own `fetch` is used if it has one.
 * @returns A `fetch` that throws {@linkcode OAuthProviderError}, with `kind` in its cause.
 */
export function limitedFetch(
  { runtime, timeouts }: OutboundConfig,
  { fetch }: Pick<ResolvedOAuthProvider, "fetch">,
): FetchLike {
  return async (input, init = {}) => {
    const url = urlOf(input);
    if (!isSecureUrl(url)) throw refusal(url, "insecure", "only https is allowed");
    const abort = new AbortController();
    const given = init.signal ?? (input instanceof Request ? input.signal : null);
    const signal = given ? AbortSignal.any([given, abort.signal]) : abort.signal;
    const options: RequestInit = { ...init, redirect: "manual", signal };
    const target = input instanceof Request ? input : url.href;
    const send = () => fetch ? fetch(target, options) : runtime.fetch(new Request(target, options));
    try {
      const { request } = timeouts;
      return await withDeadline(runtime, request, `an answer of ${url.host}`, () => exchange(url, send, signal));
    } catch (error) {
      throw asRefusal(url, error);
    } finally {
      abort.abort();
    }
  };
}

function urlOf(input: string | URL | Request): URL {
  const text = input instanceof Request ? input.url : String(input);
  if (!URL.canParse(text)) throw new OAuthProviderError("Cannot send request: its URL is not one");
  return new URL(text);
}

async function exchange(url: URL, send: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  const response = await send();
  const { status, headers, body } = response;
  const redirects = response.type === "opaqueredirect" || response.redirected || (status >= 300 && status < 400);
  // An answer that comes after the deadline has nobody left to read it.
  if (redirects || signal.aborted) body?.cancel().catch(() => {});
  if (redirects) throw refusal(url, "redirect", "it redirects, and redirects are not followed");
  if (signal.aborted) throw refusal(url, "timeout", "nobody waits for its answer any more");
  const bytes = await readBytes(body, MAX_ANSWER, signal);
  if (bytes === null) throw refusal(url, "too-large", "its answer is larger than 1 MiB");
  return exactAnswer(new Response(EMPTY.has(status) ? null : bytes, { status, headers }));
}

// On the answer itself, because a host may put a `Response` of its own in place of the one a class here would extend.
function exactAnswer(response: Response): Response {
  const { clone } = response;
  const json = async () => parseExact(await response.text());
  return Object.defineProperties(response, {
    json: { value: json, configurable: true, writable: true },
    clone: { value: () => exactAnswer(clone.call(response)), configurable: true, writable: true },
  });
}

function refusal(url: URL, kind: string, why: string, reason?: string): OAuthProviderError {
  return new OAuthProviderError(`Cannot use ${url.host}: ${why}`, { cause: { kind, ...(reason && { reason }) } });
}

function asRefusal(url: URL, error: unknown): OAuthProviderError {
  if (error instanceof OAuthProviderError) return error;
  if (error instanceof Timeout) return refusal(url, "timeout", "its answer takes too long");
  return refusal(url, "network", "it cannot be reached", systemCode(error));
}

// What the network says about itself quotes the URL; its code does not.
function systemCode(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } | null };
  const found = code ?? cause?.code;
  return typeof found === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(found) ? found : undefined;
}
