/**
 * What makes hashes of passwords.
 *
 * @module
 */
import type { Awaitable } from "../kernel/model.ts";

/** What became of a comparison. `weak`: it is the password, and its hash is to be made anew. */
export type HashVerdict = "no" | "yes" | "weak";

/** Makes hashes of passwords, and compares passwords with them. */
export interface PasswordHash {
  /** Makes the hash of a password, with a salt of its own. */
  make(text: string): Awaitable<string>;
  /** Compares a password with a stored hash. */
  verify(text: string, stored: string): Awaitable<HashVerdict>;
}
