/**
 * Password hashes of Better Auth.
 *
 * @module
 */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** A password, and the hash it is compared with. */
export interface PasswordCheck {
  /** The hash: the salt and the key in hex, with a colon in between. */
  readonly hash: string;
  /** What was typed. */
  readonly password: string;
}

const COST = 16384;
const BLOCK_SIZE = 16;
const KEY_LENGTH = 64;

/** Twice what scrypt takes with these parameters. */
const MEMORY = 2 * 128 * COST * BLOCK_SIZE;

/**
 * Verifies a password against a hash of Better Auth: scrypt with N = 16384, r = 16, p = 1 and a key of 64 bytes.
 *
 * @returns Whether it is the password; `false` for a malformed hash.
 * @see {@link https://www.rfc-editor.org/rfc/rfc7914 | RFC 7914}
 */
export async function verifyPassword({ hash, password }: PasswordCheck): Promise<boolean> {
  const [, salt = "", hex = ""] = /^([^:]+):([0-9a-f]{128})$/i.exec(hash) ?? [];
  if (hex === "") return false;
  return timingSafeEqual(await deriveKey(password, salt), hexBytes(hex));
}

/** A hash that no password has. Verifying against it takes as long as against any other. */
export function unmatchableHash(): string {
  return `${randomBytes(16).toString("hex")}:${randomBytes(KEY_LENGTH).toString("hex")}`;
}

function deriveKey(password: string, salt: string): Promise<Uint8Array> {
  const options = { N: COST, r: BLOCK_SIZE, p: 1, maxmem: MEMORY };
  return new Promise((resolve, reject) => {
    // The salt is the text itself, not the bytes that its hex stands for.
    scrypt(password.normalize("NFKC"), salt, KEY_LENGTH, options, (error, key) => error ? reject(error) : resolve(key));
  });
}

function hexBytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
