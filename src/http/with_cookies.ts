/**
 * Adds cookies to a response of the application.
 *
 * @module
 */
import { serializeCookie, type SetCookie } from "./cookie_text.ts";
import { mergeSetCookie } from "./merge_cookies.ts";

/**
 * Makes a response that also sets cookies: those that `update()` gives, and `signIn()` and `signOut()` with
 * `redirect: false`. Where the response sets a cookie of the same name, it is replaced.
 *
 * A response that sets cookies may be kept by no cache: `Cache-Control` becomes `private, no-store`.
 *
 * @example Usage
 * ```ts
 * import { createAuth, withCookies } from "@x/auth";
 *
 * const service = createAuth({ providers: [] });
 *
 * // For a POST of a page of yours: signs out, and tells the page where to go.
 * export async function signOut(request: Request): Promise<Response> {
 *   const { value, cookies } = await service.signOut(request, { redirect: false });
 *   return withCookies(Response.json({ next: value }), cookies);
 * }
 * ```
 *
 * @param response The response. Its body goes on to the new one.
 * @param cookies The cookies to set. With none, the response is given back as it is.
 * @returns The response with the cookies.
 * @throws {TypeError} if the name or an attribute of a cookie would break the header, or the response is none that can
 * have cookies, such as that of a WebSocket.
 */
export function withCookies(response: Response, cookies: readonly SetCookie[]): Response {
  if (cookies.length === 0) return response;
  if (response.status < 200) throw new TypeError(`Cannot set cookies on a response with the status ${response.status}`);
  const lines = mergeSetCookie(response.headers.getSetCookie(), cookies.map(serializeCookie));
  // The headers of a response from `fetch` or `Response.redirect` are immutable.
  const headers = new Headers(response.headers);
  headers.delete("set-cookie");
  for (const line of lines) headers.append("set-cookie", line);
  keepPrivate(headers);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

/**
 * Keeps a response out of caches: a shared one would give this visitor's session to the next one. CDNs have headers of
 * their own, which win over `Cache-Control` (RFC 9213).
 */
export function keepPrivate(headers: Headers): void {
  for (const name of [...headers.keys()].filter((name) => CACHED.test(name))) headers.delete(name);
  headers.set("cache-control", "private, no-store");
  if (!/(?:^|,)\s*(?:\*|cookie)\s*(?:,|$)/i.test(headers.get("vary") ?? "")) headers.append("vary", "Cookie");
}

/** Names of headers, in lower case, by which caches decide what to keep. */
export const CACHED = /^(?:.*cache-control|surrogate-control|edge-control|x-accel-expires|expires)$/;
