/**
 * What is proven of a user, and what a session or a password from before the proof may still do.
 *
 * @module
 */
import { isUnproven } from "../contract/adapter.ts";
import type { AdapterAccount, AdapterUser } from "../kernel/model.ts";
import type { Storage } from "../config/storage.ts";
import type { ActiveSession } from "../stores/session_store.ts";

/** Whether it is proven, once and for all, that a user has their address. */
export function hasVerifiedEmail({ email, emailVerified, vouchedEmail }: AdapterUser): boolean {
  return emailVerified !== null || (typeof vouchedEmail === "string" && vouchedEmail === email);
}

/**
 * Whether everything that opens a user is known not to prove the address. Of accounts by other software nothing is known,
 * nor of users whom the application made; a stamp is only given to those who came here by a proof.
 */
export async function isHeldUnverified(storage: Storage, user: AdapterUser): Promise<boolean> {
  if (hasVerifiedEmail(user) || !storage.listAccountsByUserId) return false;
  const accounts = await storage.listAccountsByUserId(user.id);
  const isOurs = accounts.length > 0 || Boolean(user.securityStamp);
  return isOurs && accounts.every((account) => isUnproven(account, user.email));
}

/**
 * Whether a session may add what opens the user: whoever holds it signed in after the address was proven.
 *
 * A stored session of before is gone. A sealed one cannot be taken back, so it must show that it is none.
 */
export function mayAddAccount(active: ActiveSession, { emailVerified, securityStamp }: AdapterUser): boolean {
  if (active.strategy === "database") return true;
  const { security_stamp, auth_time } = active.claims;
  if (securityStamp) return security_stamp === securityStamp;
  if (emailVerified === null) return true;
  return typeof auth_time === "number" && auth_time * 1000 >= emailVerified.getTime();
}

/**
 * Whether the address was proven by somebody else since credentials opened the user. Credentials that have not opened them
 * yet may be as old as the user: they count as of before whatever happened since.
 */
export function isVerifiedElsewhere(account: AdapterAccount | null, { id, securityStamp }: AdapterUser): boolean {
  // A user who was proven from the start has the own id for a stamp.
  const known = account ? account.security_stamp : securityStamp === id ? id : null;
  return (known ?? null) !== (securityStamp ?? null);
}
