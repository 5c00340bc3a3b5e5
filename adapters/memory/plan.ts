/**
 * The plan of a sign-in in memory.
 *
 * @module
 */
import {
  type AdapterAccount,
  type AdapterAuthenticator,
  type CommitResult,
  type Expectation,
  isAsLinked,
  isAsRead,
  isAsUsed,
  isUnverified,
  type Plan,
} from "../../src/contract/adapter.ts";
import {
  assertExpected,
  commitResultOf,
  existing,
  PlanRejected,
  type PlanSteps,
  runPlan,
} from "../../src/contract/commit.ts";
import { EVICTED, hasVersion } from "../../src/contract/stored_record.ts";
import { findRecord, putRecord, removeRecord, removeRecordsOf } from "./records.ts";
import type { Table } from "./table.ts";
import {
  accountKey,
  addOwned,
  addUser,
  changeOwned,
  changeUser,
  ofUser,
  removeSessions,
  type Tables,
  tokenKey,
} from "./tables.ts";

/** Commits a plan: all of it, or nothing. */
export function commitPlan(tables: Tables, plan: Plan): CommitResult {
  try {
    return tables.transaction(() => {
      for (const _ of runPlan(plan, planSteps(tables)));
      return "done";
    });
  } catch (error) {
    return commitResultOf(error);
  }
}

function planSteps(tables: Tables): PlanSteps<unknown> {
  const { accounts, sessions, authenticators } = tables;
  return {
    expect: (expectation) => checkExpectation(tables, expectation),
    consume: (token) => consumeToken(tables, token),
    updateUser: (changes) => changeUser(tables, changes),
    createUser: (user) => addUser(tables, user),
    evict: (eviction) => revokeUnverified(tables, eviction),
    records: ({ remove = [], put = [] }) => {
      for (const key of remove) removeRecord(tables, key);
      for (const record of put) assertExpected(putRecord(tables, record) !== null);
    },
    unlinkAccount: ({ userId, ...key }) => removeTheirs(accounts, accountKey(key), userId),
    deleteAuthenticator: ({ userId, credentialID }) => removeTheirs(authenticators, credentialID, userId),
    linkAccount: (account) => addOwned(tables, accounts, account),
    updateAccount: (changes) => existing(changeOwned(tables, accounts, changes), "account"),
    createAuthenticator: (authenticator) => addOwned(tables, authenticators, authenticator),
    updateCounter: (changes) => existing(authenticators.update(changes), "authenticator"),
    deleteSession: (sessionToken) => sessions.delete(sessionToken),
    createSession: (session) => addOwned(tables, sessions, session),
  };
}

function checkExpectation(tables: Tables, expect: Expectation): void {
  const { user, account, authenticator, authenticators: limit, session, records = [] } = expect;
  const { users, accounts, sessions, authenticators } = tables;
  assertExpected(!user || isAsRead(users.get(user.id), user));
  assertExpected(!account || isAsLinked(accounts.get(accountKey(account)), account));
  assertExpected(!authenticator || isAsUsed(authenticators.get(authenticator.credentialID), authenticator));
  assertExpected(!limit || authenticators.filter(ofUser(limit.userId)).length < limit.fewerThan);
  assertExpected(!session || sessions.get(session.sessionToken)?.userId === session.userId);
  for (const { version, ...key } of records) assertExpected(hasVersion(findRecord(tables, key), version));
}

function removeTheirs(table: Table<AdapterAccount> | Table<AdapterAuthenticator>, key: string, userId: string): void {
  assertExpected(table.delete(key)?.userId === userId);
}

function consumeToken({ tokens }: Tables, { identifier, tokens: hashes, now }: NonNullable<Plan["consume"]>): void {
  const keys = hashes.map((token) => tokenKey({ identifier, token }));
  const key = keys.find((key) => (tokens.get(key)?.expires ?? now) > now);
  if (key === undefined) throw new PlanRejected("consumed");
  tokens.delete(key);
}

function revokeUnverified(tables: Tables, { userId, email }: NonNullable<Plan["evict"]>): void {
  const { accounts, authenticators } = tables;
  const isTheirs = ofUser(userId);
  for (const account of accounts.filter(isTheirs)) {
    if (isUnverified(account, email)) accounts.delete(accountKey(account));
  }
  for (const { credentialID } of authenticators.filter(isTheirs)) authenticators.delete(credentialID);
  removeSessions(tables, userId);
  removeRecordsOf(tables, { userId, only: EVICTED });
}
