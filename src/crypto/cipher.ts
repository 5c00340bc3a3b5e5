/**
 * What session tokens are encrypted with: AES-256 in CBC mode and HMAC with SHA-512, by `node:crypto` or by WebCrypto.
 *
 * @module
 */
import type { Awaitable } from "../kernel/model.ts";
import type { NodeCrypto } from "../kernel/runtime.ts";
import { concat } from "./encoding.ts";

/** Bytes that WebCrypto accepts. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** HMAC with SHA-512, and AES-256 in CBC mode with PKCS #7 padding. Each has its own key, which is imported once. */
export interface Cipher {
  /** Returns the 64 bytes of the HMAC. */
  sign(data: Bytes): Awaitable<Bytes>;
  encrypt(plaintext: Bytes, iv: Bytes): Awaitable<Bytes>;
  /** Throws or rejects if the padding is wrong. */
  decrypt(ciphertext: Bytes, iv: Bytes): Awaitable<Bytes>;
}

/**
 * Uses `node:crypto`, which is synchronous. WebCrypto hands even a few hundred bytes to another thread, and waiting for it
 * takes many times longer than the work.
 */
export function nodeCipher(node: NodeCrypto, macKey: Bytes, encryptionKey: Bytes): Cipher {
  const [mac, aes] = [node.createSecretKey(macKey), node.createSecretKey(encryptionKey)];
  return {
    sign: (data) => node.createHmac("sha512", mac).update(data).digest(),
    encrypt(text, iv) {
      const cipher = node.createCipheriv("aes-256-cbc", aes, iv);
      return concat(cipher.update(text), cipher.final());
    },
    decrypt(text, iv) {
      const decipher = node.createDecipheriv("aes-256-cbc", aes, iv);
      return concat(decipher.update(text), decipher.final());
    },
  };
}

/** Uses WebCrypto, which every runtime has. */
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
