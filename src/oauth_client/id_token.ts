/**
 * The form and the claims of an id_token. Its signature is verified in `keys.ts`.
 *
 * @module
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation | OpenID Connect Core, section 3.1.3.7}
 */
import { fromBase64Url, isCanonicalBase64Url, toBase64Url, utf8 } from "../crypto/encoding.ts";
import { isMac } from "../config/signing.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import { isEncrypted } from "./encrypted.ts";
import { isObject } from "../kernel/objects.ts";
import { nodeCrypto } from "../kernel/runtime.ts";
import { type JsonObject, readUniqueObject } from "./json.ts";

/** A decoded id_token. Nothing in it is verified yet. */
export interface IdToken {
  readonly header: JsonObject;
  /** The claims as `JSON.parse()` reads them, for the rules. */
  readonly claims: JsonObject;
  /** The claims with numbers that would be rounded as text, for profiles. */
  readonly exactClaims: JsonObject;
}

/** What the claims are compared with. */
export interface IdTokenExpectations {
  /** Seconds since 1970. */
  readonly now: number;
  readonly clientId: string;
  /** The algorithm that the client registered. Only if it is one with a shared secret, such a signature is accepted. */
  readonly alg?: string | undefined;
  /** The accepted difference between clocks, in seconds. */
  readonly tolerance: number;
}

/** The greatest age in seconds. The token endpoint issues the id_token in its response, so it is new. */
export const OLDEST = 10 * 60;

/** The longest `sub`, in characters (OpenID Connect Core, section 2). */
const LONGEST_SUB = 255;

/** The longest id_token, in characters. */
const LONGEST_ID_TOKEN = 128 * 1024;

/** The event of a logout token (OpenID Connect Back-Channel Logout, section 2.4), which the same keys sign. */
export const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

// Unused bits of the last character of a part must be zero (RFC 4648, section 3.5): one token, one text.
const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/;

/**
 * Decodes an id_token.
 *
 * @throws {OAuthProviderError} if it is too long or not a compact JWS of two JSON objects.
 */
export function readIdToken(text: unknown): IdToken {
  if (typeof text === "string" && text.length > LONGEST_ID_TOKEN) throw idTokenError("it is too long");
  if (typeof text === "string" && isEncrypted(text)) {
    throw idTokenError(
      "it is encrypted: set `client.decryptionKeys` and `client.id_token_encrypted_response_alg`, or remove the latter " +
        "from the registration of the client at the provider",
    );
  }
  const [, ...parts] = typeof text === "string" ? COMPACT.exec(text) ?? [] : [];
  const [header, claims] = parts;
  if (header && claims && parts.every(isCanonicalBase64Url)) {
    const [head, body] = [header, claims].map((part) => readUniqueObject(fromBase64Url(part)));
    if (head && body) return { header: head.rounded, claims: body.rounded, exactClaims: body.exact };
  }
  throw idTokenError("it is not a signed JWT");
}

/** Makes the error of an id_token that is not valid. */
export function idTokenError(why: string): OAuthProviderError {
  return new OAuthProviderError(`Cannot accept id_token: ${why}`, { logCode: "id-token-invalid" });
}

type Decoded = Pick<IdToken, "header" | "claims">;

type Rule = (token: Decoded, expected: IdTokenExpectations) => boolean;

/** What must be true of whatever is signed, by what is wrong otherwise. */
const COMMON_RULES: Readonly<Record<string, Rule>> = {
  "its header has `crit` or `b64`, which are not supported": ({ header }) =>
    header.crit === undefined && header.b64 === undefined,
  "its typ is not JWT": ({ header }) => header.typ === undefined || isPlainType(header.typ),
  "its alg is not one with a public key": ({ header }, { alg }) =>
    hashOf(header.alg) !== null && mayBe(header.alg, alg),
  "it is not valid yet": ({ claims: { nbf } }, { now, tolerance }) =>
    nbf === undefined || (isTime(nbf) && nbf <= now + tolerance),
};

/** What must be true of an id_token. The protocol library checks `iss`, `aud` and `nonce`. */
const RULES: Readonly<Record<string, Rule>> = {
  ...COMMON_RULES,
  "its sub must have 1 to 255 characters": ({ claims: { sub } }) =>
    typeof sub === "string" && sub.length > 0 && sub.length <= LONGEST_SUB,
  "it has expired": ({ claims: { exp } }, { now, tolerance }) => isTime(exp) && exp > now - tolerance,
  "its iat must be within the last 10 minutes": ({ claims: { iat } }, { now, tolerance }) =>
    isTime(iat) && iat <= now + tolerance && iat >= now - OLDEST,
  "its azp is another client": ({ claims: { azp } }, { clientId }) => azp === undefined || azp === clientId,
  "it is a logout token": ({ claims: { events } }) => !(isObject(events) && Object.hasOwn(events, LOGOUT_EVENT)),
};

/** The times that rules are about. */
const TIME_OF: Readonly<Record<string, string>> = {
  "it is not valid yet": "nbf",
  "it has expired": "exp",
  "its iat must be within the last 10 minutes": "iat",
};

/** What must be true of a signed answer. It need not have times, because it is requested when it is needed. */
const RULES_OF_ANSWERS: Readonly<Record<string, Rule>> = {
  ...COMMON_RULES,
  "it has expired": ({ claims: { exp } }, { now, tolerance }) =>
    exp === undefined || (isTime(exp) && now < exp + tolerance),
};

/** Gives the first rule that an id_token breaks, or `null`. */
export function idTokenProblem(token: Decoded, expected: IdTokenExpectations): string | null {
  return firstBroken(RULES, token, expected);
}

/** Gives the first rule that a signed answer of the userinfo endpoint breaks, or `null`. */
export function signedAnswerProblem(
  token: Decoded,
  expected: Pick<IdTokenExpectations, "now" | "alg" | "tolerance">,
): string | null {
  return firstBroken(RULES_OF_ANSWERS, token, { clientId: "", ...expected });
}

function firstBroken(
  rules: Readonly<Record<string, Rule>>,
  token: Decoded,
  expected: IdTokenExpectations,
): string | null {
  const [broken = null] = Object.entries(rules).find(([, holds]) => !holds(token, expected)) ?? [];
  return broken && broken + clockDetail(broken, token, expected);
}

// Often the token is right and a clock is wrong.
function clockDetail(rule: string, { claims }: Decoded, { now }: IdTokenExpectations): string {
  const name = TIME_OF[rule];
  const time = name && claims[name];
  if (!isTime(time)) return "";
  const off = Math.round(time - now);
  return ` (${name} is ${Math.abs(off)} seconds ${off < 0 ? "before" : "after"} the clock of this service)`;
}

// Whoever has the public key could sign with it, if the header decided that it is a shared secret.
function mayBe(used: unknown, registered: string | undefined): boolean {
  return typeof used === "string" && (!isMac(used) || used === registered);
}

// Issuers sign tokens for other purposes, such as `at+jwt` and `logout+jwt`, with the same keys.
function isPlainType(typ: unknown): boolean {
  return typeof typ === "string" && !/\+jwt$/i.test(typ.trim());
}

/** Whether a claim can be a time. */
export function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Gives the hash of an algorithm, or `null` if the algorithm is not supported. */
export function hashOf(alg: unknown): string | null {
  if (alg === "EdDSA" || alg === "Ed25519") return "SHA-512";
  const [, bits] = typeof alg === "string" ? /^(?:RS|PS|ES|HS)(256|384|512)$/.exec(alg) ?? [] : [];
  return bits ? `SHA-${bits}` : null;
}

/**
 * Whether `at_hash`, if there is one, is the hash of the access token. The name EdDSA does not say which hash that is: most
 * servers take SHA-512, which Ed25519 uses itself, and others SHA-256.
 *
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#CodeIDToken | OpenID Connect Core, section 3.1.3.6}
 */
export async function matchesAccessToken({ header, claims }: IdToken, accessToken: string): Promise<boolean> {
  if (claims.at_hash === undefined) return true;
  const hash = hashOf(header.alg);
  if (!hash) return false;
  const isEdwards = header.alg === "EdDSA" || header.alg === "Ed25519";
  return claims.at_hash === await halfHash(hash, accessToken) ||
    (isEdwards && claims.at_hash === await halfHash("SHA-256", accessToken));
}

async function halfHash(hash: string, text: string): Promise<string> {
  const digest = nodeCrypto()?.hash(hash.replace("-", "").toLowerCase(), text, "buffer") ??
    new Uint8Array(await crypto.subtle.digest(hash, utf8(text)));
  return toBase64Url(digest.slice(0, digest.length / 2));
}
