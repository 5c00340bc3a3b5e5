/**
 * What users can do with their passkeys: rename them, and remove them while another sign-in method is left.
 *
 * @module
 */
import type { AdapterAccount, AdapterAuthenticator, AdapterUser, CompleteAdapter } from "@x/auth";

/** A passkey. `name` is our own member: adapters also store members that they do not know. */
export interface Passkey extends AdapterAuthenticator {
  readonly name?: string;
}

/** What a user can sign in with. */
export interface SignInMethods {
  readonly user: AdapterUser | null;
  readonly accounts: readonly AdapterAccount[];
  readonly passkeys: readonly Passkey[];
}

/** A change of a passkey. */
export interface PasskeyChange {
  /** The signed-in user. */
  readonly userId: string;
  /** Id of the passkey, from the form. */
  readonly credentialID: string;
  /** Its new name; `null` to remove it. */
  readonly name: string | null;
}

/** The result of a change. The passkey of another user counts as unknown. */
export type ChangeResult = "done" | "unknown" | "last";

const LONGEST_NAME = 60;

/** Reads what a user can sign in with. */
export async function signInMethodsOf(adapter: CompleteAdapter, userId: string): Promise<SignInMethods> {
  const [user, accounts, passkeys] = await Promise.all([
    adapter.getUser(userId),
    adapter.listAccountsByUserId(userId),
    adapter.listAuthenticatorsByUserId(userId),
  ]);
  return { user, accounts, passkeys };
}

/** Whether the user has more than one sign-in method, so that one can be removed. */
export function hasMoreThanOne({ user, accounts, passkeys }: SignInMethods): boolean {
  const others = accounts.filter(({ type }) => type !== "webauthn");
  return others.length + passkeys.length + (user?.emailVerified ? 1 : 0) > 1;
}

let lastChange: Promise<unknown> = Promise.resolve();

/** Changes a passkey. Changes run one at a time: two removals at once would each count on the other passkey. */
export function changePasskey(adapter: CompleteAdapter, change: PasskeyChange): Promise<ChangeResult> {
  const result = lastChange.then(() => applyChange(adapter, change));
  lastChange = result.catch(() => {});
  return result;
}

async function applyChange(
  adapter: CompleteAdapter,
  { userId, credentialID, name }: PasskeyChange,
): Promise<ChangeResult> {
  const methods = await signInMethodsOf(adapter, userId);
  const passkey = methods.passkeys.find((passkey) => passkey.credentialID === credentialID);
  if (!passkey) return "unknown";
  if (name !== null) {
    const named = { credentialID, name: name.trim().slice(0, LONGEST_NAME) };
    await adapter.updateAuthenticator(named);
    return "done";
  }
  if (!hasMoreThanOne(methods)) return "last";
  const account = methods.accounts.find(({ type, providerAccountId }) => {
    return type === "webauthn" && providerAccountId === passkey.providerAccountId;
  });
  // The account first: a passkey without one cannot sign in, even if the next step fails.
  if (account) await adapter.unlinkAccount(account);
  await adapter.deleteAuthenticator(credentialID);
  return "done";
}
