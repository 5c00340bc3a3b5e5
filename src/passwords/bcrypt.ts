/**
 * Hashes of bcrypt, which Auth.js's tutorials, PHP, Ruby on Rails and many others store.
 *
 * @module
 */
import type { Awaitable } from "../kernel/model.ts";
import { type LegacyHash, tooCostly } from "./legacy.ts";

/** The part of a library for bcrypt that is used: `@node-rs/bcrypt`, `bcrypt` and `bcryptjs` have it. */
export interface BcryptLibrary {
  /** Compares a password with a hash. */
  compare(text: string, hash: string): Awaitable<boolean>;
}

const PATTERN = /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/;

/** The highest cost: each one more doubles the time, and this takes seconds. */
const MOST_COST = 15;

/** Hashes of bcrypt up to cost 15. No runtime has bcrypt, so its library is an argument. */
export function bcrypt(library: BcryptLibrary): LegacyHash {
  return {
    id: "bcrypt",
    matches: (stored) => PATTERN.test(stored),
    async verify(text, stored) {
      const [, cost] = PATTERN.exec(stored) ?? [];
      if (cost === undefined) return false;
      if (Number(cost) > MOST_COST) throw tooCostly("bcrypt");
      // PHP's name for the same algorithm, which not every library knows.
      return await library.compare(text, stored.replace(/^\$2y/, "$2b")) === true;
    },
  };
}
