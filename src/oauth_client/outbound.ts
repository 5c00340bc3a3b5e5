/**
 * Requests to providers: https only, no redirects, bounded in time and size.
 *
 * @module
 */
import { withDeadline } from "../kernel/deadline.ts";
import { OAuthProviderError, Timeout } from "../kernel/errors.ts";
import { readBytes } from "../http/bytes.ts";
import { isSecure } from "../http/redirect_url.ts";
import type { FetchLike } from "../contract/provider.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import { parseExact } from "./json.ts";

/** The configuration that requests depend on. */
export type OutboundConfig = Pick<ResolvedConfig, "runtime" | "timeouts">;

/** The largest response body, in bytes after decompression. */
const MAX_ANSWER = 1024 * 1024;

/** Statuses whose responses cannot have a body. */
const EMPTY: ReadonlySet<number> = new Set([204, 205]);

/**
 * Makes the `fetch` for requests to one provider. Handlers of the developer get it, too.
 *
 * The body of a response has been read when the promise resolves. `json()` gives numbers beyond the safe integers as
 * text. Errors name only the host, because paths and queries may hold tokens.
 *
 * @param options `followsOnce`: whether one redirect to the same origin is followed.
 * @returns A `fetch` that throws {@linkcode OAuthProviderError}. The `kind` in its cause says what failed.
 */
export function limitedFetch(
  { runtime, timeouts }: OutboundConfig,
  { fetch, allowInsecureRequests = false }: Partial<Pick<ResolvedOAuthProvider, "fetch" | "allowInsecureRequests">>,
  { followsOnce = false }: { readonly followsOnce?: boolean } = {},
): FetchLike {
  return async (input, init = {}) => {
    const url = urlOf(input);
    if (!isSecure(url, allowInsecureRequests)) throw outboundError(url, "insecure", "only https is allowed");
    const abort = new AbortController();
    const given = init.signal ?? (input instanceof Request ? input.signal : null);
    const signal = given ? AbortSignal.any([given, abort.signal]) : abort.signal;
    const options: RequestInit = { ...init, redirect: "manual", signal };
    const send = (to: URL) => {
      const resource = input instanceof Request && to === url ? input : to.href;
      return fetch ? fetch(resource, options) : runtime.fetch(resource, options);
    };
    const run = () => exchange(url, { send, signal, follows: followsOnce });
    try {
      const response = await withDeadline(runtime, timeouts.request, `an answer of ${url.host}`, run);
      // A signal of the caller may live on and hold ours.
      if (given) abort.abort();
      return response;
    } catch (error) {
      // Stops what nobody waits for any more.
      abort.abort();
      throw asOutboundError(url, error);
    }
  };
}

function urlOf(input: string | URL | Request): URL {
  const url = input instanceof URL ? input : URL.parse(input instanceof Request ? input.url : input);
  if (!url) throw new OAuthProviderError("Cannot send request: its URL is not valid");
  return url;
}

interface Sending {
  readonly send: (to: URL) => Promise<Response>;
  readonly signal: AbortSignal;
  readonly follows: boolean;
}

async function exchange(url: URL, { send, signal, follows }: Sending): Promise<Response> {
  const response = await send(url);
  const { status, headers, body } = response;
  const redirects = response.type === "opaqueredirect" || response.redirected || (status >= 300 && status < 400);
  // Nobody reads a response that comes after the deadline.
  if (redirects || signal.aborted) body?.cancel().catch(() => {});
  const next = redirects && follows && !signal.aborted ? redirectWithin(url, response) : null;
  if (next) return await exchange(next, { send, signal, follows: false });
  if (redirects) throw outboundError(url, "redirect", "it redirects, and redirects are not followed");
  if (signal.aborted) throw outboundError(url, "timeout", "its answer came too late");
  // Statuses of a `Response` that does not stand for an answer, or not yet. Bun makes a new one even with 101.
  if (!(status >= 200 && status <= 599)) throw outboundError(url, "network", "it cannot be reached");
  const bytes = await readBytes(body, MAX_ANSWER, signal);
  if (bytes === null) throw outboundError(url, "too-large", "its answer is larger than 1 MiB");
  return withExactJson(new Response(EMPTY.has(status) ? null : bytes, { status, headers }));
}

/** Statuses of redirects that repeat a GET. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function redirectWithin(url: URL, { status, headers }: Response): URL | null {
  const location = headers.get("location");
  const next = REDIRECTS.has(status) && location ? URL.parse(location, url) : null;
  return next?.origin === url.origin && !next.username && !next.password ? next : null;
}

// Not a subclass: a framework may replace the global `Response` after this module is loaded.
function withExactJson(response: Response): Response {
  const { clone } = response;
  const json = async () => parseExact(await response.text());
  return Object.defineProperties(response, {
    json: { value: json, configurable: true, writable: true },
    clone: { value: () => withExactJson(clone.call(response)), configurable: true, writable: true },
  });
}

function outboundError(url: URL, kind: string, why: string, reason?: string): OAuthProviderError {
  const logCode = kind === "network" || kind === "timeout" ? "provider-unreachable" : undefined;
  const cause = { kind, ...(reason && { reason }) };
  return new OAuthProviderError(`Cannot use ${url.host}: ${why}`, { cause, logCode });
}

function asOutboundError(url: URL, error: unknown): OAuthProviderError {
  if (error instanceof OAuthProviderError) return error;
  if (error instanceof Timeout) return outboundError(url, "timeout", "its answer takes too long");
  return outboundError(url, "network", "it cannot be reached", systemCode(error));
}

/** What Deno's messages say instead of a code. */
const KNOWN_REASON =
  /Connection refused|Connection reset|dns error|invalid peer certificate|Network is unreachable|No route to host|timed out/i;

// Messages of network errors quote the URL. Their codes do not.
function systemCode(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } | null };
  const found = code ?? cause?.code;
  if (typeof found === "string" && /^[A-Z][A-Za-z0-9_]{1,63}$/.test(found)) return found;
  return [error, cause].map((each) => each instanceof Error ? KNOWN_REASON.exec(each.message)?.[0] : undefined)
    .find((reason) => reason !== undefined);
}
