/**
 * AES-CBC and HMAC by WebCrypto, which every runtime has.
 *
 * @module
 */
import type { Bytes, Cipher } from "./cipher.ts";

/** Imports the keys once. To import two keys for each token would cost more than the encryption. */
export async function webCipher(macKey: Bytes, encryptionKey: Bytes): Promise<Cipher> {
  const [mac, aes] = await Promise.all([
    crypto.subtle.importKey("raw", macKey, { name: "HMAC", hash: "SHA-512" }, false, ["sign"]),
    crypto.subtle.importKey("raw", encryptionKey, "AES-CBC", false, ["encrypt", "decrypt"]),
  ]);
  return {
    sign: async (data) => new Uint8Array(await crypto.subtle.sign("HMAC", mac, data)),
    encrypt: async (text, iv) => new Uint8Array(await crypto.subtle.encrypt({ name: "AES-CBC", iv }, aes, text)),
    decrypt: async (text, iv) => new Uint8Array(await crypto.subtle.decrypt({ name: "AES-CBC", iv }, aes, text)),
  };
}
