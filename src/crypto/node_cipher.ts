/**
 * AES-CBC and HMAC by `node:crypto`, which works at once. WebCrypto hands even a few hundred bytes to another thread, and
 * waiting for it takes many times longer than the work.
 *
 * @module
 */
import type { NodeCrypto, NodeHash } from "../kernel/runtime.ts";
import type { Bytes, Cipher } from "./cipher.ts";
import { concat } from "./encoding.ts";

/** Imports the keys once: Node takes several times as long over a key that is given as bytes. */
export function nodeCipher(node: NodeCrypto, macKey: Bytes, encryptionKey: Bytes): Cipher {
  const aes = node.createSecretKey(encryptionKey);
  return {
    sign: hmacSha512(node, macKey),
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

/** Bytes that SHA-512 takes in at a time. */
const BLOCK = 128;

/**
 * HMAC with SHA-512, from two hashes that have taken the key in: with `createHmac()` Deno takes twice as long.
 *
 * @param key At most {@linkcode BLOCK} bytes.
 * @see {@link https://www.rfc-editor.org/rfc/rfc2104#section-4 | RFC 2104, section 4}
 */
function hmacSha512(node: NodeCrypto, key: Bytes): Cipher["sign"] {
  const keyed = (padding: number): NodeHash => {
    const block = new Uint8Array(BLOCK);
    block.set(key);
    return node.createHash("sha512").update(block.map((byte) => byte ^ padding));
  };
  const [inner, outer] = [keyed(0x36), keyed(0x5c)];
  return (data) => outer.copy().update(inner.copy().update(data).digest()).digest();
}
