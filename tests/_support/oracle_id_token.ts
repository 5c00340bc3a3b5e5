/**
 * Decides whether an id_token is valid: a second implementation of RFC 7515 and OpenID Connect Core, section 3.1.3.7, with
 * the cryptography of another library. It judges what was really sent, so a row of a table cannot miss its point.
 */
import { createHash, createHmac, createPublicKey, type JsonWebKeyInput, verify } from "node:crypto";

export interface IdTokenCase {
  /** The member `id_token` of the token answer. */
  readonly idToken: unknown;
  readonly accessToken: unknown;
  /** The members of the key document. */
  readonly keys: readonly unknown[];
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Seconds since 1970. */
  readonly now: number;
  /** The nonce that was sent, if one was. */
  readonly nonce: string | null;
  /** The accepted algorithms. Those of shared secrets are among them only where one is configured. */
  readonly algs: readonly string[];
  readonly maxAge?: number | undefined;
  readonly acrValues?: readonly string[] | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** Gives the first rule that is broken, or `null`. */
export function idTokenFault(given: IdTokenCase): string | null {
  const { idToken } = given;
  if (typeof idToken !== "string" || idToken.length > 1024 * 1024) return "is not text of at most 1 MiB";
  const parts = idToken.split(".");
  const bytes = parts.map(bytesOf);
  const [head, body, signature] = bytes;
  if (parts.length !== 3 || !head?.length || !body?.length || !signature?.length) return "is not a compact JWS";
  const [header, claims] = [objectOf(head), objectOf(body)];
  if (!header || !claims) return "has parts that are not JSON objects";
  const signed = Buffer.from(idToken.slice(0, idToken.lastIndexOf(".")));
  return headerFault(header, given) ?? keyFault(header, given, signed, signature) ?? claimsFault(header, claims, given);
}

// One spelling for each value: decoding and encoding gives the same text.
function bytesOf(part: string): Buffer | null {
  const bytes = Buffer.from(part, "base64url");
  return bytes.toString("base64url") === part ? bytes : null;
}

function objectOf(bytes: Buffer): Members | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (/[[{]{100}/.test(text)) return null; // no honest claim is nested that deeply
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const written = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon).length;
    return isObject && written === countMembers(value) ? value as Members : null;
  } catch {
    return null;
  }
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const members = Object.values(value);
  return (Array.isArray(value) ? 0 : members.length) + members.reduce((sum: number, one) => sum + countMembers(one), 0);
}

interface Algorithm {
  readonly kty: string;
  readonly crv?: string;
  readonly digest: string | null;
  readonly options: object;
}

const ALGORITHMS: Readonly<Record<string, Algorithm>> = Object.fromEntries([
  ...[256, 384, 512].flatMap((bits) => [
    [`RS${bits}`, { kty: "RSA", digest: `sha${bits}`, options: {} }],
    [`PS${bits}`, { kty: "RSA", digest: `sha${bits}`, options: { padding: 6, saltLength: bits / 8 } }],
    [`ES${bits}`, {
      kty: "EC",
      crv: `P-${bits === 512 ? 521 : bits}`,
      digest: `sha${bits}`,
      options: { dsaEncoding: "ieee-p1363" },
    }],
  ]),
  ...["EdDSA", "Ed25519"].map((alg) => [alg, { kty: "OKP", crv: "Ed25519", digest: null, options: {} }]),
]);

const MAC = /^HS(256|384|512)$/;

function headerFault({ alg, kid, typ, crit, b64 }: Members, { algs }: IdTokenCase): string | null {
  const isConfigured = algs.length === 1 && algs[0] === alg;
  if (typeof alg !== "string" || !algs.includes(alg)) return "has another alg";
  if (!Object.hasOwn(ALGORITHMS, alg) && !(MAC.test(alg) && isConfigured)) return "has another alg";
  if (crit !== undefined || b64 !== undefined) return "asks for extensions";
  if (kid !== undefined && typeof kid !== "string") return "has a kid that is not text";
  if (typ !== undefined && (typeof typ !== "string" || /\+jwt\s*$/i.test(typ))) return "is of another kind";
  return null;
}

function keyFault(header: Members, given: IdTokenCase, signed: Buffer, signature: Buffer): string | null {
  const { keys, clientSecret } = given;
  const [, bits] = MAC.exec(String(header.alg)) ?? [];
  if (bits) {
    return createHmac(`sha${bits}`, clientSecret).update(signed).digest().equals(signature) ? null : "has another MAC";
  }
  const { kty, crv, digest, options } = ALGORITHMS[String(header.alg)] as Algorithm;
  const fitting = keys.filter((key): key is Members => {
    if (typeof key !== "object" || key === null) return false;
    const one = key as Members;
    return one.kty === kty && (crv === undefined || one.crv === crv) &&
      (one.use === undefined || one.use === "sig") && (one.alg === undefined || one.alg === header.alg) &&
      (!Array.isArray(one.key_ops) || one.key_ops.includes("verify")) &&
      (header.kid === undefined || one.kid === header.kid);
  });
  const [jwk] = fitting;
  if (!jwk || fitting.length > 1) return `fits ${fitting.length} keys`;
  try {
    const key = createPublicKey({ key: jwk, format: "jwk" } as JsonWebKeyInput);
    if (kty === "RSA" && (key.asymmetricKeyDetails?.modulusLength ?? 0) < 2048) return "has too small a key";
    return verify(digest, signed, { key, ...options }, signature) ? null : "has another signature";
  } catch {
    return "has no usable key";
  }
}

const TOLERANCE = 30;

function claimsFault(header: Members, claims: Members, given: IdTokenCase): string | null {
  const { now, clientId, maxAge, acrValues } = given;
  const { iss, aud, azp, sub, exp, nbf, iat, nonce, auth_time, acr, at_hash } = claims;
  const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
  const audiences = typeof aud === "string" ? [aud] : Array.isArray(aud) ? aud : [];
  const rules: Readonly<Record<string, boolean>> = {
    iss: iss === given.issuer,
    aud: audiences.includes(clientId),
    azp: azp === clientId || (azp === undefined && audiences.length === 1),
    sub: typeof sub === "string" && sub.length >= 1 && sub.length <= 255,
    exp: isNumber(exp) && exp > now - TOLERANCE,
    nbf: nbf === undefined || (isNumber(nbf) && nbf <= now + TOLERANCE),
    iat: isNumber(iat) && iat <= now + TOLERANCE && iat >= now - 600,
    nonce: given.nonce === null ? nonce === undefined : nonce === given.nonce,
    auth_time: maxAge === undefined || (isNumber(auth_time) && auth_time >= now - maxAge - TOLERANCE),
    acr: acrValues === undefined || (typeof acr === "string" && acrValues.includes(acr)),
    at_hash: at_hash === undefined || leftHalves(header.alg, given.accessToken).includes(at_hash),
  };
  return Object.entries(rules).find(([, holds]) => !holds)?.[0] ?? null;
}

// No text says which hash EdDSA has here.
function leftHalves(alg: unknown, accessToken: unknown): readonly unknown[] {
  const [, bits] = MAC.exec(String(alg)) ?? [];
  const { digest: hash } = bits ? { digest: `sha${bits}` } : ALGORITHMS[String(alg)] as Algorithm;
  return (hash ? [hash] : ["sha512", "sha256"]).map((name) => {
    const digest = createHash(name).update(String(accessToken)).digest();
    return digest.subarray(0, digest.length / 2).toString("base64url");
  });
}
