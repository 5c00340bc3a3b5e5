/**
 * Plans, carried out in memory.
 *
 * @module
 */
import type { CommitResult, Plan } from "../adapter.ts";
import { Refused } from "./table.ts";
import {
  accountKey,
  addOwned,
  addUser,
  changeOwned,
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
  if (plan.consume && !consume(tables, plan.consume)) return "consumed";
  if (plan.createUser) addUser(tables, plan.createUser);
  if (plan.verifyUser) verify(tables, plan.verifyUser);
  if (plan.evict) evict(tables, plan.evict);
  if (plan.linkAccount) addOwned(tables, accounts, plan.linkAccount);
  if (plan.updateAccount) {
    const change = { key: accountKey(plan.updateAccount), changes: plan.updateAccount };
    present(changeOwned(tables, accounts, change), "account");
  }
  if (plan.createAuthenticator) addOwned(tables, authenticators, plan.createAuthenticator);
  if (plan.updateCounter) raise(tables, plan.updateCounter);
  if (plan.deleteSession !== undefined) sessions.delete(plan.deleteSession);
  if (plan.createSession) addOwned(tables, sessions, plan.createSession);
  return "done";
}

function consume({ tokens }: Tables, { identifier, tokens: hashes, now }: NonNullable<Plan["consume"]>): boolean {
  const keys = hashes.map((token) => tokenKey({ identifier, token }));
  const key = keys.find((key) => (tokens.get(key)?.expires ?? now) > now);
  return key !== undefined && tokens.delete(key) !== null;
}

function verify({ users }: Tables, { id, emailVerified }: NonNullable<Plan["verifyUser"]>): void {
  if (present(users.get(id), "user").emailVerified) throw new Refused("Cannot verify user: it was done before");
  users.update(id, { emailVerified });
}

function evict(tables: Tables, { userId, ...lost }: NonNullable<Plan["evict"]>): void {
  const { accounts, authenticators } = tables;
  for (const key of lost.accounts.map(accountKey)) if (accounts.get(key)?.userId === userId) accounts.delete(key);
  for (const id of lost.authenticators) if (authenticators.get(id)?.userId === userId) authenticators.delete(id);
  removeSessions(tables, userId);
}

function raise({ authenticators }: Tables, { credentialID, from, to }: NonNullable<Plan["updateCounter"]>): void {
  const { counter } = present(authenticators.get(credentialID), "credential");
  if (counter !== from) throw new Refused("Cannot raise counter: it was raised before");
  authenticators.update(credentialID, { counter: to });
}
