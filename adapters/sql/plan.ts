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
import { type RecordSteps, removeEvicted } from "./records.ts";
import { hasVersion } from "../../src/contract/stored_record.ts";
import type { Statements } from "./statements.ts";
import type { SqlSteps } from "./statement.ts";
import { findAll, insert, type LockedRow, remove, run, update } from "./steps.ts";
import type { SqlStore } from "./store.ts";
import type { Table } from "./table.ts";
import { isStorable } from "./values.ts";

/** The database in which a plan is carried out. */
export interface PlanStorage {
  readonly store: SqlStore;
  readonly sql: Statements;
  readonly records: RecordSteps;
}

/**
 * Commits a plan.
 *
 * @throws {PlanRejected} if the token is not there, or if something is not as the plan expects.
 */
export function* commitPlan(storage: PlanStorage, plan: Plan): SqlSteps<"done"> {
  for (const step of runPlan(plan, planSteps(storage))) yield* step;
  return "done";
}

function planSteps(storage: PlanStorage): PlanSteps<SqlSteps<unknown>> {
  const { store, sql, records } = storage;
  const { users, accounts, sessions, authenticators } = store.tables;
  // What is expected is locked, and written by this plan alone.
  const locked: LockedRow[] = [];
  return {
    expect: (expectation) => checkExpectation({ ...storage, locked }, expectation),
    consume: (token) => consumeToken(store, sql, token),
    updateUser: (changes) => orReject(update(store, users, changes, locked)),
    createUser: (user) => orReject(insert(store, users, user)),
    evict: (eviction) => revokeUnverified(storage, eviction),
    records: function* ({ remove = [], put = [] }) {
      for (const key of remove) yield* records.remove({ kind: key.kind, id: key.id });
      for (const record of put) assertExpected((yield* records.put(record)) !== null);
    },
    unlinkAccount: ({ provider, providerAccountId, userId }) =>
      removeTheirs(sql.deleteTheirAccount, [provider, providerAccountId, userId]),
    deleteAuthenticator: ({ credentialID, userId }) =>
      removeTheirs(sql.deleteTheirAuthenticator, [credentialID, userId]),
    linkAccount: (account) => orReject(insert(store, accounts, account)),
    updateAccount: (changes) => orReject(update(store, accounts, changes, locked)),
    createAuthenticator: (authenticator) => orReject(insert(store, authenticators, authenticator)),
    updateCounter: (changes) => orReject(update(store, authenticators, changes, locked)),
    deleteSession: (sessionToken) => remove(store, sessions, [sessionToken]),
    createSession: (session) => orReject(insert(store, sessions, session)),
  };
}

function* orReject(steps: SqlSteps<object | null>): SqlSteps<void> {
  assertExpected((yield* steps) !== null);
}

/** Runs a statement that must remove a row. */
function* removeTheirs(sql: string, texts: readonly string[]): SqlSteps<void> {
  assertExpected(texts.every(isStorable));
  assertExpected((yield { sql, params: texts, must: true }).length > 0);
}

interface Checking extends PlanStorage {
  /** Gets the rows that were read. */
  readonly locked: LockedRow[];
}

// The user's row is locked first: another plan about this user waits here, and then sees what this one has written.
function* checkExpectation(checking: Checking, expect: Expectation): SqlSteps<void> {
  const { store: { tables, lock }, sql, records } = checking;
  const { user, account, authenticator, authenticators, session } = expect;
  if (user) {
    assertExpected(isAsRead(yield* findLocked(checking, tables.users, sql.userById, [user.id]), user));
  }
  if (account) {
    const key = [account.provider, account.providerAccountId];
    assertExpected(isAsLinked(yield* findLocked(checking, tables.accounts, sql.accountByKey, key), account));
  }
  if (authenticator) {
    const key = [authenticator.credentialID];
    const found = yield* findLocked(checking, tables.authenticators, sql.authenticatorById, key);
    assertExpected(isAsUsed(found, authenticator));
  }
  if (authenticators) {
    const [row] = yield* run(sql.countAuthenticators, [authenticators.userId]);
    assertExpected(Number(row?.[0] ?? 0) < authenticators.fewerThan);
  }
  if (session) {
    const found = yield* findLocked(checking, tables.sessions, sql.sessionByToken, [session.sessionToken]);
    assertExpected(found?.userId === session.userId);
  }
  for (const { version, ...key } of expect.records ?? []) {
    assertExpected(hasVersion(yield* records.find(key, lock), version));
  }
}

function* findLocked<Stored>(
  { store: { lock }, locked }: Checking,
  table: Table<Stored>,
  sql: string,
  key: readonly unknown[],
): SqlSteps<Stored | null> {
  const [row] = yield* run(sql + lock, key);
  if (!row) return null;
  locked.push({ table, row });
  return table.read(row);
}

type Value<Name extends keyof Plan> = NonNullable<Plan[Name]>;

function* consumeToken(
  { tables: { verificationTokens } }: SqlStore,
  sql: Statements,
  { identifier, tokens, now }: Value<"consume">,
): SqlSteps<void> {
  const usable = tokens.filter(isStorable);
  if (usable.length === 0 || !isStorable(identifier)) throw new PlanRejected("consumed");
  const rows = yield {
    sql: sql.consumeToken(usable.length),
    params: [identifier, ...usable, verificationTokens.column("expires").codec.encode(now)],
    must: true,
  };
  if (rows.length === 0) throw new PlanRejected("consumed");
}

/** Accounts that one statement removes: databases limit the number of its parameters. */
const ACCOUNTS_AT_ONCE = 50;

function* revokeUnverified(
  { store: { tables: { accounts }, hasRecords }, sql, records }: PlanStorage,
  { userId, email }: Value<"evict">,
): SqlSteps<void> {
  yield* run(sql.deleteSessionsOfUser, [userId]);
  yield* run(sql.deleteAuthenticatorsOfUser, [userId]);
  if (hasRecords) yield* removeEvicted(records, userId);
  const ofUser = yield* findAll(accounts, sql.accountsOfUser, [userId]);
  const unproven = ofUser.filter((account) => isUnverified(account, email));
  for (let at = 0; at < unproven.length; at += ACCOUNTS_AT_ONCE) {
    const some = unproven.slice(at, at + ACCOUNTS_AT_ONCE);
    const keys = some.flatMap(({ provider, providerAccountId }) => [provider, providerAccountId]);
    yield* run(sql.deleteAccounts(some.length), keys);
  }
}
