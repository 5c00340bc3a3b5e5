/**
 * The plan of a sign-in in SQL. It runs in a transaction that undoes everything if the plan is rejected.
 *
 * @module
 */
import {
  type Expectation,
  isAsLinked,
  isAsRead,
  isAsUsed,
  isUnverified,
  type Plan,
} from "../../src/contract/adapter.ts";
import { assertExpected, PlanRejected, type PlanSteps, runPlan } from "../../src/contract/commit.ts";
import type { Statements } from "./statements.ts";
import { findAll, findOne, insert, run, type SqlSteps, update } from "./steps.ts";
import type { SqlStore } from "./store.ts";
import { isStorable } from "./values.ts";

/**
 * Commits a plan.
 *
 * @throws {PlanRejected} if the token is not there, or if something is not as the plan expects.
 */
export function* commitPlan(store: SqlStore, sql: Statements, plan: Plan): SqlSteps<"done"> {
  for (const step of runPlan(plan, planSteps(store, sql))) yield* step;
  return "done";
}

function planSteps(store: SqlStore, sql: Statements): PlanSteps<SqlSteps<unknown>> {
  const { tables: { users, accounts, sessions, authenticators }, lock } = store;
  return {
    expect: (expectation) => checkExpectation(store, sql, expectation),
    consume: (token) => consumeToken(store, sql, token),
    updateUser: (changes) => orReject(update(users, changes, lock)),
    createUser: (user) => orReject(insert(users, user)),
    evict: (eviction) => revokeUnverified(store, sql, eviction),
    linkAccount: (account) => orReject(insert(accounts, account)),
    updateAccount: (changes) => orReject(update(accounts, changes, lock)),
    createAuthenticator: (authenticator) => orReject(insert(authenticators, authenticator)),
    updateCounter: (changes) => orReject(update(authenticators, changes, lock)),
    deleteSession: (sessionToken) => run(sql.deleteSession, [sessionToken]),
    createSession: (session) => orReject(insert(sessions, session)),
  };
}

function* orReject(steps: SqlSteps<object | null>): SqlSteps<void> {
  assertExpected((yield* steps) !== null);
}

// The user's row is locked first: another plan about this user waits here, and then sees what this one has written.
function* checkExpectation({ tables, lock }: SqlStore, sql: Statements, expect: Expectation): SqlSteps<void> {
  const { user, account, authenticator, authenticators, session } = expect;
  if (user) {
    assertExpected(isAsRead(yield* findOne(tables.users, sql.userById + lock, [user.id]), user));
  }
  if (account) {
    const key = [account.provider, account.providerAccountId];
    const found = yield* findOne(tables.accounts, sql.accountByKey + lock, key);
    assertExpected(isAsLinked(found, account));
  }
  if (authenticator) {
    const key = [authenticator.credentialID];
    const found = yield* findOne(tables.authenticators, sql.authenticatorById + lock, key);
    assertExpected(isAsUsed(found, authenticator));
  }
  if (authenticators) {
    const [row] = yield* run(sql.countAuthenticators, [authenticators.userId]);
    assertExpected(Number(row?.[0] ?? 0) < authenticators.fewerThan);
  }
  if (session) {
    const found = yield* findOne(tables.sessions, sql.sessionByToken + lock, [session.sessionToken]);
    assertExpected(found?.userId === session.userId);
  }
}

type Value<Name extends keyof Plan> = NonNullable<Plan[Name]>;

function* consumeToken(
  { ends }: SqlStore,
  sql: Statements,
  { identifier, tokens, now }: Value<"consume">,
): SqlSteps<void> {
  const usable = tokens.filter(isStorable);
  if (usable.length === 0 || !isStorable(identifier)) throw new PlanRejected("consumed");
  const rows = yield {
    sql: sql.consumeToken(usable.length),
    params: [identifier, ...usable, ends.verificationTokens.codec.encode(now)],
  };
  if (rows.length === 0) throw new PlanRejected("consumed");
}

/** Accounts that one statement removes: databases limit the number of its parameters. */
const ACCOUNTS_AT_ONCE = 100;

function* revokeUnverified(
  { tables: { accounts } }: SqlStore,
  sql: Statements,
  { userId, email }: Value<"evict">,
): SqlSteps<void> {
  yield* run(sql.deleteSessionsOfUser, [userId]);
  yield* run(sql.deleteAuthenticatorsOfUser, [userId]);
  const ofUser = yield* findAll(accounts, sql.accountsOfUser, [userId]);
  const unproven = ofUser.filter((account) => isUnverified(account, email));
  for (let at = 0; at < unproven.length; at += ACCOUNTS_AT_ONCE) {
    const some = unproven.slice(at, at + ACCOUNTS_AT_ONCE);
    const keys = some.flatMap(({ provider, providerAccountId }) => [provider, providerAccountId]);
    yield* run(sql.deleteAccounts(some.length), keys);
  }
}
