/**
 * The key with which `next-auth` version 4 seals sessions.
 *
 * @module
 */
import { gcmKey, type OpeningKey } from "./content_encryption.ts";
import { hkdf } from "./keys.ts";

/** Derives the key from the secret of `next-auth`. */
export async function nextAuthKey(secret: string): Promise<OpeningKey> {
  return await gcmKey(await hkdf(secret, { salt: "", info: "NextAuth.js Generated Encryption Key", bits: 256 }));
}
