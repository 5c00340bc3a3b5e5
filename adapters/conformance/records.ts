/**
 * Records for the cases.
 *
 * @module
 */
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from "../../src/contract/adapter.ts";

/** A time in the future, exact to the millisecond. */
export const LATER: Date = new Date(Date.UTC(2100, 10, 12, 13, 14, 15, 167));

/** A time in the future, before {@linkcode LATER}. */
export const SOONER: Date = new Date(LATER.getTime() - 86_400_001);

/** A time in the past. What ended then may be gone as soon as something else is stored. */
export const EARLIER: Date = new Date(Date.UTC(2001, 1, 3, 4, 5, 6, 78));

/** Ids that are different. */
export const LOOKALIKES: readonly (readonly [id: string, other: string, difference: string])[] = [
  ["ada", "Ada", "case"],
  ["ada", "ada ", "a space at the end"],
  ["ada", " ada", "a space at the beginning"],
  ["1", "01", "a zero"],
  ["1", "1.0", "the way a number is written"],
  ["a_a", "aba", "a wildcard"],
  ["a%", "ab", "another wildcard"],
  ["\u00e9", "e\u0301", "composition"],
  ["\u{1f600}", "\u{1f601}", "the second half of a surrogate pair"],
  ["\u00df", "ss", "folding"],
  ["x".repeat(255), "x".repeat(256), "the 256th character"],
];

/** Makes a user with a name, an address and an id of that name. */
export function user(name: string, others: Partial<AdapterUser> = {}): AdapterUser {
  return { id: `id-of-${name}`, name, email: `${name}@example.com`, emailVerified: null, image: null, ...others };
}

/** Makes a user without an address. The type requires one, but not every provider has one. */
export function userWithoutAddress(name: string): AdapterUser {
  // Such users exist, although the type says otherwise.
  return { ...user(name), email: null } as unknown as AdapterUser;
}

export function account(
  userId: string,
  providerAccountId: string,
  others: Partial<AdapterAccount> = {},
): AdapterAccount {
  return { userId, provider: "idp", providerAccountId, type: "oidc", ...others };
}

export function session(userId: string, sessionToken: string, expires: Date = LATER): AdapterSession {
  return { userId, sessionToken, expires };
}

export function token(identifier: string, hash: string, expires: Date = LATER): VerificationToken {
  return { identifier, token: hash, expires };
}

export function authenticator(
  userId: string,
  credentialID: string,
  others: Partial<AdapterAuthenticator> = {},
): AdapterAuthenticator {
  return {
    userId,
    credentialID,
    credentialPublicKey: "pQECAyYgASFYIA+/==",
    counter: 0,
    credentialDeviceType: "multiDevice",
    credentialBackedUp: true,
    transports: "internal,hybrid",
    providerAccountId: credentialID,
    ...others,
  };
}
