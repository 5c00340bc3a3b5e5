/**
 * Keyed hashes: storage holds no address, no account and no network, only what nobody can compute without the secret.
 *
 * @module
 */
import { toBase64Url, utf8 } from "../crypto/encoding.ts";
import { hkdf } from "../crypto/keys.ts";
import { BoundedMap } from "../kernel/bounded_map.ts";

const ALGORITHM = { name: "HMAC", hash: "SHA-256" };

const keys = new BoundedMap<string, Promise<CryptoKey>>(64);

function keyOf(secret: string): Promise<CryptoKey> {
  let key = keys.get(secret);
  if (!key) {
    key = hkdf(secret, { salt: "", info: "limits", bits: 256 }).then((bytes) => {
      return crypto.subtle.importKey("raw", bytes, ALGORITHM, false, ["sign"]);
    });
    keys.set(secret, key);
  }
  return key;
}

/** Characters of a hash: 128 bits. */
const LENGTH = 22;

/** Hashes a text with a secret. */
export async function keyedHash(secret: string, text: string): Promise<string> {
  const signature = await crypto.subtle.sign(ALGORITHM.name, await keyOf(secret), utf8(text));
  return toBase64Url(new Uint8Array(signature)).slice(0, LENGTH);
}

/**
 * Names an account by what somebody types to be it: an address, or a name. Spellings that people take for the same are the
 * same.
 *
 * @param secrets Newest first.
 * @returns A hash for each secret.
 */
export async function accountIds(secrets: readonly string[], typed: string): Promise<readonly string[]> {
  return await hashesOf(secrets, `account:${typed.normalize("NFKC").trim().toLowerCase()}`);
}

/**
 * Names a user by their id. No account has the same name, whatever somebody types.
 *
 * @param secrets Newest first.
 * @returns A hash for each secret.
 */
export async function userIds(secrets: readonly string[], id: string): Promise<readonly string[]> {
  return await hashesOf(secrets, `user:${id}`);
}

async function hashesOf(secrets: readonly string[], text: string): Promise<readonly string[]> {
  return await Promise.all(secrets.map((secret) => keyedHash(secret, text)));
}
