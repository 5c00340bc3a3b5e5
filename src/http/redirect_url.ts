/**
 * Where a browser may be sent: a type that no unchecked text has, so that an open redirect does not compile.
 *
 * @module
 */

declare const checked: unique symbol;

/** An absolute http(s) URL that passed a check of this file. */
export type RedirectUrl = string & { readonly [checked]: true };

/**
 * Takes a URL that the developer chose: a configured page, an answer of a callback, an endpoint of a provider.
 *
 * @param url The URL, absolute or relative to `base`.
 * @param base An absolute URL.
 * @returns The URL written anew, or `null` if it is not http(s), names a user, or cannot be parsed.
 */
export function asRedirectUrl(url: unknown, base: string): RedirectUrl | null {
  if (typeof url !== "string" || url.length > MAX_LENGTH || !URL.canParse(url, base)) return null;
  const parsed = new URL(url, base);
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") return null;
  if (parsed.username || parsed.password) return null;
  // Written anew, because parsers disagree about raw text such as `https:evil.test` or `/\evil.test`.
  return parsed.href as RedirectUrl;
}

/** The longest URL a browser is sent to; longer ones meet limits of proxies. */
const MAX_LENGTH = 16_384;

/**
 * Takes a URL that a visitor chose: only one of this site.
 *
 * @param url The URL, absolute or relative.
 * @param origin The origin of this site.
 * @returns The URL written anew, or `null` if it leads elsewhere.
 */
export function asSameOriginUrl(url: unknown, origin: string): RedirectUrl | null {
  const target = asRedirectUrl(url, origin);
  return target !== null && new URL(target).origin === origin ? target : null;
}

/**
 * Joins the origin of this site and a path that our own code made, such as that of an action.
 *
 * @param origin The origin of this site.
 * @param path A path without a query, percent-encoded.
 */
export function sameOriginUrl(origin: string, path: `/${string}`): RedirectUrl {
  return origin + path as RedirectUrl;
}

/** Whether a provider may be reached at a URL: https, or plain http on this very machine. */
export function isSecureUrl(url: unknown): boolean {
  if (!(url instanceof URL) && !(typeof url === "string" && URL.canParse(url))) return false;
  const { protocol, hostname, username, password } = new URL(url);
  if (username || password) return false;
  return protocol === "https:" || (protocol === "http:" && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname));
}
