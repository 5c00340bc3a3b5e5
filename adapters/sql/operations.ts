/**
 * The operations of the contract in SQL.
 *
 * @module
 */
import type { CompleteAdapter, VerificationToken } from "../../src/contract/adapter.ts";
import { ConstraintViolation } from "../../src/contract/commit.ts";
import { endRecordOf } from "../../src/contract/ended.ts";
import type { RecordsOfUser } from "../../src/contract/records_apart.ts";
import { takeFrom } from "./buckets.ts";
import { commitPlan } from "./plan.ts";
import { recordSteps } from "./records.ts";
import { makeStatements, type Statements } from "./statements.ts";
import type { SqlSteps } from "./statement.ts";
import { findAll, findOne, insert, needsTransaction, remove, run, update } from "./steps.ts";
import type { EndingId, SqlStore } from "./store.ts";
import { type Assignment, splitRecord, type Table } from "./table.ts";
import { isStorable } from "./values.ts";

interface AllOperations extends CompleteAdapter {
  /** Removes some rows of a table that ended long ago. */
  sweep(id: EndingId): void;
  /** Removes records of a user. */
  removeRecordsOf(which: RecordsOfUser): void;
}

/** The operations of the contract, and those that others are made of. */
export type OperationName = keyof AllOperations;

export type Arguments = { readonly [Name in OperationName]: Parameters<AllOperations[Name]> };

export type Results = { readonly [Name in OperationName]: Awaited<ReturnType<AllOperations[Name]>> };

type Steps = { readonly [Name in OperationName]: (...args: Arguments[Name]) => SqlSteps<Results[Name]> };

/** An operation with its arguments. It can be started more than once. */
export interface Operation<Result> {
  /** Whether its statements are one transaction. */
  readonly transaction: boolean;
  /** Whether it changes nothing, so that it can always be repeated. */
  readonly readOnly: boolean;
  readonly start: () => SqlSteps<Result>;
}

export type Prepare = <Name extends OperationName>(name: Name, args: Arguments[Name]) => Operation<Results[Name]>;

/**
 * How the statements of each operation run. An update is a single statement, or a transaction if the changes have members
 * without a column.
 */
export const MODES: Readonly<Record<OperationName, "read" | "single statement" | "update" | "transaction">> = {
  createUser: "single statement",
  getUser: "read",
  getUserByEmail: "read",
  getUserByAccount: "read",
  updateUser: "update",
  deleteUser: "transaction",
  linkAccount: "single statement",
  unlinkAccount: "single statement",
  getAccount: "read",
  updateAccount: "update",
  listAccountsByUserId: "read",
  createSession: "single statement",
  getSessionAndUser: "read",
  updateSession: "update",
  deleteSession: "single statement",
  listSessionsByUserId: "read",
  listSessionsByProviderSid: "read",
  deleteSessionsByUserId: "transaction",
  deleteOtherSessions: "single statement",
  createVerificationToken: "single statement",
  useVerificationToken: "single statement",
  getVerificationToken: "read",
  createAuthenticator: "single statement",
  getAuthenticator: "read",
  listAuthenticatorsByUserId: "read",
  updateAuthenticatorCounter: "single statement",
  updateAuthenticator: "update",
  deleteAuthenticator: "single statement",
  once: "single statement",
  take: "single statement",
  commit: "transaction",
  getRecord: "read",
  putRecord: "single statement",
  removeRecord: "single statement",
  listRecords: "read",
  removeRecordsOf: "single statement",
  sweep: "single statement",
};

/** The clock and the ids of the operations. */
export interface OperationSettings {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Makes ids of users who are created without one. */
  readonly makeId: () => string;
}

/** Makes the operations of one database. */
export function makeOperations(store: SqlStore, settings: OperationSettings): Prepare {
  const sql = makeStatements(store);
  const steps: Steps = {
    ...rowSteps(store, sql, settings),
    ...otherSteps(store, sql, settings),
    ...featureSteps(store, settings),
  };
  const { users, accounts, sessions, authenticators } = store.tables;
  const updated: Readonly<Partial<Record<OperationName, Table>>> = {
    updateUser: users,
    updateAccount: accounts,
    updateSession: sessions,
    updateAuthenticator: authenticators,
  };
  return (name, args) => {
    const table = updated[name];
    return {
      transaction: MODES[name] === "transaction" || (MODES[name] !== "read" && store.writes.needTransaction) ||
        (table !== undefined && needsTransaction(table, Object(args[0]))),
      readOnly: MODES[name] === "read",
      start: () => steps[name](...args),
    };
  };
}

/** Operations on the rows of one table. */
function rowSteps(store: SqlStore, sql: Statements, { makeId }: OperationSettings) {
  const { users, accounts, sessions, verificationTokens, authenticators } = store.tables;
  return {
    createUser: (user) => create(store, users, { ...user, id: user.id || makeId() }, "user"),
    getUser: (id) => findOne(users, sql.userById, [id]),
    getUserByEmail: (email) => findOne(users, sql.userByEmail, [email]),
    updateUser: (changes) => changeExisting(store, users, changes, "user"),
    linkAccount: (account) => create(store, accounts, account, "account"),
    unlinkAccount: (key) => remove(store, accounts, [key.provider, key.providerAccountId]),
    getAccount: (providerAccountId, provider) => findOne(accounts, sql.accountByKey, [provider, providerAccountId]),
    updateAccount: (changes) => update(store, accounts, changes),
    listAccountsByUserId: (userId) => findAll(accounts, sql.accountsOfUser, [userId]),
    createSession: (session) => create(store, sessions, session, "session"),
    updateSession: (changes) => update(store, sessions, changes),
    deleteSession: (sessionToken) => remove(store, sessions, [sessionToken]),
    listSessionsByUserId: (userId) => findAll(sessions, sql.sessionsOfUser, [userId]),
    listSessionsByProviderSid: ({ provider, sid }) => findAll(sessions, sql.sessionsOfProvider(), [provider, sid]),
    createVerificationToken: (token) => create(store, verificationTokens, token, "token"),
    useVerificationToken: (key) => remove(store, verificationTokens, [key.identifier, key.token]),
    getVerificationToken: (key) => findOne(verificationTokens, sql.tokenByKey, [key.identifier, key.token]),
    createAuthenticator: (authenticator) => create(store, authenticators, authenticator, "authenticator"),
    getAuthenticator: (credentialID) => findOne(authenticators, sql.authenticatorById, [credentialID]),
    listAuthenticatorsByUserId: (userId) => findAll(authenticators, sql.authenticatorsOfUser, [userId]),
    updateAuthenticator: (changes) => update(store, authenticators, changes),
    deleteAuthenticator: (credentialID) => remove(store, authenticators, [credentialID]),
  } satisfies Partial<Steps>;
}

function featureSteps(store: SqlStore, { now }: OperationSettings) {
  const { find, put, remove, list, removeOf } = recordSteps(store, now);
  return {
    getRecord: find,
    putRecord: put,
    removeRecord: remove,
    listRecords: list,
    removeRecordsOf: removeOf,
  } satisfies Partial<Steps>;
}

function otherSteps(store: SqlStore, sql: Statements, { now }: OperationSettings) {
  const { tables, hasRecords } = store;
  const records = recordSteps(store, now);
  const { users, sessions, authenticators, onceMarks } = tables;
  return {
    getUserByAccount: (key) => findOne(users, sql.userByAccount, [key.provider, key.providerAccountId]),
    deleteUser: function* (id) {
      yield* recordEnd(store, endRecordOf(id, now()));
      // Foreign keys may not cascade in tables that other software made.
      if (hasRecords) yield* records.removeOf({ userId: id });
      yield* run(sql.deleteAuthenticatorsOfUser, [id]);
      yield* run(sql.deleteSessionsOfUser, [id]);
      yield* run(sql.deleteAccountsOfUser, [id]);
      return yield* remove(store, users, [id]);
    },
    // What each page view asks: without a generator within another.
    getSessionAndUser: function* (sessionToken) {
      if (!isStorable(sessionToken)) return null;
      const [row] = yield { sql: sql.sessionAndUser, params: [sessionToken] };
      return row ? { session: sessions.read(row), user: users.read(row, sessions.width) } : null;
    },
    deleteSessionsByUserId: function* (userId) {
      yield* recordEnd(store, endRecordOf(userId, now()));
      yield* run(sql.deleteSessionsOfUser, [userId]);
    },
    deleteOtherSessions: function* ({ userId, sessionToken }) {
      yield* run(sql.deleteOtherSessions, [userId, sessionToken]);
    },
    updateAuthenticatorCounter: (credentialID, counter) =>
      changeExisting(store, authenticators, { credentialID, counter }, "authenticator"),
    once: (key, expires) => {
      const { assignments: [isKey, ...others] } = splitRecord(onceMarks, { key, expires });
      const time = onceMarks.column("expires").codec.encode(new Date(now()));
      const ifEnds = { comparison: "<=", time } as const;
      return store.writes.replace({ table: onceMarks, key: isKey ? [isKey] : [], others, ifEnds });
    },
    commit: (plan) => commitPlan({ store, sql, records }, plan),
    take: (buckets, time) => takeFrom(store, buckets, time),
    sweep: (id) => {
      const table = tables[id];
      const { sql: by, codec } = table.column("expires");
      // By both clocks, ours and the database's: one of them may be years ahead for a minute.
      const sql = `${by} <= ${codec.placeholder} and ${by} <= ${store.ago(id, SWEEP_GRACE)}`;
      const params = [codec.encode(new Date(now() - SWEEP_GRACE * 1000))];
      return store.writes.removeSome(table, { sql, params }, { by, most: MOST_SWEPT });
    },
  } satisfies Partial<Steps>;
}

/** Seconds that a row stays after its end: the clocks of several machines differ. */
const SWEEP_GRACE = 24 * 60 * 60;

/** The most rows that one sweep removes from a table. */
const MOST_SWEPT = 100;

// First, so that two operations about one user run one after the other. A record of a later time stays.
function* recordEnd(
  { tables: { verificationTokens: table }, writes }: SqlStore,
  end: VerificationToken,
): SqlSteps<void> {
  if (!isStorable(end.identifier)) return;
  const { assignments } = splitRecord(table, end);
  const { sql, codec } = table.column("expires");
  const isTime = (each: Assignment) => each.sql === sql;
  yield* writes.replace({
    table,
    key: assignments.filter((each) => !isTime(each)),
    others: assignments.filter(isTime),
    ifEnds: { comparison: "<", time: codec.encode(end.expires) },
  });
}

function* create<Stored>(
  store: SqlStore,
  table: Table<Stored>,
  record: object,
  what: string,
): SqlSteps<Stored> {
  const stored = yield* insert(store, table, record);
  if (!stored) throw new ConstraintViolation(`Cannot store ${what}: there is one of the same id or address`);
  return stored;
}

function* changeExisting<Stored>(
  store: SqlStore,
  table: Table<Stored>,
  changes: object,
  what: string,
): SqlSteps<Stored> {
  const stored = yield* update(store, table, changes);
  if (!stored) throw new ConstraintViolation(`Cannot change ${what}: there is none of this id`);
  return stored;
}
