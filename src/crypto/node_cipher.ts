/**
 * AES-CBC and HMAC by `node:crypto`, which works at once. WebCrypto hands even a few hundred bytes to another thread, and
 * waiting for it takes many times longer than the work.
 *
 * @module
 */
import type { NodeCrypto } from "../kernel/runtime.ts";
import type { Bytes, Cipher } from "./cipher.ts";
import { concat } from "./encoding.ts";

/** Imports the keys once: Node takes several times as long over a key that is given as bytes. */
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
