/**
 * The two authenticated encryptions that session tokens of this family use.
 *
 * Composed of what the platform has, with keys imported once: a library that takes raw bytes imports two keys for every
 * token, which costs more than the encryption.
 *
 * @module
 */

import { type NodeCrypto, nodeCrypto } from "../kernel/runtime.ts";

/** The parts of an encrypted text. */
export interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
  readonly tag: Uint8Array<ArrayBuffer>;
}

/** Decrypts with one key. */
export interface OpeningKey {
  /** Decrypts; `null` if anything was changed. `aad` is what is authenticated and stays readable. */
  decrypt(sealed: Sealed, aad: Uint8Array<ArrayBuffer>): Promise<Uint8Array | null>;
}

/** Encrypts with one key, too. */
export interface SealingKey extends OpeningKey {
  /** Encrypts. */
  encrypt(plaintext: Uint8Array<ArrayBuffer>, aad: Uint8Array, iv: Uint8Array<ArrayBuffer>): Promise<Sealed>;
}

/** Bytes of an initialization vector of A256CBC-HS512. */
export const CBC_IV = 16;

const TAG = 32;

/**
 * A256CBC-HS512: AES-CBC, then an HMAC over all that is sent.
 *
 * @param bytes 64 bytes: the first half authenticates, the second encrypts.
 * @param synchronous Where to find `node:crypto`; without it WebCrypto does the work.
 * @see {@link https://www.rfc-editor.org/rfc/rfc7518#section-5.2.2 | RFC 7518, section 5.2.2}
 */
export async function cbcHmacKey(
  bytes: Uint8Array<ArrayBuffer>,
  synchronous: () => NodeCrypto | null = nodeCrypto,
): Promise<SealingKey> {
  const [macBytes, aesBytes] = [bytes.subarray(0, 32), bytes.subarray(32)];
  const [mac, aes] = await Promise.all([
    crypto.subtle.importKey("raw", macBytes, { name: "HMAC", hash: "SHA-512" }, false, ["sign"]),
    crypto.subtle.importKey("raw", aesBytes, "AES-CBC", false, ["encrypt", "decrypt"]),
  ]);
  const tagOf = async (aad: Uint8Array, iv: Uint8Array, ciphertext: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => {
    const signed = concat(aad, iv, ciphertext, bitLength(aad));
    const signature = synchronous()?.createHmac("sha512", macBytes).update(signed).digest() ??
      new Uint8Array(await crypto.subtle.sign("HMAC", mac, signed));
    return signature.subarray(0, TAG);
  };
  return {
    async encrypt(plaintext, aad, iv) {
      const cipher = synchronous()?.createCipheriv("aes-256-cbc", aesBytes, iv);
      const ciphertext = cipher
        ? concat(cipher.update(plaintext), cipher.final())
        : new Uint8Array(await crypto.subtle.encrypt({ name: "AES-CBC", iv }, aes, plaintext));
      return { iv, ciphertext, tag: await tagOf(aad, iv, ciphertext) };
    },
    async decrypt({ iv, ciphertext, tag }, aad) {
      // Authenticated first: what the padding of a forged text does must not be seen.
      if (iv.length !== CBC_IV || !sameBytes(tag, await tagOf(aad, iv, ciphertext))) return null;
      return await orNull(async () => {
        const decipher = synchronous()?.createDecipheriv("aes-256-cbc", aesBytes, iv);
        if (decipher) return concat(decipher.update(ciphertext), decipher.final());
        return new Uint8Array(await crypto.subtle.decrypt({ name: "AES-CBC", iv }, aes, ciphertext));
      });
    },
  };
}

/**
 * A256GCM. Nothing is made with it here, but tokens made elsewhere open.
 *
 * @param bytes 32 bytes.
 * @see {@link https://www.rfc-editor.org/rfc/rfc7518#section-5.3 | RFC 7518, section 5.3}
 */
export async function gcmKey(bytes: Uint8Array<ArrayBuffer>): Promise<OpeningKey> {
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

// The number of bits of the additional data, as 64 bits, the highest first.
function bitLength(aad: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setUint32(4, aad.length * 8);
  return bytes;
}

function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}
