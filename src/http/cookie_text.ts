/**
 * Cookies as text: a reader that cannot throw and sees duplicates, a writer that refuses what would break out.
 *
 * @module
 */

/** The attributes of a cookie (RFC 6265, section 4.1.2). */
export interface CookieOptions {
  /** Hosts that get it, besides subdomains. */
  readonly domain?: string | undefined;
  /** When it ends. */
  readonly expires?: Date | undefined;
  /** Hidden from scripts. */
  readonly httpOnly?: boolean | undefined;
  /** Seconds it lives; 0 removes it. */
  readonly maxAge?: number | undefined;
  /** Kept apart for each top-level site. */
  readonly partitioned?: boolean | undefined;
  /** Paths that get it. */
  readonly path?: string | undefined;
  /** What a browser drops first. */
  readonly priority?: "low" | "medium" | "high" | undefined;
  /** Whether it travels with requests from other sites; `true` is strict. */
  readonly sameSite?: boolean | "lax" | "strict" | "none" | undefined;
  /** Only over https. */
  readonly secure?: boolean | undefined;
}

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
 * @param beginnings What the names begin with that are wanted; all names unless told.
 * @returns All values of each name, undecoded. Nothing for a header too large to be honest.
 */
export function parseCookies(
  header: string | null,
  beginnings: readonly string[] = [""],
): ReadonlyMap<string, readonly string[]> {
  const cookies = new Map<string, string[]>();
  if (!header || header.length > MAX_HEADER_LENGTH) return cookies;
  for (let start = 0, equals = -1; start < header.length;) {
    const end = indexOrEnd(header, ";", start);
    // Looked for once and kept: pairs without one would have the rest of the header searched for each of them.
    if (equals < start) equals = indexOrEnd(header, "=", start);
    while (start < end && isBlank(header.charCodeAt(start))) start++;
    // Cookies of other software are stepped over: their number says nothing of ours.
    if (equals < end && beginnings.some((text) => header.startsWith(text, start))) {
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

// Walked and not matched: a pattern for the end would look at every run of spaces from each of its places. Only space
// and tab are trimmed: other white space would let `\u2000__Host-x` pass for `__Host-x`.
function trim(text: string, from: number, to: number): string {
  let [start, end] = [from, to];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(char: number): boolean {
  return char === 0x20 || char === 0x09;
}

/** Decodes a cookie's value; one that cannot be decoded is given as it is. */
export function decodeCookieValue(value: string): string {
  if (!value.includes("%")) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const DOMAIN = /^\.?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;
const PATH = /^\/[ -:<-~]*$/;

/** Tells what is wrong with a cookie's name and attributes, or `null`. */
export function cookieProblem(name: string, options: CookieOptions): string | null {
  const { domain, maxAge, path, expires, sameSite, priority } = options;
  if (typeof name !== "string" || !NAME.test(name)) return "its name is not a token";
  if (domain !== undefined && !DOMAIN.test(domain)) return "its domain is not a host name";
  if (path !== undefined && !PATH.test(path)) {
    return "its path does not begin with a slash or has a forbidden character";
  }
  if (maxAge !== undefined && !Number.isInteger(maxAge)) return "its maxAge is not a whole number";
  if (expires !== undefined && !Number.isFinite(expires.valueOf())) return "its expires is not a date";
  if (priority !== undefined && !(priority in PRIORITY)) return "its priority is not low, medium or high";
  if (sameSite !== undefined && !(String(sameSite) in SAME_SITE)) return "its sameSite is not lax, strict or none";
  if (name.startsWith("__Host-") && (domain !== undefined || path !== "/" || !options.secure)) {
    return "a __Host- cookie is secure, has the path / and no domain";
  }
  if (name.startsWith("__Secure-") && !options.secure) return "a __Secure- cookie is secure";
  return null;
}

const SAME_SITE: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  true: "; SameSite=Strict",
  false: "",
  strict: "; SameSite=Strict",
  lax: "; SameSite=Lax",
  none: "; SameSite=None",
});

const PRIORITY: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  low: "; Priority=Low",
  medium: "; Priority=Medium",
  high: "; Priority=High",
});

/**
 * Writes a `Set-Cookie` header.
 *
 * @throws {TypeError} if the name or an attribute would break the header.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1 | RFC 6265, section 4.1.1}
 */
export function serializeCookie({ name, value, options }: SetCookie): string {
  return `${name}=${encodeCookieValue(value)}${attributesOf(name, options)}`;
}

// The same as encodeURIComponent() of the whole, which takes several times as long where there is little to encode. Runs,
// so that no pair of surrogates is parted.
function encodeCookieValue(value: string): string {
  return value.replace(/[^\w.~!*'()-]+/g, encodeURIComponent);
}

/** Attributes that were checked and written before, and the name they were checked with. */
const written = new WeakMap<CookieOptions, { readonly name: string; readonly text: string }>();

function attributesOf(name: string, options: CookieOptions): string {
  const known = written.get(options);
  if (known?.name === name) return known.text;
  const problem = cookieProblem(name, options);
  if (problem) throw new TypeError(`Cannot write cookie: ${problem}`);
  const text = attributesText(options);
  // What is not frozen may be something else the next time, and so may a date.
  if (Object.isFrozen(options) && !options.expires) written.set(options, { name, text });
  return text;
}

function attributesText(options: CookieOptions): string {
  let text = "";
  if (options.maxAge !== undefined) text += `; Max-Age=${options.maxAge}`;
  if (options.domain) text += `; Domain=${options.domain}`;
  if (options.path) text += `; Path=${options.path}`;
  if (options.expires) text += `; Expires=${options.expires.toUTCString()}`;
  if (options.httpOnly) text += "; HttpOnly";
  if (options.secure) text += "; Secure";
  if (options.partitioned) text += "; Partitioned";
  if (options.priority) text += PRIORITY[options.priority];
  if (options.sameSite !== undefined) text += SAME_SITE[String(options.sameSite)];
  return text;
}
