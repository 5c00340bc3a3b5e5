/**
 * Plans, carried out in a key-value store.
 *
 * @module
 */
import {
  type CommitResult,
  type Expectation,
  isAsRead,
  isAsUsed,
  isUnproven,
  type Plan,
  type VerificationToken,
} from "../adapter.ts";
import type { KvKey } from "./kv_like.ts";
import {
  ACCOUNT,
  CREDENTIAL,
  type Owned,
  ownedKey,
  ownerKey,
  rosterKey,
  SESSION,
  tokenKey,
  userKey,
} from "./layout.ts";
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
  if (plan.expect) await demand(tx, plan.expect);
  if (plan.consume && !await consume(tx, plan.consume)) return "consumed";
  if (plan.updateUser) await changeUser(tx, plan.updateUser);
  if (plan.createUser) await addUser(tx, plan.createUser);
  if (plan.evict) await evict(tx, plan.evict);
  if (plan.linkAccount) await addOwned(tx, ACCOUNT, plan.linkAccount);
  if (plan.updateAccount) present(await changeOwned(tx, ACCOUNT, plan.updateAccount), "account");
  if (plan.createAuthenticator) await addOwned(tx, CREDENTIAL, plan.createAuthenticator);
  if (plan.updateCounter) present(await changeOwned(tx, CREDENTIAL, plan.updateCounter), "credential");
  if (plan.deleteSession !== undefined) await removeOwned(tx, { kind: SESSION, id: [plan.deleteSession] });
  if (plan.createSession) await addOwned(tx, SESSION, plan.createSession);
  return "done";
}

async function demand(tx: Transaction, expect: Expectation): Promise<void> {
  const { user, account, authenticator, authenticators, session } = expect;
  const find = <T>(key: KvKey) => tx.get<T>(key);
  const holds = (!user || isAsRead(await find(userKey(user.id)), user)) &&
    (!account || (await find<Owned>(ownedKey(ACCOUNT, ACCOUNT.idOf(account))))?.userId === account.userId) &&
    (!authenticator ||
      isAsUsed(await find(ownedKey(CREDENTIAL, CREDENTIAL.idOf(authenticator))), authenticator)) &&
    (!authenticators ||
      (await tx.list(ownerKey(CREDENTIAL, authenticators.userId), rosterKey(authenticators.userId))).length <
        authenticators.fewerThan) &&
    (!session || (await find<Owned>(ownedKey(SESSION, SESSION.idOf(session))))?.userId === session.userId);
  if (!holds) throw new Refused("Cannot carry out plan: it was decided on something else");
}

async function consume(tx: Transaction, { identifier, tokens, now }: NonNullable<Plan["consume"]>): Promise<boolean> {
  const keys = tokens.map((token) => tokenKey({ identifier, token }));
  const rows = await Promise.all(keys.map((key) => tx.get<VerificationToken>(key)));
  const row = rows.find((row) => row && row.expires > now);
  if (row) tx.delete(tokenKey(row));
  return row !== undefined;
}

async function evict(tx: Transaction, { userId, email }: NonNullable<Plan["evict"]>): Promise<void> {
  const isTheirs = (row: Owned) => row.userId === userId;
  for (const id of await tx.list(ownerKey(ACCOUNT, userId), rosterKey(userId))) {
    await removeOwned(tx, { kind: ACCOUNT, id, fits: (row) => isTheirs(row) && isUnproven(row, email) });
  }
  for (const id of await tx.list(ownerKey(CREDENTIAL, userId), rosterKey(userId))) {
    await removeOwned(tx, { kind: CREDENTIAL, id, fits: isTheirs });
  }
  await removeSessions(tx, userId);
}
