/**
 * Hashes of passwords that other software has made, and a check of passwords that have leaked: for the options `legacy` and
 * `breached` of `password()`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { sqliteAdapter } from "@x/auth/adapters/sqlite";
 * import { django, haveIBeenPwned } from "@x/auth/passwords";
 * import { password } from "@x/auth/providers/password";
 *
 * const { handler } = createAuth({
 *   adapter: sqliteAdapter(":memory:"),
 *   mail: ({ to, subject }) => console.log(`To ${to}: ${subject}`),
 *   providers: [password({ legacy: [django()], breached: haveIBeenPwned() })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @module
 */
export { bcrypt, type BcryptLibrary } from "./passwords/bcrypt.ts";
export { betterAuthScrypt } from "./passwords/better_auth.ts";
export { django } from "./passwords/django.ts";
export { firebase, firebaseHash, type FirebaseOptions, type FirebaseUser } from "./passwords/firebase.ts";
export { haveIBeenPwned, type HaveIBeenPwnedOptions } from "./passwords/have_i_been_pwned.ts";
export type { BreachAnswer, BreachCheck, BreachRuntime } from "./passwords/breach.ts";
export type { LegacyHash } from "./passwords/legacy.ts";
export { ssha } from "./passwords/ssha.ts";
