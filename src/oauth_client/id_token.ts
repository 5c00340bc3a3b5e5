/**
 * The claims of an id_token: what must be true of them, and whose they must be. `signature.ts` verifies the signature.
 *
 * @module
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation | OpenID Connect Core, section 3.1.3.7}
 */
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { isMac } from "../config/signing.ts";
import { toBase64Url, utf8 } from "../crypto/encoding.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";
import { callHandler } from "./failure.ts";
import { isEncrypted } from "./json.ts";
import { hashOf, isTime, type Jwt, readJwt } from "./jwt.ts";
import type { Server } from "./metadata.ts";
import type { OutboundConfig } from "./outbound.ts";

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
const OLDEST = 10 * 60;

/** The longest `sub`, in characters (OpenID Connect Core, section 2). */
const LONGEST_SUB = 255;

/** The longest id_token, in characters. */
const LONGEST_ID_TOKEN = 128 * 1024;

/** The event of a logout token (OpenID Connect Back-Channel Logout, section 2.4), which the same keys sign. */
export const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

/**
 * Decodes an id_token.
 *
 * @throws {OAuthProviderError} if it is too long or not a compact JWS of two JSON objects.
 */
export function readIdToken(text: unknown): Jwt {
  if (typeof text !== "string") throw idTokenError("it is not a signed JWT");
  if (text.length > LONGEST_ID_TOKEN) throw idTokenError("it is too long");
  if (isEncrypted(text)) {
    throw idTokenError(
      "it is encrypted: set `client.decryptionKeys` and `client.id_token_encrypted_response_alg`, or remove the latter " +
        "from the registration of the client at the provider",
    );
  }
  const token = readJwt(text);
  if (token) return token;
  throw idTokenError("it is not a signed JWT");
}

/** Makes the error of an id_token that is not valid. */
export function idTokenError(why: string): OAuthProviderError {
  return new OAuthProviderError(`Cannot accept id_token: ${why}`, { logCode: "id-token-invalid" });
}

type Decoded = Pick<Jwt, "header" | "claims">;

type Rule = (token: Decoded, expected: IdTokenExpectations) => boolean;

/** What must be true of every signed JWT, by what is wrong otherwise. */
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

/** Returns the first rule that an id_token breaks, or `null`. */
export function idTokenProblem(token: Decoded, expected: IdTokenExpectations): string | null {
  return firstBroken(RULES, token, expected);
}

/** Returns the first rule that a signed answer of the userinfo endpoint breaks, or `null`. */
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

// Anybody who has the public key could sign with it, if the header decided that it is a shared secret.
function mayBe(used: unknown, registered: string | undefined): boolean {
  return typeof used === "string" && (!isMac(used) || used === registered);
}

// Issuers sign tokens for other purposes, such as `at+jwt` and `logout+jwt`, with the same keys.
function isPlainType(typ: unknown): boolean {
  return typeof typ === "string" && !/\+jwt$/i.test(typ.trim());
}

/**
 * Whether `at_hash`, if there is one, is the hash of the access token. The name EdDSA does not say which hash that is: most
 * servers take SHA-512, which Ed25519 uses itself, and others SHA-256.
 *
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#CodeIDToken | OpenID Connect Core, section 3.1.3.6}
 */
export async function matchesAccessToken({ header, claims }: Jwt, accessToken: string): Promise<boolean> {
  if (claims.at_hash === undefined) return true;
  const hash = hashOf(header.alg);
  if (!hash) return false;
  const isEdwards = header.alg === "EdDSA" || header.alg === "Ed25519";
  return claims.at_hash === await halfHash(hash, accessToken) ||
    (isEdwards && claims.at_hash === await halfHash("SHA-256", accessToken));
}

async function halfHash(hash: string, text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest(hash, utf8(text)));
  return toBase64Url(digest.slice(0, digest.length / 2));
}

type Clock = Pick<IdTokenExpectations, "now" | "tolerance">;

/** A time of a token that does not fit the clock, and what that means. */
interface Skew {
  readonly time: number;
  readonly meaning: string;
}

/**
 * Makes the error of a new token whose times do not fit the clock of this machine.
 *
 * @returns `null` if its times fit, or are not times.
 */
export function clockProblem(
  provider: string,
  { claims }: Pick<Jwt, "claims">,
  clock: Clock,
): OAuthProviderError | null {
  const skew = skewOf(claims, clock);
  return skew && new OAuthProviderError(
    `Cannot accept id_token: the id_token of \`${provider}\` ${skew.meaning} by this machine's clock ` +
      `(${textOf(skew.time)} against ${textOf(clock.now)}): check the clock`,
    { logCode: "clock-skew" },
  );
}

function skewOf(claims: Jwt["claims"], { now, tolerance }: Clock): Skew | null {
  const [iat, nbf, exp] = [claims.iat, claims.nbf, claims.exp].map((time) => isDate(time) ? time : null);
  const off = (time: number) => Math.abs(Math.round(time - now));
  if (iat && iat > now + tolerance) return { time: iat, meaning: `was issued ${off(iat)} s in the future` };
  if (nbf && nbf > now + tolerance) return { time: nbf, meaning: `is valid only in ${off(nbf)} s` };
  if (exp && exp <= now - tolerance) return { time: exp, meaning: `expired ${off(exp)} s ago` };
  if (iat && iat < now - OLDEST) return { time: iat, meaning: `was issued ${off(iat)} s ago` };
  return null;
}

/** The latest time that a date can hold, in seconds since 1970. */
const LATEST = 8.64e12;

function isDate(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) < LATEST;
}

function textOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, "Z");
}

/**
 * Returns the issuer that a token must have: that of the metadata or, if it is for many tenants, the one that
 * `expectedIssuer` of the provider returns for the claims.
 *
 * @returns `null` if that returns no issuer.
 */
export async function expectedIssuer(
  config: OutboundConfig,
  { provider, server: { metadata, multiTenant } }: {
    readonly provider: ResolvedOAuthProvider;
    readonly server: Server;
  },
  { exactClaims }: Jwt,
): Promise<string | null> {
  if (!multiTenant) return metadata.issuer;
  // It gets a copy: the claims are yet to be verified.
  const issuer: unknown = await callHandler(config, provider, "expectedIssuer", () => {
    return provider.expectedIssuer?.(structuredClone(exactClaims));
  });
  return typeof issuer === "string" && issuer ? issuer : null;
}

/** The reason against a token for which there is no issuer. */
export const NO_ISSUER = "`expectedIssuer` returned no issuer for its claims";
