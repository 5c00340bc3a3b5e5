/**
 * Whether the address of a user is verified, and what sessions and credentials from before may still do.
 *
 * @module
 */
import { isUnverified } from "../contract/adapter.ts";
import { hasVerifiedEmail } from "./proven.ts";
import type { AdapterAccount, AdapterUser } from "../kernel/model.ts";
import type { Storage } from "../storage/guard.ts";
import type { ActiveSession } from "../session_stores/session_store.ts";

/**
 * Whether only an account says that a provider confirmed the user's address, as the first release stored it: confirmed,
 * and not which address. Users of whom anything is stored since then are judged by that.
 */
export function isMarkedByAccount({ email_verified, email }: AdapterAccount): boolean {
  return email_verified === true && (email ?? null) === null;
}

/** Whether nothing is stored of whether the user's address is verified, so that an account may say it. */
export function isUnmarked(user: AdapterUser): boolean {
  return !hasVerifiedEmail(user) && (user.vouchedEmail ?? null) === null && !user.securityStamp;
}

/** Gives a user as they would be stored today, if the first release stored them. */
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
 * `false` where that is not known: of accounts that other software stored, and of users whom the application created. A
 * security stamp shows that a user was created here.
 */
export async function isHeldUnverified(storage: Storage, user: AdapterUser): Promise<boolean> {
  if (hasVerifiedEmail(user) || !storage.listAccountsByUserId) return false;
  const accounts = await storage.listAccountsByUserId(user.id);
  const isOurs = accounts.length > 0 || Boolean(user.securityStamp);
  return isOurs && accounts.every((account) => isUnverified(account, user.email));
}

/**
 * Whether a session may add an account or a passkey to its user: only one that is not older than the verification of the
 * address.
 *
 * A stored session has to be known to be younger, also where storage could not end those from before. A sealed session
 * cannot be deleted, so its claims have to show its age.
 */
export function mayAddAccount(active: ActiveSession, { emailVerified, securityStamp }: AdapterUser): boolean {
  if (active.strategy === "database") return active.isSinceProof;
  const { security_stamp, auth_time } = active.claims;
  if (securityStamp) return security_stamp === securityStamp;
  if (emailVerified === null) return true;
  return typeof auth_time === "number" && auth_time * 1000 >= emailVerified.getTime();
}

/**
 * Whether somebody else has verified the address since these credentials were last used. Credentials that were never used
 * may be as old as the user, so for them every verification counts.
 */
export function isVerifiedElsewhere(account: AdapterAccount | null, { id, securityStamp }: AdapterUser): boolean {
  // A user who was verified from the start has their own id as the stamp.
  const known = account ? account.security_stamp : securityStamp === id ? id : null;
  return (known ?? null) !== (securityStamp ?? null);
}
