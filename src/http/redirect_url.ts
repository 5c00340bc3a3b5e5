/**
 * URLs that a browser may be redirected to. Unchecked text does not have their type, so an open redirect does not compile.
 *
 * @module
 */

declare const checked: unique symbol;

/** An absolute http(s) URL that passed a check of this file. */
export type RedirectUrl = string & { readonly [checked]: true };

/**
 * Checks a URL that the developer chose: a configured page, the result of a callback, an endpoint of a provider.
 *
 * @param url The URL, absolute or relative to `base`.
 * @param base An absolute URL.
 * @returns The normalised URL, or `null` if it is not http(s), has a user name or password, or cannot be parsed.
 */
export function asRedirectUrl(url: unknown, base: string): RedirectUrl | null {
  const parsed = typeof url === "string" && url.length <= MAX_LENGTH ? URL.parse(url, base) : null;
  if (parsed === null) return null;
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") return null;
  if (parsed.username || parsed.password) return null;
  // Normalised, because parsers disagree about text such as `https:evil.test` or `/\evil.test`.
  return parsed.href as RedirectUrl;
}

/**
 * Checks a URL that the developer chose, which may open an application of the device.
 *
 * @param url The URL, absolute or relative to `base`.
 * @param base An absolute URL.
 * @param schemes The schemes of applications that are allowed in addition to http(s), in lower case and without a colon.
 * @see {@link https://www.rfc-editor.org/rfc/rfc8252#section-7.1 | RFC 8252, section 7.1}
 */
export function asAppUrl(url: unknown, base: string, schemes: readonly string[]): RedirectUrl | null {
  const web = asRedirectUrl(url, base);
  if (web !== null || schemes.length === 0 || typeof url !== "string" || MAX_LENGTH < url.length) return web;
  const parsed = URL.parse(url);
  const isListed = parsed !== null && schemes.includes(parsed.protocol.slice(0, -1)) &&
    isAppScheme(parsed.protocol.slice(0, -1));
  if (!isListed || parsed.username || parsed.password) return null;
  // Parsers leave characters in such URLs that a header cannot hold.
  return /^[\x21-\x7e]+$/.test(parsed.href) ? parsed.href as RedirectUrl : null;
}

// What browsers run, open themselves, or hand to programs other than the developer's applications.
const NO_APP =
  /^(?:https?|wss?|ftp|file|filesystem|blob|data|javascript|vbscript|about|view-source|chrome|edge|resource|jar|intent|mailto|tel|sms|ms-[a-z-]*|search-ms|ldap|smb|ssh|telnet)$/;

/** Whether an application can have a scheme, as it is written before the colon. */
export function isAppScheme(scheme: unknown): scheme is string {
  return typeof scheme === "string" && scheme.length <= 64 && /^[a-z][a-z0-9+.-]*$/.test(scheme) &&
    !NO_APP.test(scheme);
}

/** The longest URL that a browser is redirected to. Proxies refuse longer ones. */
const MAX_LENGTH = 16_384;

/**
 * Checks a URL that a visitor chose: only URLs of this site pass.
 *
 * @param url The URL, absolute or relative.
 * @param origin The origin of this site.
 * @returns The normalised URL, or `null` if it belongs to another site.
 */
export function asSameOriginUrl(url: unknown, origin: string): RedirectUrl | null {
  const redirectUrl = asRedirectUrl(url, origin);
  return redirectUrl !== null && new URL(redirectUrl).origin === origin ? redirectUrl : null;
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

/** Whether a provider may have this URL: https, or http on this machine. With `anyHttp`, http on any host. */
export function isSecureUrl(url: unknown, anyHttp = false): boolean {
  const parsed = url instanceof URL ? url : typeof url === "string" ? URL.parse(url) : null;
  return parsed !== null && isSecure(parsed, anyHttp);
}

/** The same for a URL that has been parsed. */
export function isSecure({ protocol, hostname, username, password }: URL, anyHttp = false): boolean {
  if (username || password) return false;
  return protocol === "https:" ||
    (protocol === "http:" && (anyHttp || /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)));
}
