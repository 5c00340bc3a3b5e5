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
  type Plan,
  type VerificationToken,
} from "../../src/contract/adapter.ts";
import { countCredentials } from "./count.ts";
import { endUnproven } from "./epoch.ts";
import { findOwned, findUser } from "./find.ts";
import { ACCOUNT, CREDENTIAL, type Ending, type Owned, SESSION, tokenKey } from "./layout.ts";
import type { KvKey } from "./kv_like.ts";
import { addOwned, addUser, beginEpoch, changeOwned, changeUser, getOf, present, removeOwned } from "./records.ts";
import type { Store } from "./store.ts";
import { sweepAnybody, sweepUser } from "./sweep.ts";
import { transact } from "./transact.ts";
import { Refused, type Transaction } from "./transaction.ts";

/** Carries out a plan: all of it, or nothing. */
export async function commitPlan(store: Store, plan: Plan): Promise<CommitResult> {
  try {
    const answer = await transact(store, (tx) => carryOut(tx, plan));
    if (plan.evict && answer === "done") await sweepUser(store, plan.evict.userId);
    else await sweepAnybody(store);
    return answer;
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
  if (plan.deleteSession !== undefined) await removeOwned(tx, SESSION, [plan.deleteSession]);
  if (plan.createSession) await addOwned(tx, SESSION, plan.createSession);
  return "done";
}

async function demand(tx: Transaction, expect: Expectation): Promise<void> {
  const { user, account, authenticator, authenticators, session } = expect;
  const find = async <Row extends Owned>(kind: Ending<Row>, id: KvKey) => {
    return (await findOwned(getOf(tx), kind, id))?.row ?? null;
  };
  const holds = (!user || isAsRead((await findUser(getOf(tx), user.id))?.user ?? null, user)) &&
    (!account || (await find(ACCOUNT, ACCOUNT.idOf(account)))?.userId === account.userId) &&
    (!authenticator || isAsUsed(await find(CREDENTIAL, CREDENTIAL.idOf(authenticator)), authenticator)) &&
    (!authenticators || await countOf(tx, authenticators.userId) < authenticators.fewerThan) &&
    (!session || (await find(SESSION, SESSION.idOf(session)))?.userId === session.userId);
  if (!holds) throw new Refused("Cannot carry out plan: it was decided on something else");
}

async function countOf(tx: Transaction, userId: string): Promise<number> {
  const owner = await findUser(getOf(tx), userId);
  return owner ? await countCredentials(tx, owner) : 0;
}

async function consume(tx: Transaction, { identifier, tokens, now }: NonNullable<Plan["consume"]>): Promise<boolean> {
  const keys = tokens.map((token) => tokenKey({ identifier, token }));
  // Each secret makes a hash, but one row is used up: what is checked of the others would only count against the limit.
  const rows = await Promise.all(keys.map((key) => tx.peek<VerificationToken>(key)));
  const key = keys[rows.findIndex((row) => row && row.expires > now)];
  if (!key || !await tx.get(key)) return false;
  tx.delete(key);
  return true;
}

async function evict(tx: Transaction, { userId, email }: NonNullable<Plan["evict"]>): Promise<void> {
  await beginEpoch(tx, userId, (epochs) => endUnproven(epochs, email));
}
