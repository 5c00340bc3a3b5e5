/**
 * The form and the claims of a logout token: what must be true of one before its signature is verified.
 *
 * @module
 * @see {@link https://openid.net/specs/openid-connect-backchannel-1_0.html#Validation | Back-Channel Logout, section 2.6}
 */
import { isMac } from "../config/signing.ts";
import { LOGOUT_EVENT } from "../oauth_client/id_token.ts";
import { hashOf, isTime, type Jwt, readJwt } from "../oauth_client/jwt.ts";
import { isObject } from "../kernel/objects.ts";

/** What the claims are compared with. */
export interface Expectations {
  readonly issuer: string;
  readonly clientId: string;
  /** The algorithm that the client has registered for id_tokens. Only then one with a shared secret is accepted. */
  readonly alg: string | undefined;
  /** The algorithms that the provider announces. */
  readonly announced: unknown;
  /** Seconds since 1970. */
  readonly now: number;
  /** The accepted difference between clocks, in seconds. */
  readonly tolerance: number;
  /** Whether the session must be named. */
  readonly sidRequired: boolean;
}

/** The longest logout token, in characters. It holds no profile. */
export const LONGEST = 16 * 1024;

/** The greatest age, in seconds (section 4: a short time, preferably two minutes). */
export const OLDEST = 2 * 60;

/** The longest identifier, in characters: of a person (OpenID Connect Core, section 2), a session or a token. */
const LONGEST_ID = 255;

/** Decodes a logout token. `null` if it is too long or not a signed JWT. Nothing in it is verified yet. */
export function readLogoutToken(text: string): Jwt | null {
  return text.length > LONGEST ? null : readJwt(text);
}

type Rule = (token: Pick<Jwt, "header" | "claims">, expected: Expectations) => boolean;

/** What must be true, by what is wrong otherwise. */
const RULES: Readonly<Record<string, Rule>> = {
  "its header has `crit` or `b64`, which are not supported": ({ header }) =>
    header.crit === undefined && header.b64 === undefined,
  // So an id_token that says what it is does not pass, nor an access token.
  "its typ is not logout+jwt": ({ header: { typ } }) =>
    typ === undefined || (typeof typ === "string" && /^(?:application\/)?logout\+jwt$/i.test(typ)),
  "its alg is not the one of id_tokens": ({ header: { alg } }, expected) =>
    typeof alg === "string" && hashOf(alg) !== null && isRegistered(alg, expected),
  "its iss is another": ({ claims: { iss } }, { issuer }) => iss === issuer,
  "its aud is another client": ({ claims: { aud, azp } }, { clientId }) => isFor(clientId, aud, azp),
  "it is not valid yet": ({ claims: { nbf } }, { now, tolerance }) =>
    nbf === undefined || (isTime(nbf) && nbf <= now + tolerance),
  "it has expired": ({ claims: { exp } }, { now, tolerance }) => isTime(exp) && exp > now - tolerance,
  "its iat must be within the last 2 minutes": ({ claims: { iat } }, { now, tolerance }) =>
    isTime(iat) && iat <= now + tolerance && iat >= now - OLDEST - tolerance,
  "its events are not exactly a logout": ({ claims: { events } }) =>
    isObject(events) && Object.keys(events).length === 1 && Object.hasOwn(events, LOGOUT_EVENT) &&
    isObject(events[LOGOUT_EVENT]),
  // An id_token has one, so that it never passes for a logout token.
  "it has a nonce": ({ claims }) => !("nonce" in claims),
  "it has neither sub nor sid": ({ claims: { sub, sid } }) => sub !== undefined || sid !== undefined,
  "its sub must have 1 to 255 characters": ({ claims: { sub } }) => sub === undefined || isId(sub),
  "its sid must have 1 to 255 characters": ({ claims: { sid } }) => sid === undefined || isId(sid),
  "it has no sid, which the client demands": ({ claims: { sid } }, { sidRequired }) => !sidRequired || isId(sid),
  "its jti must have 1 to 255 characters": ({ claims: { jti } }) => isId(jti),
};

/** Returns the first rule that a logout token breaks, or `null`. */
export function logoutTokenProblem(token: Pick<Jwt, "header" | "claims">, expected: Expectations): string | null {
  const [broken = null] = Object.entries(RULES).find(([, holds]) => !holds(token, expected)) ?? [];
  return broken;
}

// Section 2.6: as for id_tokens. A shared secret is never the choice of the header.
function isRegistered(alg: string, { alg: registered, announced }: Expectations): boolean {
  if (registered !== undefined) return alg === registered;
  return !isMac(alg) && (Array.isArray(announced) ? announced.includes(alg) : alg === "RS256");
}

function isFor(clientId: string, aud: unknown, azp: unknown): boolean {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (azp !== undefined && azp !== clientId) return false;
  return audiences.includes(clientId) && (audiences.length === 1 || azp === clientId);
}

/** Whether a value is an identifier, and text that storage can look for. */
export function isId(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= LONGEST_ID && value.isWellFormed() &&
    !value.includes("\0");
}
