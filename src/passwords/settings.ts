/**
 * What is chosen for passwords: as a developer writes it, and with every default written in.
 *
 * @module
 */
import type { CommonOptions, CredentialField, CredentialsProvider } from "../contract/provider.ts";
import type { PasswordHash } from "../hashing/password_hash.ts";
import type { Awaitable } from "../kernel/model.ts";
import type { BreachCheck } from "./breach.ts";
import type { LegacyHash } from "./legacy.ts";

/** Who may choose a password: everybody, who has one already, or only users whom the application has stored. */
export type SignUp = boolean | "invited";

/** The fewest and the most characters of a password. */
export interface PasswordLengthOptions {
  /** The fewest, from 8. @default 15, or 8 where `secondFactor({ require: "always" })` is listed */
  readonly min?: number | undefined;
  /** The most, from 64 to 256. @default {256} */
  readonly max?: number | undefined;
}

/**
 * Hashes of passwords in a table of your own, instead of records of the adapter.
 *
 * A record knows which address its password was chosen for, and it is written together with the user. A table of your own
 * does not: where your code gives a user another address, it has to remove the password.
 */
export interface PasswordStore {
  /** Gives the hash of a user. @returns `null` if there is none, also for an id that nobody has, whatever it looks like. */
  get(userId: string): Awaitable<string | null>;
  /**
   * Stores the hash of a user in place of the former one.
   *
   * @param former With it, the hash is stored only if this one is still there: `update … where hash = former`. So a better
   * hash of an old password never replaces a new password.
   */
  set(userId: string, hash: string, former?: string): Awaitable<unknown>;
  /** Removes the hash of a user, if there is one. */
  remove(userId: string): Awaitable<unknown>;
}

/** What differs between services with passwords. */
export interface PasswordRules {
  /**
   * Who may choose a password. `true`: everybody, who registers with an address and opens the link that is sent there.
   * `"invited"`: only users whom your application has stored, with the link of a reset. `false`: only who has one, for the
   * address that they have now.
   *
   * @default {true}
   */
  readonly signUp?: SignUp | undefined;
  /** How long passwords are, in characters. Nothing else is asked of what they are made of. */
  readonly length?: PasswordLengthOptions | undefined;
  /**
   * Asks whether a new password has leaked, such as `haveIBeenPwned()` of `@x/auth/passwords`. The 10,000 most used ones are
   * refused in any case.
   *
   * @default nobody is asked
   */
  readonly breached?: BreachCheck | undefined;
  /**
   * Makes and compares hashes, for example with a faster library.
   *
   * @default Argon2id with 19 MiB and 2 passes; where the runtime does not have it, scrypt with N = 2^14, r = 8 and p = 5
   */
  readonly hash?: PasswordHash | undefined;
  /**
   * Formats of hashes that other software has made, such as `bcrypt(library)` of `@x/auth/passwords`. Whoever signs in with
   * one gets a new hash.
   *
   * @default {[]}
   */
  readonly legacy?: readonly LegacyHash[] | undefined;
  /** How many hashes are computed at once, from 1 to 64. Others wait. @default two for each core, at most 4 */
  readonly concurrency?: number | undefined;
  /** Where hashes are, if not in records of the adapter. */
  readonly store?: PasswordStore | undefined;
}

/** Options of `password()`. */
export interface PasswordOptions extends Omit<CommonOptions<"password">, "id">, PasswordRules {}

/** The inputs of the form. */
export type PasswordField = "email" | "password";

/** Signs people in with an address and a password. */
export interface PasswordProvider extends CredentialsProvider<"password", PasswordField>, PasswordRules {
  /** The inputs of the form. */
  credentials: Readonly<Record<PasswordField, CredentialField>>;
  /** The developer's options. They override the members beside them. */
  options?: PasswordOptions | undefined;
}

/** What was chosen, with every default written in. */
export interface PasswordSettings {
  readonly signUp: SignUp;
  /** In characters, as code points. */
  readonly length: { readonly min: number; readonly max: number };
  readonly breached: BreachCheck | null;
  /** `null` for the built-in one. */
  readonly hash: PasswordHash | null;
  readonly legacy: readonly LegacyHash[];
  /** `null` for the default, which depends on the processor. */
  readonly concurrency: number | null;
  /** `null`: they are records of the adapter. */
  readonly store: PasswordStore | null;
}

/** Marks what `password()` makes. Options of a developer cannot: they are merged by their names. */
const PASSWORDS: unique symbol = Symbol("passwords");

/** Marks a provider as one of passwords that are checked here. */
export function markPasswords<P extends object>(provider: P): P {
  return { ...provider, [PASSWORDS]: true };
}

/** Whether a provider is one of passwords that are checked here. */
export function isPasswordProvider(provider: object): provider is PasswordProvider {
  return PASSWORDS in provider;
}
