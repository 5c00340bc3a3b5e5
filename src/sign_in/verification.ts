/**
 * Whether the address of a user is verified, and what older sessions and credentials may still do afterwards.
 *
 * @module
 */
import { isUnverified } from "../contract/adapter.ts";
import { comparableEmail } from "../kernel/address.ts";
import type { AdapterAccount, AdapterUser, User } from "../kernel/model.ts";
import { authenticationOf } from "../session_stores/authentication.ts";
import type { ActiveSession } from "../session_stores/session_store.ts";
import type { Storage } from "../storage/guard.ts";
import type { OAuthAttempt, SignInAttempt } from "./attempt.ts";
import { hasVerifiedEmail, noteProof } from "./proven.ts";

/** The address of a user as it is stored: normalized, or unchanged if it is not a valid address. */
export function storedEmail({ email }: User): string | null {
  return email ? comparableEmail(email) ?? email : null;
}

/** Whether a provider confirms this address. One that confirms another address says nothing about this user's. */
export function confirmsEmail({ linking, user }: OAuthAttempt, email: string | null | undefined): boolean {
  const address = storedEmail(user);
  return linking.vouches && address !== null && address === email;
}

/**
 * Returns a user for callbacks, after noting whether the sign-in proves the address.
 *
 * @param isStored Whether the user is a row, whose own marks count too. Those of a user that `profile` returned do not:
 * a provider cannot prove an address by a member of the profile.
 */
export function handedOver<U extends User>(attempt: SignInAttempt, user: U, isStored: boolean): U {
  const isProven = proves(attempt, user);
  if (isProven || (attempt.method === "oauth" && !isStored)) noteProof(user, isProven);
  return user;
}

function proves(attempt: SignInAttempt, user: User): boolean {
  const email = storedEmail(user);
  if (attempt.method === "oauth") return confirmsEmail(attempt, email);
  return attempt.method === "email" && email === storedEmail({ email: attempt.token.identifier });
}

/**
 * Whether an account says that a provider confirmed the user's address, but not which address: the mark of the first
 * release. It counts only for users without a newer mark.
 */
export function isMarkedByAccount({ email_verified, email }: AdapterAccount): boolean {
  return email_verified === true && (email ?? null) === null;
}

/** Whether a user has no mark that says whether the address is verified, so that the mark of an account counts. */
export function isUnmarked(user: AdapterUser): boolean {
  return !hasVerifiedEmail(user) && (user.vouchedEmail ?? null) === null && !user.securityStamp;
}

/** Gives a user that the first release stored the mark that would be stored today. */
export async function withMark(storage: Storage, user: AdapterUser | null): Promise<AdapterUser | null> {
  if (!user || !storage.commit || !storage.listAccountsByUserId || !isUnmarked(user)) return user;
  const accounts = await storage.listAccountsByUserId(user.id);
  // `authorize` may have changed the address since, and an account that was not confirmed may have been there first.
  const isDoubtful = ({ type, ...account }: AdapterAccount): boolean => {
    return type === "credentials" || (type !== "webauthn" && isUnverified({ type, ...account }, user.email));
  };
  const isCertain = accounts.some(isMarkedByAccount) && !accounts.some(isDoubtful);
  return isCertain ? { ...user, vouchedEmail: user.email } : user;
}

/**
 * Whether the user holds an address that no account of theirs verifies.
 *
 * `false` where that is unknown: for accounts that other software stored, and for users that the application created. A
 * security stamp shows that this library created the user.
 */
export async function isHeldUnverified(storage: Storage, user: AdapterUser): Promise<boolean> {
  if (hasVerifiedEmail(user) || !storage.listAccountsByUserId) return false;
  const accounts = await storage.listAccountsByUserId(user.id);
  const isOurs = accounts.length > 0 || Boolean(user.securityStamp);
  return isOurs && accounts.every((account) => isUnverified(account, user.email));
}

/**
 * Whether a session may add an account or a passkey to its user: only if it began after the address was verified.
 *
 * A stored session has to be known to be younger, also where storage could not end the older ones. A sealed session cannot
 * be deleted, so its claims have to show its age.
 */
export function mayAddAccount(active: ActiveSession, { emailVerified, securityStamp }: AdapterUser): boolean {
  if (active.strategy === "database") return active.isSinceProof;
  const { security_stamp } = active.claims;
  if (securityStamp) return security_stamp === securityStamp;
  if (emailVerified === null) return true;
  const { time } = authenticationOf(active);
  return time !== undefined && time * 1000 >= emailVerified.getTime();
}

/**
 * Whether another person has verified the address since these credentials were last used. Credentials that were never
 * used may be as old as the user, so for them every verification counts.
 */
export function isVerifiedElsewhere(account: AdapterAccount | null, { id, securityStamp }: AdapterUser): boolean {
  // A user who was verified from the start has their own id as the stamp.
  const known = account ? account.security_stamp : securityStamp === id ? id : null;
  return (known ?? null) !== (securityStamp ?? null);
}
