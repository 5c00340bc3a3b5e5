/**
 * Encryption keys, derived once for each secret and purpose.
 *
 * @module
 */
import { BoundedMap } from "../kernel/bounded_map.ts";
import { cbcHmacKey, gcmKey, type OpeningKey, type SealingKey } from "./content_encryption.ts";
import { toBase64Url, utf8 } from "./encoding.ts";

/** A key, and its name in the header of a token. */
export interface DerivedKey {
  /** 64 bytes for A256CBC-HS512, 32 for A256GCM. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The JWK thumbprint of the key (RFC 7638). */
  readonly kid: string;
}

/** The key that seals tokens, and the header of all its tokens. */
export interface TokenKey extends DerivedKey, SealingKey {
  /** The protected header, encoded. */
  readonly header: string;
}

/** Both keys of a secret for one purpose. */
export interface KeyPair {
  readonly "A256CBC-HS512": TokenKey;
  readonly A256GCM: DerivedKey & OpeningKey;
}

const cache = new BoundedMap<string, Promise<KeyPair>>(256);

/**
 * Derives the keys of a secret for one purpose (HKDF with SHA-256, RFC 5869).
 *
 * @param secret The secret.
 * @param salt The purpose: the name of the cookie that is sealed.
 * @returns The keys, which are cached.
 */
export function deriveKeys(secret: string, salt: string): Promise<KeyPair> {
  // The length keeps ("a", "bc") and ("ab", "c") apart.
  const name = `${salt.length}:${salt}${secret}`;
  let keys = cache.get(name);
  if (!keys) {
    keys = derive(secret, salt);
    cache.set(name, keys);
  }
  return keys;
}

/**
 * Derives a key with HKDF and SHA-256 (RFC 5869).
 *
 * @param secret The secret.
 * @param salt The salt.
 * @param info What the key is for.
 * @param bits The length of the key.
 */
export async function hkdf(
  secret: string,
  { salt, info, bits }: { readonly salt: string; readonly info: string; readonly bits: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const ikm = await crypto.subtle.importKey("raw", utf8(secret), "HKDF", false, ["deriveBits"]);
  const params = { name: "HKDF", hash: "SHA-256", salt: utf8(salt), info: utf8(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(params, ikm, bits));
}

async function derive(secret: string, salt: string): Promise<KeyPair> {
  // The same as in Auth.js, so that its cookies open here.
  const bytes = await hkdf(secret, { salt, info: `Auth.js Generated Encryption Key (${salt})`, bits: 512 });
  // The first 32 bytes are what HKDF returns for 256 bits, so one derivation is enough for both keys.
  const short = bytes.slice(0, 32);
  const [kid, shortKid, cbc, gcm] = await Promise.all([
    thumbprint(bytes, "SHA-512"),
    thumbprint(short, "SHA-256"),
    cbcHmacKey(bytes),
    gcmKey(short),
  ]);
  const header = toBase64Url(utf8(JSON.stringify({ alg: "dir", enc: "A256CBC-HS512", kid })));
  return { "A256CBC-HS512": { ...cbc, bytes, kid, header }, A256GCM: { ...gcm, bytes: short, kid: shortKid } };
}

async function thumbprint(key: Uint8Array<ArrayBuffer>, hash: "SHA-256" | "SHA-512"): Promise<string> {
  // RFC 7638 section 3.2: the required members of an `oct` key, in lexical order.
  const members = utf8(`{"k":"${toBase64Url(key)}","kty":"oct"}`);
  return toBase64Url(new Uint8Array(await crypto.subtle.digest(hash, members)));
}
