/**
 * What a session token is encrypted with, by whichever cryptography the runtime offers.
 *
 * @module
 */
import type { Awaitable } from "../kernel/model.ts";

/** Bytes that WebCrypto accepts. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** HMAC with SHA-512, and AES-256 in CBC mode with PKCS #7 padding, each with a key of its own. */
export interface Cipher {
  /** Returns the 64 bytes of the HMAC. */
  sign(data: Bytes): Awaitable<Bytes>;
  encrypt(plaintext: Bytes, iv: Bytes): Awaitable<Bytes>;
  /** Throws or rejects if the padding is wrong. */
  decrypt(ciphertext: Bytes, iv: Bytes): Awaitable<Bytes>;
}
