/**
 * Writes changes about a user, if everything still is as it was decided on.
 *
 * @module
 */
import { asRead, type Expectation, isAsRead, isAsUsed, type Plan } from "../contract/adapter.ts";
import { hasWhatGoes } from "../contract/removed_ways.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import { AdapterError } from "../kernel/errors.ts";
import { once } from "../kernel/load.ts";
import type { AccountKey, AdapterUser } from "../kernel/model.ts";
import { isLiveRow } from "../session_stores/ended.ts";
import type { Storage } from "../storage/guard.ts";

const apart = once(() => import("./records_apart.ts"));

/**
 * Writes a plan about a user who must not have changed. Without transactions, it is checked right before, and only
 * records are stored or removed, and an account and an authenticator removed. Of two requests at the same
 * moment, each may then remove what the other one expects.
 *
 * @throws {AdapterError} if the adapter lacks an operation for it, before anything is written; or if storage fails.
 */
export async function commitAbout(
  config: Pick<ResolvedConfig, "storage" | "runtime">,
  user: AdapterUser,
  { expect, ...plan }: Plan,
): Promise<"done" | "consumed" | "conflict"> {
  const { storage } = config;
  if (!storage) throw new AdapterError("Cannot change what a user signs in with: there is no `adapter`");
  const whole = { ...plan, expect: { ...expect, user: asRead(user) } };
  if (storage.commit) return await storage.commit(whole);
  assertCanRemove(storage, plan);
  const hold = () => holds(config, storage, whole);
  // Where records are all that goes, they are gone by then.
  const write = async () => writesNothing(plan) || await hold() ? await removeWays(storage, plan) : null;
  if (!plan.records && !expect?.records) return await write() ? "done" : "conflict";
  // Before any record is removed.
  if (!await hold()) return "conflict";
  return await (await apart()).applyWithRecords(storage, whole, write) ? "done" : "conflict";
}

function assertCanRemove(storage: Storage, { unlinkAccount, deleteAuthenticator }: Plan): void {
  if (unlinkAccount && !storage.has("unlinkAccount")) {
    throw new AdapterError("Cannot remove the account: the adapter has no `unlinkAccount`");
  }
  if (deleteAuthenticator && !storage.deleteAuthenticator) {
    throw new AdapterError("Cannot remove the passkey: the adapter has no `deleteAuthenticator`");
  }
}

function writesNothing({ unlinkAccount, deleteAuthenticator, records }: Plan): boolean {
  return !unlinkAccount && !deleteAuthenticator && !records?.put?.length && Boolean(records?.remove?.length);
}

// The account first: a passkey without one signs nobody in.
async function removeWays(storage: Storage, { unlinkAccount, deleteAuthenticator }: Plan): Promise<typeof NOTHING> {
  if (unlinkAccount) await storage.unlinkAccount(keyOf(unlinkAccount));
  if (deleteAuthenticator) await storage.deleteAuthenticator?.(deleteAuthenticator.credentialID);
  return NOTHING;
}

// Adapters of Auth.js pass the key on to the database as it is.
function keyOf({ provider, providerAccountId }: AccountKey): AccountKey {
  return { provider, providerAccountId };
}

const NOTHING = { created: null, verifiedAt: null };

async function holds(
  { runtime }: Pick<ResolvedConfig, "runtime">,
  storage: Storage,
  { expect: { user, session, account, authenticator }, ...plan }: Plan & { readonly expect: Expectation },
): Promise<boolean> {
  if (user && !isAsRead(await storage.getUser(user.id), user)) return false;
  if (account && (await storage.getUserByAccount(keyOf(account)))?.id !== account.userId) return false;
  if (authenticator && !isAsUsed(await storage.getAuthenticator(authenticator.credentialID), authenticator)) {
    return false;
  }
  if (!await hasWhatGoes(storage, plan)) return false;
  return !session || isLiveRow((await storage.getSessionAndUser(session.sessionToken))?.session, runtime.now());
}
