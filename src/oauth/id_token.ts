/**
 * The id_token: what it must look like and claim, besides its signature.
 *
 * @module
 */
import { fromBase64Url, isCanonicalBase64Url, toBase64Url, utf8 } from "../crypto/encoding.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import { type JsonObject, readObject } from "./json.ts";

/** An id_token, taken apart. Nothing in it is to be believed yet. */
export interface IdToken {
  readonly header: JsonObject;
  /** What the rules are about: numbers are numbers here, however large. */
  readonly claims: JsonObject;
  /** The same for whoever reads a person from it: a number that would be rounded is the text it was sent as. */
  readonly told: JsonObject;
}

/** What the claims are held against. */
export interface IdTokenExpectations {
  /** Seconds since 1970. */
  readonly now: number;
  readonly clientId: string;
  /** Seconds since the person authenticated at the provider, at most. */
  readonly maxAge?: number | undefined;
  /** Ways of authenticating, of which it must have been one. */
  readonly acrValues?: readonly string[] | undefined;
}

/** Seconds by which clocks may disagree. */
const TOLERANCE = 30;

/** Seconds after which an id_token that comes straight from the token endpoint cannot be a fresh one. */
const OLDEST = 10 * 60;

/** The longest `sub` (OpenID Connect Core, section 2). */
const LONGEST_SUB = 255;

/** The longest id_token, in characters. */
const LONGEST_ID_TOKEN = 128 * 1024;

const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/;

/**
 * Takes an id_token apart.
 *
 * @throws {OAuthProviderError} if it is not a compact JWS of two JSON objects, or too long.
 */
export function readIdToken(text: unknown): IdToken {
  if (typeof text === "string" && text.length > LONGEST_ID_TOKEN) throw idTokenError("it is too long");
  const [, ...parts] = typeof text === "string" ? COMPACT.exec(text) ?? [] : [];
  const [header, claims] = parts;
  if (header && claims && parts.every(isCanonicalBase64Url)) {
    const read = { header: readPart(header), claims: readPart(claims), told: readPart(claims, false) };
    if (read.header && read.claims && read.told) return { header: read.header, claims: read.claims, told: read.told };
  }
  throw idTokenError("it is not a signed token");
}

/** The error for an id_token that does not hold. */
export function idTokenError(why: string): OAuthProviderError {
  return new OAuthProviderError(`Cannot accept id_token: ${why}`);
}

function readPart(part: string, rounded = true): JsonObject | null {
  return readObject(fromBase64Url(part), { unique: true, rounded });
}

type Judged = Pick<IdToken, "header" | "claims">;

type Rule = (token: Judged, expected: IdTokenExpectations) => boolean;

/** What must be true of an id_token. The protocol library looks at `iss`, `aud`, `nonce` and `alg` besides. */
const RULES: Readonly<Record<string, Rule>> = {
  "its header asks for what is not supported": ({ header }) => header.crit === undefined && header.b64 === undefined,
  "it is a token of another kind": ({ header }) => header.typ === undefined || isPlainType(header.typ),
  "its alg is not one of public keys": ({ header }) => hashOf(header.alg) !== null,
  "its sub is not 1 to 255 characters": ({ claims: { sub } }) =>
    typeof sub === "string" && sub.length > 0 && sub.length <= LONGEST_SUB,
  "it has expired": ({ claims: { exp } }, { now }) => isTime(exp) && exp > now - TOLERANCE,
  "it is not valid yet": ({ claims: { nbf } }, { now }) => nbf === undefined || (isTime(nbf) && nbf <= now + TOLERANCE),
  "it was not issued just now": ({ claims: { iat } }, { now }) =>
    isTime(iat) && iat <= now + TOLERANCE && iat >= now - OLDEST,
  "it was issued to another client": ({ claims: { azp } }, { clientId }) => azp === undefined || azp === clientId,
  "the person authenticated too long ago": ({ claims: { auth_time } }, { now, maxAge }) =>
    maxAge === undefined || (isTime(auth_time) && auth_time + maxAge >= now - TOLERANCE),
  "the person did not authenticate as asked": ({ claims: { acr } }, { acrValues }) =>
    acrValues === undefined || (typeof acr === "string" && acrValues.includes(acr)),
};

/** Tells why an id_token does not hold, or `null`. */
export function idTokenProblem(token: Judged, expected: IdTokenExpectations): string | null {
  const broken = Object.entries(RULES).find(([, holds]) => !holds(token, expected));
  return broken ? broken[0] : null;
}

// Explicitly typed tokens (`at+jwt`, `logout+jwt`) are signed with the same keys for other purposes.
function isPlainType(typ: unknown): boolean {
  return typeof typ === "string" && !/\+jwt$/i.test(typ.trim());
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function hashOf(alg: unknown): string | null {
  if (alg === "EdDSA" || alg === "Ed25519") return "SHA-512";
  const [, bits] = typeof alg === "string" ? /^(?:RS|PS|ES)(256|384|512)$/.exec(alg) ?? [] : [];
  return bits ? `SHA-${bits}` : null;
}

/**
 * Whether `at_hash`, where there is one, belongs to the access token.
 *
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#CodeIDToken | OpenID Connect Core, section 3.1.3.6}
 */
export async function matchesAccessToken({ header, claims }: IdToken, accessToken: string): Promise<boolean> {
  if (claims.at_hash === undefined) return true;
  const hash = hashOf(header.alg);
  if (!hash) return false;
  const digest = new Uint8Array(await crypto.subtle.digest(hash, utf8(accessToken)));
  return claims.at_hash === toBase64Url(digest.slice(0, digest.length / 2));
}
