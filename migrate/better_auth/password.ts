/**
 * Password hashes of Better Auth.
 *
 * @module
 */
import { randomHex } from "../../src/crypto/random.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { betterAuthScrypt } from "../../src/passwords/better_auth.ts";

/** A password, and the hash it is compared with. */
export interface PasswordCheck {
  /** The hash: the salt and the key in hex, with a colon in between. */
  readonly hash: string;
  /** What was typed. */
  readonly password: string;
}

/**
 * Verifies a password against a hash of Better Auth: scrypt with N = 16384, r = 16, p = 1 and a key of 64 bytes.
 *
 * @returns Whether it is the password; `false` for a malformed hash.
 * @see {@link https://www.rfc-editor.org/rfc/rfc7914 | RFC 7914}
 */
export async function verifyPassword({ hash, password }: PasswordCheck): Promise<boolean> {
  return await betterAuthScrypt().verify(password, hash);
}

/** A hash that no password has. Verifying against it takes as long as against any other. */
export function unmatchableHash(): string {
  return `${randomHex(systemRuntime, 16)}:${randomHex(systemRuntime, 64)}`;
}
