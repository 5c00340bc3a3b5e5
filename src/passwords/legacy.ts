/**
 * Hashes of passwords that other software has made. Whoever signs in with one gets a new hash.
 *
 * @module
 */
import { utf8 } from "../crypto/encoding.ts";
import type { PasswordHash } from "../hashing/password_hash.ts";
import { AdapterError } from "../kernel/errors.ts";
import type { Awaitable } from "../kernel/model.ts";

/** A format of other software. */
export interface LegacyHash {
  /** Its name, for the log. */
  readonly id: string;
  /** Whether a stored hash has this format. */
  matches(stored: string): boolean;
  /**
   * Compares a password with a stored hash that has this format.
   *
   * @throws {AdapterError} if the hash would cost too much to compute.
   */
  verify(text: string, stored: string): Awaitable<boolean>;
}

/** The most bytes of a password in UTF-8. */
const MOST_BYTES = 1024;

/**
 * Adds formats of other software to hashes. What matches one of them is `weak` or `no`. A password is tried as it was
 * typed, and in the form NFC if that differs: other software kept what the keyboard made.
 */
export function withLegacy(hash: PasswordHash, formats: readonly LegacyHash[]): PasswordHash {
  return {
    make: (text) => hash.make(text),
    async verify(text, stored) {
      const format = formats.find((format) => format.matches(stored));
      if (!format) return await hash.verify(text, stored);
      if (text.length > MOST_BYTES || utf8(text).length > MOST_BYTES) return "no";
      const composed = text.normalize("NFC");
      if (await format.verify(text, stored)) return "weak";
      return composed !== text && await format.verify(composed, stored) ? "weak" : "no";
    },
  };
}

/** The error for a hash that is not computed, because somebody has written a cost into it that would stall the service. */
export function tooCostly(format: string): AdapterError {
  return new AdapterError(`Cannot compare with a stored hash of ${format}: its cost is out of bounds`);
}
