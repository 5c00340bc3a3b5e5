/**
 * Plans, carried out in memory.
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
} from "../../src/contract/adapter.ts";
import { Refused } from "./table.ts";
import {
  accountKey,
  addOwned,
  addUser,
  changeOwned,
  changeUser,
  ofUser,
  present,
  removeSessions,
  type Tables,
  tokenKey,
} from "./tables.ts";

/** Carries out a plan: all of it, or nothing. */
export function commitPlan(tables: Tables, plan: Plan): CommitResult {
  try {
    return tables.whole(() => carryOut(tables, plan));
  } catch (error) {
    if (error instanceof Refused) return "conflict";
    throw error;
  }
}

function carryOut(tables: Tables, plan: Plan): CommitResult {
  const { accounts, sessions, authenticators } = tables;
  if (plan.expect) demand(tables, plan.expect);
  if (plan.consume && !consume(tables, plan.consume)) return "consumed";
  if (plan.updateUser) changeUser(tables, plan.updateUser);
  if (plan.createUser) addUser(tables, plan.createUser);
  if (plan.evict) evict(tables, plan.evict);
  if (plan.linkAccount) addOwned(tables, accounts, plan.linkAccount);
  if (plan.updateAccount) {
    const change = { key: accountKey(plan.updateAccount), changes: plan.updateAccount };
    present(changeOwned(tables, accounts, change), "account");
  }
  if (plan.createAuthenticator) addOwned(tables, authenticators, plan.createAuthenticator);
  if (plan.updateCounter) {
    const { credentialID, counter } = plan.updateCounter;
    present(authenticators.update(credentialID, { counter }), "credential");
  }
  if (plan.deleteSession !== undefined) sessions.delete(plan.deleteSession);
  if (plan.createSession) addOwned(tables, sessions, plan.createSession);
  return "done";
}

function demand(tables: Tables, { user, account, authenticator, authenticators, session }: Expectation): void {
  const { users, accounts } = tables;
  const holds = (!user || isAsRead(users.get(user.id), user)) &&
    (!account || accounts.get(accountKey(account))?.userId === account.userId) &&
    (!authenticator || isAsUsed(tables.authenticators.get(authenticator.credentialID), authenticator)) &&
    (!authenticators ||
      tables.authenticators.filter(ofUser(authenticators.userId)).length < authenticators.fewerThan) &&
    (!session || tables.sessions.get(session.sessionToken)?.userId === session.userId);
  if (!holds) throw new Refused("Cannot carry out plan: it was decided on something else");
}

function consume({ tokens }: Tables, { identifier, tokens: hashes, now }: NonNullable<Plan["consume"]>): boolean {
  const keys = hashes.map((token) => tokenKey({ identifier, token }));
  const key = keys.find((key) => (tokens.get(key)?.expires ?? now) > now);
  return key !== undefined && tokens.delete(key) !== null;
}

function evict(tables: Tables, { userId, email }: NonNullable<Plan["evict"]>): void {
  const { accounts, authenticators } = tables;
  const isTheirs = ofUser(userId);
  for (const account of accounts.filter(isTheirs)) if (isUnproven(account, email)) accounts.delete(accountKey(account));
  for (const { credentialID } of authenticators.filter(isTheirs)) authenticators.delete(credentialID);
  removeSessions(tables, userId);
}
