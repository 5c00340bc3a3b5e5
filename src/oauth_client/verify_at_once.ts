/**
 * Signatures of tokens by `node:crypto`, which works at once. WebCrypto imports each key and verifies each signature on
 * another thread, and waiting for it takes longer than the work.
 *
 * @module
 */
import { fromBase64Url, utf8 } from "../crypto/encoding.ts";
import { isDeno, type NodeCrypto, nodeCrypto, type NodeKey } from "../kernel/runtime.ts";
import type { IdToken } from "./id_token.ts";
import type { JsonObject } from "./json.ts";
import { isSignatureOf, readRsaKey, type RsaKey } from "./rsa_signature.ts";

/** How one algorithm verifies: the hash, and what `node:crypto` takes besides the key. */
interface Algorithm {
  /** The keys that it takes. */
  readonly of: { readonly kty: string; readonly crv?: string };
  readonly hash: string | null;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** `RSA_PKCS1_PSS_PADDING` of OpenSSL. */
const PSS = 6;

// Without those that take a millisecond or more: other requests would have to wait for it.
const ALGORITHMS: ReadonlyMap<unknown, Algorithm> = new Map<unknown, Algorithm>([
  ...[256, 384, 512].flatMap((bits): readonly [string, Algorithm][] => [
    [`RS${bits}`, { of: { kty: "RSA" }, hash: `sha${bits}` }],
    [`PS${bits}`, { of: { kty: "RSA" }, hash: `sha${bits}`, options: { padding: PSS, saltLength: bits / 8 } }],
  ]),
  ["ES256", { of: { kty: "EC", crv: "P-256" }, hash: "sha256", options: { dsaEncoding: "ieee-p1363" } }],
  ["Ed25519", { of: { kty: "OKP", crv: "Ed25519" }, hash: null }],
  ["EdDSA", { of: { kty: "OKP", crv: "Ed25519" }, hash: null }],
]);

/** The longest exponent of a key of RSA, in base64url: 4 bytes. Verifying takes time in proportion to it. */
const LONGEST_EXPONENT = 6;

/** Bits of a key of RSA: fewer are not safe, and more take long. */
const [SHORTEST_RSA, LONGEST_RSA] = [2048, 4096];

/** Keys of the same sort for the arithmetic of our own; `null` where it does not handle one. */
const rsaKeys = new WeakMap<JsonObject, RsaKey | null>();

// By the object that was read from the JWK Set. Nobody else has it, and it goes together with the set: no key is found
// for another issuer, or after its set was loaded again.
const keys = new WeakMap<JsonObject, NodeKey>();

/**
 * Whether a token was signed with a key of a JWK Set.
 *
 * @param jwks The keys of the issuer.
 * @param text The token: a compact JWS.
 * @param token What was read from it.
 * @param hasSlowRsa Whether `node:crypto` takes longer over RSA than arithmetic of our own.
 * @returns `false` also if this cannot tell, so that the protocol library has to.
 */
export function isVerifiedAtOnce(
  jwks: readonly JsonObject[],
  text: string,
  { header }: Pick<IdToken, "header">,
  node: NodeCrypto | null = nodeCrypto(),
  hasSlowRsa = isDeno(),
): boolean {
  const algorithm = ALGORITHMS.get(header.alg);
  if (!node || !algorithm || header.crit !== undefined || header.b64 !== undefined) return false;
  const [jwk, ...others] = jwks.filter((jwk) => fits(jwk, header, algorithm));
  if (!jwk || others.length > 0 || !isUsable(jwk)) return false;
  const end = text.lastIndexOf(".");
  try {
    const [signed, signature] = [text.slice(0, end), fromBase64Url(text.slice(end + 1))];
    const { hash, options } = algorithm;
    const rsaKey = hasSlowRsa && !options ? rsaKeyOf(jwk) : null;
    if (hash && rsaKey) return isSignatureOf({ hash, digest: node.hash(hash, signed, "hex") }, signature, rsaKey);
    return node.verify(hash, utf8(signed), { key: keyOf(node, jwk), ...options }, signature);
  } catch {
    return false; // a key that is malformed or not supported
  }
}

// As the protocol library chooses, so that a token does not have one key here and two there.
function fits({ kty, kid, alg, use, key_ops: uses, crv }: JsonObject, header: JsonObject, { of }: Algorithm): boolean {
  return kty === of.kty && (of.crv === undefined || crv === of.crv) &&
    (header.kid === undefined || kid === header.kid) &&
    (alg === undefined || alg === header.alg) && (use === undefined || use === "sig") &&
    !(Array.isArray(uses) && !uses.includes("verify"));
}

// Nothing is said here of a private key in public, of members that are malformed, or of a key that makes others wait.
function isUsable({ kty, d, e, key_ops: uses }: JsonObject): boolean {
  return d === undefined && (uses === undefined || Array.isArray(uses)) &&
    (kty !== "RSA" || (typeof e === "string" && e.length <= LONGEST_EXPONENT));
}

function keyOf(node: NodeCrypto, jwk: JsonObject): NodeKey {
  const known = keys.get(jwk);
  if (known) return known;
  const key = node.createPublicKey({ key: jwk, format: "jwk" });
  const { modulusLength: bits } = key.asymmetricKeyDetails ?? {};
  if (jwk.kty === "RSA" && !(bits !== undefined && bits >= SHORTEST_RSA && bits <= LONGEST_RSA)) {
    throw new RangeError("Cannot use a key of this length");
  }
  keys.set(jwk, key);
  return key;
}

function rsaKeyOf(jwk: JsonObject): RsaKey | null {
  const known = rsaKeys.get(jwk);
  if (known !== undefined) return known;
  const key = readRsaKey(jwk);
  rsaKeys.set(jwk, key);
  return key;
}
