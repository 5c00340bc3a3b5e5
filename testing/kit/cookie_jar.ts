/**
 * The cookies of a browser, as far as sign-ins depend on them.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc6265#section-5.3 | RFC 6265, sections 5.3 and 5.4}
 */

/** A cookie that a browser has. */
export interface Cookie {
  /** Its name. */
  readonly name: string;
  /** Its value, as it was sent. */
  readonly value: string;
  /** The host that it belongs to. */
  readonly domain: string;
  /** Whether subdomains do not get it. */
  readonly hostOnly: boolean;
  /** The path below which it is sent. */
  readonly path: string;
  /** Whether it is sent over https only, or to this machine. */
  readonly secure: boolean;
  /** Whether scripts cannot read it. */
  readonly httpOnly: boolean;
  /** Which requests of other sites it goes with. */
  readonly sameSite: "strict" | "lax" | "none";
  /** Milliseconds since 1970; infinite for a cookie that lives as long as the browser. */
  readonly expires: number;
  /** Its place in the order of creation. */
  readonly made: number;
}

/** How a request comes about. */
export interface Trip {
  /** Whether a page of the same site caused it, or the visitor. */
  readonly sameSite: boolean;
  /** Whether its method is GET or HEAD. */
  readonly safe: boolean;
}

/** The cookies of a browser. */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();
  readonly #now: () => number;
  #made = 0;

  /** Makes an empty jar. @param now The clock, in milliseconds since 1970. */
  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
  }

  /** Takes a `Set-Cookie` header; one that a browser would refuse is dropped. */
  store(header: string, url: URL): void {
    const cookie = readCookie(header, url, { made: this.#made++, now: this.#now() });
    if (!cookie || !isAcceptable(header, cookie, url)) return;
    const key = keyOf(cookie);
    const known = this.#cookies.get(key);
    if (cookie.expires <= this.#now()) this.#cookies.delete(key);
    // One that is changed keeps its place.
    else this.#cookies.set(key, { ...cookie, made: known?.made ?? cookie.made });
  }

  /** The `Cookie` header of a request: longer paths first, then as they were made. */
  headerFor(url: URL, trip: Trip): string | null {
    const sent = this.all()
      .filter((cookie) => fits(cookie, url) && travels(cookie, trip))
      .toSorted((a, b) => b.path.length - a.path.length || a.made - b.made);
    return sent.length > 0 ? sent.map(({ name, value }) => `${name}=${value}`).join("; ") : null;
  }

  /** The cookie of a name, wherever it belongs. */
  get(name: string): Cookie | undefined {
    return this.all().find((cookie) => cookie.name === name);
  }

  /** The names of all cookies that contain a text, as they were made. */
  names(containing = ""): string[] {
    return this.all().map(({ name }) => name).filter((name) => name.includes(containing));
  }

  /** Forgets the cookies of a name, as a visitor can. */
  delete(name: string): void {
    for (const [key, cookie] of this.#cookies) if (cookie.name === name) this.#cookies.delete(key);
  }

  /** All cookies that have not expired, as they were made. */
  all(): Cookie[] {
    const now = this.#now();
    return [...this.#cookies.values()].filter(({ expires }) => expires > now).toSorted((a, b) => a.made - b.made);
  }
}

function keyOf({ name, domain, path }: Cookie): string {
  return JSON.stringify([name, domain, path]);
}

/** Reads a `Set-Cookie` header into its pair and its attributes, names in lower case. */
export function readSetCookie(header: string): { name: string; value: string; attributes: Map<string, string> } {
  const [pair = "", ...rest] = header.split(";");
  const [name, value] = cut(pair);
  const attributes = new Map(rest.map((part) => {
    const [key, text] = cut(part);
    return [key.toLowerCase(), text] as const;
  }));
  return { name, value, attributes };
}

function cut(text: string): [string, string] {
  const equals = text.indexOf("=");
  return equals < 0 ? [text.trim(), ""] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}

function readCookie(header: string, url: URL, { made, now }: { made: number; now: number }): Cookie | null {
  const { name, value, attributes } = readSetCookie(header);
  if (!name) return null;
  const domain = attributes.get("domain")?.replace(/^\./, "").toLowerCase();
  const path = attributes.get("path");
  const sameSite = attributes.get("samesite")?.toLowerCase();
  return {
    name,
    value,
    made,
    domain: domain || url.hostname,
    hostOnly: !domain,
    path: path?.startsWith("/") ? path : defaultPath(url),
    secure: attributes.has("secure"),
    httpOnly: attributes.has("httponly"),
    sameSite: sameSite === "strict" || sameSite === "none" ? sameSite : "lax",
    expires: expiryOf(attributes, now),
  };
}

function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf("/")) || "/";
}

function expiryOf(attributes: ReadonlyMap<string, string>, now: number): number {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) {
    return Number(maxAge) > 0 ? now + Number(maxAge) * 1000 : 0;
  }
  const expires = Date.parse(attributes.get("expires") ?? "");
  return Number.isNaN(expires) ? Infinity : expires;
}

function isAcceptable(header: string, cookie: Cookie, url: URL): boolean {
  const { name, secure, hostOnly, path, domain, sameSite } = cookie;
  if (new TextEncoder().encode(header).length > 4096) return false;
  if (!hostOnly && !matchesDomain(url.hostname, domain)) return false;
  if (secure && !isSecureContext(url)) return false;
  if (sameSite === "none" && !secure) return false;
  if (name.startsWith("__Host-") && !(secure && hostOnly && path === "/")) return false;
  return !name.startsWith("__Secure-") || secure;
}

function isSecureContext({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || /^(?:(?:.*\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function matchesDomain(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

function fits({ domain, hostOnly, path, secure }: Cookie, url: URL): boolean {
  if (hostOnly ? url.hostname !== domain : !matchesDomain(url.hostname, domain)) return false;
  if (secure && !isSecureContext(url)) return false;
  return url.pathname === path || url.pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}

function travels({ sameSite }: Cookie, trip: Trip): boolean {
  return trip.sameSite || sameSite === "none" || (sameSite === "lax" && trip.safe);
}
