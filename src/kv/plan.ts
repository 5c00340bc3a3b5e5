/**
 * Plans, carried out in a key-value store.
 *
 * @module
 */
import type { AdapterAuthenticator, AdapterUser, CommitResult, Plan, VerificationToken } from "../adapter.ts";
import { ACCOUNT, CREDENTIAL, ownedKey, SESSION, tokenKey, userKey } from "./layout.ts";
import { addOwned, addUser, changeOwned, changeUser, present, removeOwned, removeSessions } from "./records.ts";
import type { Store } from "./store.ts";
import { transact } from "./transact.ts";
import { Refused, type Transaction } from "./transaction.ts";

/** Carries out a plan: all of it, or nothing. */
export async function commitPlan(store: Store, plan: Plan): Promise<CommitResult> {
  try {
    return await transact(store, (tx) => carryOut(tx, plan));
  } catch (error) {
    if (error instanceof Refused) return "conflict";
    throw error;
  }
}

async function carryOut(tx: Transaction, plan: Plan): Promise<CommitResult> {
  if (plan.consume && !await consume(tx, plan.consume)) return "consumed";
  if (plan.createUser) await addUser(tx, plan.createUser);
  if (plan.verifyUser) await verify(tx, plan.verifyUser);
  if (plan.evict) await evict(tx, plan.evict);
  if (plan.linkAccount) await addOwned(tx, ACCOUNT, plan.linkAccount);
  if (plan.updateAccount) present(await changeOwned(tx, ACCOUNT, plan.updateAccount), "account");
  if (plan.createAuthenticator) await addOwned(tx, CREDENTIAL, plan.createAuthenticator);
  if (plan.updateCounter) await raise(tx, plan.updateCounter);
  if (plan.deleteSession !== undefined) await removeOwned(tx, { kind: SESSION, id: [plan.deleteSession] });
  if (plan.createSession) await addOwned(tx, SESSION, plan.createSession);
  return "done";
}

async function consume(tx: Transaction, { identifier, tokens, now }: NonNullable<Plan["consume"]>): Promise<boolean> {
  const keys = tokens.map((token) => tokenKey({ identifier, token }));
  const rows = await Promise.all(keys.map((key) => tx.get<VerificationToken>(key)));
  const row = rows.find((row) => row && row.expires > now);
  if (row) tx.delete(tokenKey(row));
  return row !== undefined;
}

async function verify(tx: Transaction, { id, emailVerified }: NonNullable<Plan["verifyUser"]>): Promise<void> {
  const user = await tx.get<AdapterUser>(userKey(id));
  if (user?.emailVerified) throw new Refused("Cannot verify user: it was done before");
  await changeUser(tx, { id, emailVerified });
}

async function evict(tx: Transaction, plan: NonNullable<Plan["evict"]>): Promise<void> {
  const fits = ({ userId }: { readonly userId: string }) => userId === plan.userId;
  for (const key of plan.accounts) await removeOwned(tx, { kind: ACCOUNT, id: ACCOUNT.idOf(key), fits });
  for (const id of plan.authenticators) await removeOwned(tx, { kind: CREDENTIAL, id: [id], fits });
  await removeSessions(tx, plan.userId);
}

async function raise(tx: Transaction, { credentialID, from, to }: NonNullable<Plan["updateCounter"]>): Promise<void> {
  const credential = await tx.get<AdapterAuthenticator>(ownedKey(CREDENTIAL, [credentialID]));
  if (present(credential, "credential").counter !== from) {
    throw new Refused("Cannot raise counter: it was raised before");
  }
  await changeOwned(tx, CREDENTIAL, { credentialID, counter: to });
}
