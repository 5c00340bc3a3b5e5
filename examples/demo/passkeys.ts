/**
 * What somebody may do with their passkeys: name them, and remove all but the last way in.
 *
 * @module
 */
import type { AdapterAccount, AdapterAuthenticator, AdapterUser, CompleteAdapter } from "@x/auth";

/** A passkey. The name is a member of our own: storage keeps what it does not know. */
export interface Passkey extends AdapterAuthenticator {
  readonly name?: string;
}

/** What is stored about somebody's ways in. */
export interface WaysIn {
  readonly user: AdapterUser | null;
  readonly accounts: readonly AdapterAccount[];
  readonly passkeys: readonly Passkey[];
}

/** What is to be done with a passkey. */
export interface PasskeyChange {
  /** Who asks. */
  readonly userId: string;
  /** Id of the passkey, as the form says. */
  readonly credentialID: string;
  /** Its new name; `null` to remove it. */
  readonly name: string | null;
}

/** What became of a change. Somebody else's passkey is as unknown as one that does not exist. */
export type ChangeResult = "done" | "unknown" | "last";

const LONGEST_NAME = 60;

/** Reads by what somebody can sign in. */
export async function waysIn(adapter: CompleteAdapter, userId: string): Promise<WaysIn> {
  const [user, accounts, passkeys] = await Promise.all([
    adapter.getUser(userId),
    adapter.listAccountsByUserId(userId),
    adapter.listAuthenticatorsByUserId(userId),
  ]);
  return { user, accounts, passkeys };
}

/** Whether one way can be taken away and another is left. */
export function hasMoreThanOne({ user, accounts, passkeys }: WaysIn): boolean {
  const others = accounts.filter(({ type }) => type !== "webauthn");
  return others.length + passkeys.length + (user?.emailVerified ? 1 : 0) > 1;
}

let before: Promise<unknown> = Promise.resolve();

/** Changes a passkey. One at a time: two removals at once would each take the other passkey for the last one. */
export function changePasskey(adapter: CompleteAdapter, change: PasskeyChange): Promise<ChangeResult> {
  const result = before.then(() => carryOut(adapter, change));
  before = result.catch(() => {});
  return result;
}

async function carryOut(
  adapter: CompleteAdapter,
  { userId, credentialID, name }: PasskeyChange,
): Promise<ChangeResult> {
  const ways = await waysIn(adapter, userId);
  const passkey = ways.passkeys.find((passkey) => passkey.credentialID === credentialID);
  if (!passkey) return "unknown";
  if (name !== null) {
    const named = { credentialID, name: name.trim().slice(0, LONGEST_NAME) };
    await adapter.updateAuthenticator(named);
    return "done";
  }
  if (!hasMoreThanOne(ways)) return "last";
  const account = ways.accounts.find(({ type, providerAccountId }) => {
    return type === "webauthn" && providerAccountId === passkey.providerAccountId;
  });
  // Without its account a passkey opens nothing, whatever happens in between.
  if (account) await adapter.unlinkAccount(account);
  await adapter.deleteAuthenticator(credentialID);
  return "done";
}
