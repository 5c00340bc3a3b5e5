/**
 * Whether the address of a user is proven to be theirs.
 *
 * @module
 */
import type { AdapterUser, User } from "../kernel/model.ts";
import { isDate } from "../kernel/objects.ts";

/** Whether the address of a stored user is verified: by a link, or by a provider that confirmed this very address. */
export function hasVerifiedEmail({ email, emailVerified, vouchedEmail }: AdapterUser): boolean {
  return emailVerified !== null || (typeof vouchedEmail === "string" && vouchedEmail === email);
}

/** The proven address, or `null`, of each user that a sign-in gave to a callback: rows do not hold all of it. */
const found = new WeakMap<object, string | null>();

/** Notes whether a sign-in has proven the address of a user. The members of the user do not count then. */
export function noteProof(user: User, isProven: boolean): void {
  found.set(user, isProven ? user.email ?? null : null);
}

/**
 * Whether the address of a user is proven to be theirs: by a link or a code that was sent there, or by a provider that
 * vouches for this very address. **Ask it before an address decides anything**, such as a role: anybody can become a user
 * with another person's address, for example by registering a passkey.
 *
 * Ask it of the `user` that a callback or an event is given, or that an adapter returns, not of a copy. Without an adapter,
 * and with adapters of others, which cannot store that a provider has vouched, it is known at the sign-in only: keep the
 * answer in the claims of the session. Of a user whom `authorize` returned, `emailVerified` says it: a date.
 *
 * @example Usage
 * ```ts
 * import { createAuth, isEmailProven } from "@x/auth";
 * import { google } from "@x/auth/providers/google";
 *
 * const ADMINS = new Set(["ada@example.com"]);
 *
 * createAuth({
 *   providers: [google()],
 *   callbacks: {
 *     jwt: ({ token, user }) => {
 *       return user ? { ...token, isAdmin: isEmailProven(user) && ADMINS.has(user.email ?? "") } : token;
 *     },
 *   },
 * });
 * ```
 *
 * @param user The user. `null` and `undefined` have no proven address.
 * @returns Whether the address is proven. `false` where it is unknown.
 */
export function isEmailProven(user: User | null | undefined): boolean {
  if (typeof user !== "object" || user === null || typeof user.email !== "string" || user.email === "") return false;
  const noted = found.get(user);
  if (noted !== undefined) return noted === user.email;
  const { emailVerified } = user as Partial<AdapterUser>;
  const isValid = isDate(emailVerified) && !Number.isNaN(emailVerified.getTime());
  return hasVerifiedEmail({ ...user, emailVerified: isValid ? emailVerified : null } as AdapterUser);
}
