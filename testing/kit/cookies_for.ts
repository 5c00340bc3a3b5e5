/**
 * The cookies of a visitor, as browsers under test take them.
 *
 * @module
 */
import type { Cookie, CookieJar } from "./cookie_jar.ts";

/** A cookie as Playwright writes it. */
export interface PlaywrightCookie {
  /** Its name. */
  readonly name: string;
  /** Its value. */
  readonly value: string;
  /** The host; with a dot in front, its subdomains get it, too. */
  readonly domain: string;
  /** The path below which it is sent. */
  readonly path: string;
  /** Seconds since 1970; -1 for one that lives as long as the browser. */
  readonly expires: number;
  /** Whether scripts cannot read it. */
  readonly httpOnly: boolean;
  /** Whether it is sent over https only. */
  readonly secure: boolean;
  /** Which requests of other sites it goes with. */
  readonly sameSite: "Strict" | "Lax" | "None";
}

/** The option `storageState` of a browser context of Playwright. */
export interface StorageState {
  /** The cookies. */
  readonly cookies: PlaywrightCookie[];
  /** Nothing: the service keeps nothing in the storage of pages. */
  readonly origins: never[];
}

/** The arguments of `cy.setCookie()`. */
export interface CypressCookie {
  /** Its name. */
  readonly name: string;
  /** Its value. */
  readonly value: string;
  /** The third argument. */
  readonly options: {
    /** The host. */
    readonly domain: string;
    /** The path below which it is sent. */
    readonly path: string;
    /** Whether scripts cannot read it. */
    readonly httpOnly: boolean;
    /** Whether it is sent over https only. */
    readonly secure: boolean;
    /** Which requests of other sites it goes with. */
    readonly sameSite: "strict" | "lax" | "no_restriction";
    /** Seconds since 1970. */
    readonly expiry?: number;
  };
}

const SAME_SITE = { strict: "Strict", lax: "Lax", none: "None" } as const;

/** Gives cookies as Playwright reads them. */
export function storageState(jar: CookieJar): StorageState {
  const cookies = jar.all().map(({ name, value, path, httpOnly, secure, ...cookie }) => ({
    name,
    value,
    domain: domainOf(cookie),
    path,
    expires: secondsOf(cookie) ?? -1,
    httpOnly,
    secure,
    sameSite: SAME_SITE[cookie.sameSite],
  }));
  return { cookies, origins: [] };
}

/** Gives cookies as Cypress sets them. */
export function cypressCookies(jar: CookieJar): CypressCookie[] {
  return jar.all().map(({ name, value, path, httpOnly, secure, sameSite, ...cookie }) => {
    const expiry = secondsOf(cookie);
    const options = { domain: domainOf(cookie), path, httpOnly, secure, ...(expiry !== null && { expiry }) };
    return { name, value, options: { ...options, sameSite: sameSite === "none" ? "no_restriction" : sameSite } };
  });
}

/** Gives the header of a request to the home page. */
export function cookieHeader(jar: CookieJar, origin: string): string {
  return jar.headerFor(new URL("/", origin), { sameSite: true, safe: true }) ?? "";
}

function domainOf({ domain, hostOnly }: Pick<Cookie, "domain" | "hostOnly">): string {
  return hostOnly ? domain : `.${domain}`;
}

function secondsOf({ expires }: Pick<Cookie, "expires">): number | null {
  return Number.isFinite(expires) ? Math.floor(expires / 1000) : null;
}
