/**
 * The cookies of the service: their names and attributes, by role.
 *
 * @module
 */
import type { CookieOptions } from "./cookie_text.ts";

/** What a cookie is for. `nonce` and `pkceCodeVerifier` can be configured; their values travel in the `state` cookie. */
export type CookieRole =
  | "sessionToken"
  | "signedIn"
  | "callbackUrl"
  | "csrfToken"
  | "pkceCodeVerifier"
  | "state"
  | "nonce"
  | "webauthnChallenge"
  | "email"
  | "pending"
  | "failure"
  | "device"
  | "trustedDevice"
  | "lastProvider"
  | "language";

/** Seconds that somebody has for the second proof of a sign-in. */
export const PENDING_LIFETIME = 10 * 60;

/** Seconds that the sign-in page remembers what was typed, and why it did not work. */
const FAILURE_LIFETIME = 5 * 60;

/** Seconds that a browser is known after the last sign-in of somebody there: 180 days. */
export const DEVICE_LIFETIME = 180 * 24 * 60 * 60;

/** Seconds that a browser remembers what it signed in with: a year. */
const YEAR = 365 * 24 * 60 * 60;

/** A cookie's name and attributes. */
export interface CookieSpec {
  /** Its name. It also takes part in the key its value is sealed with. */
  readonly name: string;
  /** Its attributes. */
  readonly options: CookieOptions;
}

/** Every cookie of the service. */
export type CookieSpecs = Readonly<Record<CookieRole, CookieSpec>>;

/** Cookies of the library that was used before, by their names over http. */
export type FormerSpecs = ReadonlyMap<string, CookieSpec>;

/** What a developer may change: a name, single attributes. */
export type CookieOverrides = {
  readonly [Role in CookieRole]?:
    | { readonly name?: string | undefined; readonly options?: CookieOptions | undefined }
    | undefined;
};

interface DefaultCookie {
  readonly name: string;
  readonly host?: boolean;
  readonly maxAge?: number;
}

export { SESSION_LIFETIME } from "../crypto/session_token.ts";

/** Seconds that a visitor has to come back from the provider: time to create an account or to find a second factor. */
export const FLOW_LIFETIME = 15 * 60;

const DEFAULTS: Readonly<Record<CookieRole, DefaultCookie>> = {
  sessionToken: { name: "authjs.session-token" },
  signedIn: { name: "authjs.signed-in" },
  callbackUrl: { name: "authjs.callback-url" },
  csrfToken: { name: "authjs.csrf-token", host: true },
  pkceCodeVerifier: { name: "authjs.pkce.code_verifier", maxAge: FLOW_LIFETIME },
  state: { name: "authjs.state", maxAge: FLOW_LIFETIME },
  nonce: { name: "authjs.nonce" },
  webauthnChallenge: { name: "authjs.challenge", maxAge: FLOW_LIFETIME },
  email: { name: "authjs.email" },
  pending: { name: "authjs.pending", maxAge: PENDING_LIFETIME },
  failure: { name: "authjs.failure", maxAge: FAILURE_LIFETIME },
  device: { name: "authjs.device", maxAge: DEVICE_LIFETIME },
  trustedDevice: { name: "authjs.trusted-device" },
  lastProvider: { name: "authjs.last-provider", maxAge: YEAR },
  language: { name: "authjs.language" },
};

/**
 * Makes the cookies for one kind of connection.
 *
 * @param secure Whether cookies are for https only.
 * @param overrides What the developer changed.
 * @returns Names and attributes, frozen.
 */
export function cookieSpecs(secure: boolean, overrides: CookieOverrides): CookieSpecs {
  const spec = (role: CookieRole): CookieSpec => {
    const { name, host, maxAge } = DEFAULTS[role];
    const prefix = secure ? (host ? "__Host-" : "__Secure-") : "";
    const defaults: CookieOptions = { httpOnly: true, sameSite: "lax", path: "/", secure, ...(maxAge && { maxAge }) };
    const options = Object.freeze({ ...defaults, ...overrides[role]?.options });
    return Object.freeze({ name: overrides[role]?.name ?? prefix + name, options });
  };
  const roles = Object.keys(DEFAULTS) as CookieRole[];
  return Object.freeze(Object.fromEntries(roles.map((role) => [role, spec(role)]))) as CookieSpecs;
}

/** Makes the cookies of the library that was used before, for one kind of connection. */
export function formerSpecs(
  secure: boolean,
  cookies: readonly { readonly name: string; readonly domain?: string | undefined }[],
): FormerSpecs {
  return new Map(cookies.map(({ name, domain }) => {
    // They are only removed: no other attribute matters.
    const options = Object.freeze<CookieOptions>({ secure, path: "/", ...(domain && { domain }) });
    return [name, Object.freeze({ name: secure ? `__Secure-${name}` : name, options })];
  }));
}
