/**
 * RSASSA-PKCS1-v1_5 with the integers of the language, for runtimes whose own cryptography takes many times as long. All
 * numbers here are public, so it does not matter which of them take longer.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc8017#section-8.2.2 | RFC 8017, section 8.2.2}
 */
import { fromBase64Url, isCanonicalBase64Url, toHex } from "../crypto/encoding.ts";
import type { JsonObject } from "./json.ts";

/** A public key with the exponent 65537. */
export interface RsaKey {
  readonly modulus: bigint;
  /** Bytes of the modulus, and of each signature. */
  readonly size: number;
}

/** Bytes of a modulus: fewer are not safe, and more take long. */
const [SMALLEST, LARGEST] = [256, 512];

/** 65537 in base64url. */
const EXPONENT = "AQAB";

/** Reads a public JWK. @returns `null` for one that this file does not handle. */
export function readRsaKey({ kty, n, e }: JsonObject): RsaKey | null {
  if (kty !== "RSA" || e !== EXPONENT || typeof n !== "string" || !isCanonicalBase64Url(n)) return null;
  const bytes = fromBase64Url(n);
  const [first = 0] = bytes;
  const [last = 0] = bytes.subarray(-1);
  const isWhole = first >= 0x80 && last % 2 === 1 && bytes.length >= SMALLEST && bytes.length <= LARGEST;
  return isWhole ? { modulus: toInteger(bytes), size: bytes.length } : null;
}

/** What stands before the digest: DER of a `DigestInfo` (RFC 8017, section 9.2, note 1), in hex. */
const DIGEST_INFO: ReadonlyMap<string, string> = new Map([
  ["sha256", "3031300d060960864801650304020105000420"],
  ["sha384", "3041300d060960864801650304020205000430"],
  ["sha512", "3051300d060960864801650304020305000440"],
]);

/**
 * Whether a signature is that of a digest.
 *
 * @param hash The hash, as `node:crypto` names it.
 * @param digest The digest of what was signed, in hex.
 */
export function isSignatureOf(
  { hash, digest }: { readonly hash: string; readonly digest: string },
  signature: Uint8Array,
  { modulus, size }: RsaKey,
): boolean {
  const info = DIGEST_INFO.get(hash);
  if (info === undefined || signature.length !== size) return false;
  const signed = toInteger(signature);
  if (signed >= modulus) return false;
  let power = signed;
  for (let squared = 0; squared < 16; squared++) power = power * power % modulus;
  power = power * signed % modulus;
  // The whole text is made and compared. Whoever looks for the digest in it can be shown one in the wrong place.
  const rest = `00${info}${digest}`;
  return power === BigInt(`0x0001${rest.padStart(2 * size - 4, "f")}`);
}

function toInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(bytes)}`);
}
