/** Writes records into a key-value store without the adapter: many at once, or as former versions did. */
import type { AdapterAccount, AdapterAuthenticator, AdapterSession } from "../../../src/contract/adapter.ts";

/** A time in the future. */
export const LATER = new Date(Date.UTC(2100, 0, 1));

/** Changes in one atomic operation: below the limit of Deno KV. */
const AT_ONCE = 500;

/** Makes a session. */
export function session(userId: string, sessionToken: string): AdapterSession {
  return { userId, sessionToken, expires: LATER };
}

/** Makes an account. */
export function account(userId: string, providerAccountId: string, more: Partial<AdapterAccount> = {}): AdapterAccount {
  return { userId, provider: "idp", providerAccountId, type: "oidc", ...more };
}

/** Makes a credential. */
export function credential(userId: string, credentialID: string): AdapterAuthenticator {
  return {
    userId,
    credentialID,
    credentialPublicKey: "key",
    counter: 0,
    credentialDeviceType: "multiDevice",
    credentialBackedUp: true,
    providerAccountId: credentialID,
  };
}

/** How many records of each kind. */
export interface Amount {
  readonly sessions: number;
  readonly credentials: number;
  readonly accounts: number;
}

/** Makes records of a user, each with its key and the key of its index entry. */
function* rowsOf(userId: string, { sessions, credentials, accounts }: Amount) {
  for (let i = 0; i < sessions; i++) yield [["session", `s-${i}`], session(userId, `s-${i}`)] as const;
  for (let i = 0; i < credentials; i++) yield [["credential", `c-${i}`], credential(userId, `c-${i}`)] as const;
  for (let i = 0; i < accounts; i++) {
    yield [["account", "idp", `a-${i}`], account(userId, `a-${i}`, { email_verified: false })] as const;
  }
}

/** Writes a user as former versions did. */
export async function writeOldUser(kv: Deno.Kv, id: string, email: string): Promise<void> {
  const user = { id, email, emailVerified: null };
  await kv.atomic().set(["auth", "user", id], user).set(["auth", "user_by_email", email], id)
    .set(["auth", "roster", id], true).commit();
}

/** Writes records of a user, with stamps if the user has epochs. */
export async function writeRows(kv: Deno.Kv, userId: string, amount: Amount): Promise<void> {
  const { value } = await kv.get<[unknown, { life: string; epoch: number }]>(["auth", "user", userId]);
  const stamp = Array.isArray(value) ? { life: value[1].life, epoch: value[1].epoch } : null;
  let atomic = kv.atomic();
  let count = 0;
  for (const [[kind, ...id], row] of rowsOf(userId, amount)) {
    atomic.set(["auth", kind, ...id], stamp ? [row, stamp] : row);
    atomic.set(["auth", `${kind}_by_user`, userId, ...id], true);
    if (++count % (AT_ONCE / 2) !== 0) continue;
    await atomic.commit();
    atomic = kv.atomic();
  }
  if (stamp) atomic.set(["auth", "credential_count", userId], { ...stamp, count: amount.credentials });
  await atomic.commit();
}
