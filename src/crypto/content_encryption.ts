/**
 * The two authenticated encryptions of session tokens: A256CBC-HS512, which is written and read, and A256GCM, which is
 * only read.
 *
 * @module
 */
import { type NodeCrypto, nodeCrypto } from "../kernel/runtime.ts";
import { type Bytes, type Cipher, nodeCipher, webCipher } from "./cipher.ts";
import { concat } from "./encoding.ts";

/** The parts of an encrypted text. */
export interface Sealed {
  readonly iv: Bytes;
  readonly ciphertext: Bytes;
  readonly tag: Bytes;
}

/** Decrypts with one key. */
export interface OpeningKey {
  /** Decrypts. `aad` is authenticated but not encrypted. Returns `null` if anything was changed. */
  decrypt(sealed: Sealed, aad: Bytes): Promise<Uint8Array | null>;
}

/** Encrypts and decrypts with one key. */
export interface SealingKey extends OpeningKey {
  /** Encrypts. `aad` is authenticated but not encrypted; `iv` may be used only once. */
  encrypt(plaintext: Bytes, aad: Uint8Array, iv: Bytes): Promise<Sealed>;
}

/** Bytes of an initialization vector of A256CBC-HS512. */
export const CBC_IV = 16;

/** Bytes of its tag: half of the HMAC. */
const CBC_TAG = 32;

/**
 * Makes a key of A256CBC-HS512: AES-CBC, then an HMAC over everything that is sent.
 *
 * @param bytes 64 bytes: the first half authenticates, the second encrypts.
 * @param findNodeCrypto Returns `node:crypto`. Asked for each token, because it may be loaded later.
 * @see {@link https://www.rfc-editor.org/rfc/rfc7518#section-5.2.2 | RFC 7518, section 5.2.2}
 */
export async function cbcHmacKey(
  bytes: Bytes,
  findNodeCrypto: () => NodeCrypto | null = nodeCrypto,
): Promise<SealingKey> {
  const [macKey, encryptionKey] = [bytes.subarray(0, 32), bytes.subarray(32)];
  const web = await webCipher(macKey, encryptionKey);
  let native: Cipher | undefined;
  const chooseCipher = (): Cipher => {
    const node = native ? null : findNodeCrypto();
    if (node) native = nodeCipher(node, macKey, encryptionKey);
    return native ?? web;
  };
  const tagOf = async (cipher: Cipher, aad: Uint8Array, iv: Uint8Array, ciphertext: Uint8Array): Promise<Bytes> => {
    const signature = await cipher.sign(signedBytes(aad, iv, ciphertext));
    return signature.subarray(0, CBC_TAG);
  };
  return {
    async encrypt(plaintext, aad, iv) {
      const cipher = chooseCipher();
      const ciphertext = await cipher.encrypt(plaintext, iv);
      return { iv, ciphertext, tag: await tagOf(cipher, aad, iv, ciphertext) };
    },
    async decrypt({ iv, ciphertext, tag }, aad) {
      const cipher = chooseCipher();
      // The tag is checked first: how a forged text is padded must not become visible.
      if (iv.length !== CBC_IV || !sameBytes(tag, await tagOf(cipher, aad, iv, ciphertext))) return null;
      return await orNull(async () => await cipher.decrypt(ciphertext, iv));
    },
  };
}

/**
 * Makes a key of A256GCM. No token is sealed with it here, but tokens that other software sealed open.
 *
 * @param bytes 32 bytes.
 * @see {@link https://www.rfc-editor.org/rfc/rfc7518#section-5.3 | RFC 7518, section 5.3}
 */
export async function gcmKey(bytes: Bytes): Promise<OpeningKey> {
  const aes = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["decrypt"]);
  return {
    async decrypt({ iv, ciphertext, tag }, additionalData) {
      if (iv.length !== 12 || tag.length !== 16) return null;
      const params = { name: "AES-GCM", iv, additionalData };
      return await orNull(async () => {
        return new Uint8Array(await crypto.subtle.decrypt(params, aes, concat(ciphertext, tag)));
      });
    },
  };
}

async function orNull(decrypt: () => Promise<Uint8Array>): Promise<Uint8Array | null> {
  try {
    return await decrypt();
  } catch {
    return null;
  }
}

/** What the tag authenticates: it ends with the number of bits of the additional data, as 64 bits in big-endian order. */
function signedBytes(aad: Uint8Array, iv: Uint8Array, ciphertext: Uint8Array): Bytes {
  const bytes = concat(aad, iv, ciphertext, ZEROS);
  new DataView(bytes.buffer).setUint32(bytes.length - 4, aad.length * 8);
  return bytes;
}

const ZEROS = new Uint8Array(8);

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}
