/**
 * Cookies as text: a reader that never throws and shows duplicates, and a writer that refuses all that would break the
 * header.
 *
 * @module
 */

/** The attributes of a cookie (RFC 6265, section 4.1.2). */
export interface CookieOptions {
  /** The domain whose hosts receive it. @default only the host that sets it */
  readonly domain?: string | undefined;
  /** When the browser drops it. */
  readonly expires?: Date | undefined;
  /** Whether it is hidden from scripts. */
  readonly httpOnly?: boolean | undefined;
  /** Seconds until the browser drops it; 0 removes it. Wins over `expires`. */
  readonly maxAge?: number | undefined;
  /** Whether it is kept apart for each top-level site (CHIPS). */
  readonly partitioned?: boolean | undefined;
  /** The path below which it is sent. */
  readonly path?: string | undefined;
  /** Which cookies the browser drops first when there are too many. */
  readonly priority?: "low" | "medium" | "high" | undefined;
  /** Whether it is sent with requests from other sites. `true` is `strict`, `false` writes no attribute. */
  readonly sameSite?: boolean | "lax" | "strict" | "none" | undefined;
  /** Whether it is sent over https only. */
  readonly secure?: boolean | undefined;
}

/** The attributes that a cookie can have. */
export const COOKIE_ATTRIBUTES: readonly string[] = [
  "domain",
  "expires",
  "httpOnly",
  "maxAge",
  "partitioned",
  "path",
  "priority",
  "sameSite",
  "secure",
] satisfies (keyof CookieOptions)[];

/** A cookie to set. */
export interface SetCookie {
  /** Its name. */
  readonly name: string;
  /** Its value, not yet encoded. */
  readonly value: string;
  /** Its attributes. */
  readonly options: CookieOptions;
}

/** The longest `Cookie` header that is read, in characters. */
export const MAX_HEADER_LENGTH = 32 * 1024;

/**
 * Reads a `Cookie` header.
 *
 * @param header The header, or `null`.
 * @param prefixes What the names must begin with. @default every name
 * @returns All values of each name, not decoded. Empty for a header longer than {@linkcode MAX_HEADER_LENGTH}.
 */
export function parseCookies(
  header: string | null,
  prefixes: readonly string[] = [""],
): ReadonlyMap<string, readonly string[]> {
  const cookies = new Map<string, string[]>();
  if (!header || header.length > MAX_HEADER_LENGTH) return cookies;
  for (let start = 0, equals = -1; start < header.length;) {
    const end = indexOrEnd(header, ";", start);
    // Remembered across pairs: otherwise each pair without "=" would have the rest of the header searched again.
    if (equals < start) equals = indexOrEnd(header, "=", start);
    while (start < end && isBlank(header.charCodeAt(start))) start++;
    // Cookies of other software are skipped, however many there are.
    if (equals < end && prefixes.some((prefix) => header.startsWith(prefix, start))) {
      const name = trim(header, start, equals);
      const values = cookies.get(name);
      const value = trim(header, equals + 1, end);
      if (values) values.push(value);
      else if (name) cookies.set(name, [value]);
    }
    start = end + 1;
  }
  return cookies;
}

function indexOrEnd(text: string, char: string, from: number): number {
  const at = text.indexOf(char, from);
  return at < 0 ? text.length : at;
}

// No regular expression: one for the end takes quadratic time over runs of spaces. Only space and tab are trimmed:
// trimming other white space would let `\u2000__Host-x` pass for `__Host-x`.
function trim(text: string, from: number, to: number): string {
  let [start, end] = [from, to];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(char: number): boolean {
  return char === 0x20 || char === 0x09;
}

/** Decodes the value of a cookie. Returns it unchanged if it cannot be decoded. */
export function decodeCookieValue(value: string): string {
  if (!value.includes("%")) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** A token (RFC 9110, section 5.6.2). */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const DOMAIN = /^\.?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;
const PATH = /^\/[ -:<-~]*$/;

const SAME_SITE: ReadonlyMap<string, string> = new Map([
  ["true", "; SameSite=Strict"],
  ["false", ""],
  ["strict", "; SameSite=Strict"],
  ["lax", "; SameSite=Lax"],
  ["none", "; SameSite=None"],
]);

const PRIORITY: ReadonlyMap<string, string> = new Map([
  ["low", "; Priority=Low"],
  ["medium", "; Priority=Medium"],
  ["high", "; Priority=High"],
]);

/**
 * Writes a `Set-Cookie` header, for a framework that does not answer with a `Response`. For a `Response` there is `withCookies()`.
 *
 * @example Usage
 * ```ts
 * import { serializeCookie } from "@x/auth";
 * import assert from "node:assert/strict";
 *
 * const line = serializeCookie({ name: "theme", value: "dark", options: { path: "/", maxAge: 60 } });
 * assert.equal(line, "theme=dark; Max-Age=60; Path=/");
 * ```
 *
 * @param cookie The cookie, as `update()` gives it, and `signIn()` and `signOut()` with `redirect: false`.
 * @returns The value of the header.
 * @throws {TypeError} if the name or an attribute would break the header.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1 | RFC 6265, section 4.1.1}
 */
export function serializeCookie({ name, value, options }: SetCookie): string {
  const attributes = writeAttributes(name, options);
  if (typeof attributes === "object") throw new TypeError(`Cannot write cookie: ${attributes.problem}`);
  return `${name}=${encodeCookieValue(value)}${attributes}`;
}

/** Returns what is wrong with a cookie's name or attributes, or `null`. */
export function cookieProblem(name: string, options: CookieOptions): string | null {
  const attributes = writeAttributes(name, options);
  return typeof attributes === "object" ? attributes.problem : null;
}

// Gives the same as encodeURIComponent() of the whole value, which takes several times as long where there is little to
// encode. It is called with runs of characters, because it throws over half of a surrogate pair.
function encodeCookieValue(value: string): string {
  return value.replace(/[^\w.~!*'()-]+/g, encodeURIComponent);
}

function writeAttributes(name: string, options: CookieOptions): string | { readonly problem: string } {
  const { domain, maxAge, path, expires, sameSite, priority } = options;
  let text = "";
  if (typeof name !== "string" || !NAME.test(name)) return { problem: "its name is not a token" };
  if (name.startsWith("__Host-") && (domain !== undefined || path !== "/" || !options.secure)) {
    return { problem: "a __Host- cookie must be secure, with the path / and no domain" };
  }
  if (name.startsWith("__Secure-") && !options.secure) return { problem: "a __Secure- cookie must be secure" };
  if (maxAge !== undefined) {
    if (!Number.isInteger(maxAge)) return { problem: "its maxAge is not a whole number" };
    text += `; Max-Age=${maxAge}`;
  }
  if (domain !== undefined && domain !== null) {
    if (!DOMAIN.test(domain)) return { problem: "its domain is not a host name" };
    text += `; Domain=${domain}`;
  }
  if (path !== undefined) {
    if (!PATH.test(path)) {
      return { problem: "its path does not begin with a slash or has a forbidden character" };
    }
    text += `; Path=${path}`;
  }
  if (expires !== undefined) {
    if (!Number.isFinite(expires.valueOf())) return { problem: "its expires is not a date" };
    text += `; Expires=${expires.toUTCString()}`;
  }
  if (options.httpOnly) text += "; HttpOnly";
  if (options.secure) text += "; Secure";
  if (options.partitioned) text += "; Partitioned";
  if (priority !== undefined) {
    if (!PRIORITY.has(priority)) return { problem: "its priority is not low, medium or high" };
    text += PRIORITY.get(priority);
  }
  if (sameSite !== undefined) {
    if (!SAME_SITE.has(String(sameSite))) return { problem: "its sameSite is not lax, strict or none" };
    text += SAME_SITE.get(String(sameSite));
  }
  return text;
}
