/**
 * The operations of the contract in SQL.
 *
 * @module
 */
import type { CompleteAdapter, VerificationToken } from "../../src/contract/adapter.ts";
import { ConstraintViolation } from "../../src/contract/commit.ts";
import { endRecordOf } from "../../src/contract/ended.ts";
import type { RecordsOfUser } from "../../src/contract/records_apart.ts";
import { commitPlan } from "./plan.ts";
import { recordSteps } from "./records.ts";
import { makeStatements, type Statements, SWEEP_GRACE } from "./statements.ts";
import { findAll, findOne, insert, needsTransaction, run, type SqlSteps, update } from "./steps.ts";
import type { EndingId, SqlStore } from "./store.ts";
import type { Table } from "./table.ts";
import { encodeText, isStorable } from "./values.ts";

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
      transaction: MODES[name] === "transaction" || (table !== undefined && needsTransaction(table, Object(args[0]))),
      readOnly: MODES[name] === "read",
      start: () => steps[name](...args),
    };
  };
}

/** Operations on the rows of one table. */
function rowSteps({ tables, lock }: SqlStore, sql: Statements, { makeId }: OperationSettings) {
  const { users, accounts, sessions, verificationTokens, authenticators } = tables;
  return {
    createUser: (user) => create(users, { ...user, id: user.id || makeId() }, "user"),
    getUser: (id) => findOne(users, sql.userById, [id]),
    getUserByEmail: (email) => findOne(users, sql.userByEmail, [email]),
    updateUser: (changes) => changeExisting(users, changes, { lock, what: "user" }),
    linkAccount: (account) => create(accounts, account, "account"),
    unlinkAccount: (key) => findOne(accounts, sql.deleteAccount, [key.provider, key.providerAccountId]),
    getAccount: (providerAccountId, provider) => findOne(accounts, sql.accountByKey, [provider, providerAccountId]),
    updateAccount: (changes) => update(accounts, changes, lock),
    listAccountsByUserId: (userId) => findAll(accounts, sql.accountsOfUser, [userId]),
    createSession: (session) => create(sessions, session, "session"),
    updateSession: (changes) => update(sessions, changes, lock),
    deleteSession: (sessionToken) => findOne(sessions, sql.deleteSession, [sessionToken]),
    listSessionsByUserId: (userId) => findAll(sessions, sql.sessionsOfUser, [userId]),
    listSessionsByProviderSid: ({ provider, sid }) => findAll(sessions, sql.sessionsOfProvider(), [provider, sid]),
    createVerificationToken: (token) => create(verificationTokens, token, "token"),
    useVerificationToken: (key) => findOne(verificationTokens, sql.deleteToken, [key.identifier, key.token]),
    getVerificationToken: (key) => findOne(verificationTokens, sql.tokenByKey, [key.identifier, key.token]),
    createAuthenticator: (authenticator) => create(authenticators, authenticator, "authenticator"),
    getAuthenticator: (credentialID) => findOne(authenticators, sql.authenticatorById, [credentialID]),
    listAuthenticatorsByUserId: (userId) => findAll(authenticators, sql.authenticatorsOfUser, [userId]),
    updateAuthenticator: (changes) => update(authenticators, changes, lock),
    deleteAuthenticator: (credentialID) => findOne(authenticators, sql.deleteAuthenticator, [credentialID]),
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
  const { tables, ends, lock, hasRecords } = store;
  const records = recordSteps(store, now);
  const { users, sessions, authenticators } = tables;
  return {
    getUserByAccount: (key) => findOne(users, sql.userByAccount, [key.provider, key.providerAccountId]),
    deleteUser: function* (id) {
      yield* recordEnd(store, sql, endRecordOf(id, now()));
      // Foreign keys may not cascade in tables that other software made.
      if (hasRecords) yield* records.removeOf({ userId: id });
      yield* run(sql.deleteAuthenticatorsOfUser, [id]);
      yield* run(sql.deleteSessionsOfUser, [id]);
      yield* run(sql.deleteAccountsOfUser, [id]);
      return yield* findOne(users, sql.deleteUser, [id]);
    },
    // What each page view asks: without a generator within another.
    getSessionAndUser: function* (sessionToken) {
      if (!isStorable(sessionToken)) return null;
      const [row] = yield { sql: sql.sessionAndUser, params: [sessionToken] };
      return row ? { session: sessions.read(row), user: users.read(row, sessions.width) } : null;
    },
    deleteSessionsByUserId: function* (userId) {
      yield* recordEnd(store, sql, endRecordOf(userId, now()));
      yield* run(sql.deleteSessionsOfUser, [userId]);
    },
    deleteOtherSessions: function* ({ userId, sessionToken }) {
      yield* run(sql.deleteOtherSessions, [userId, sessionToken]);
    },
    updateAuthenticatorCounter: (credentialID, counter) =>
      changeExisting(authenticators, { credentialID, counter }, { lock, what: "authenticator" }),
    once: function* (key, expires) {
      const { encode } = ends.onceMarks.codec;
      const rows = yield {
        sql: sql.insertReplayGuard,
        params: [encodeText(key), encode(expires), encode(new Date(now()))],
      };
      return rows.length > 0;
    },
    commit: (plan) => commitPlan({ store, sql, records }, plan),
    sweep: function* (id) {
      yield { sql: sql.sweep(id), params: [ends[id].codec.encode(new Date(now() - SWEEP_GRACE * 1000))] };
    },
  } satisfies Partial<Steps>;
}

// First, so that two operations about one user run one after the other.
function* recordEnd(
  { ends }: SqlStore,
  sql: Statements,
  { identifier, token, expires }: VerificationToken,
): SqlSteps<void> {
  if (!isStorable(identifier)) return;
  yield { sql: sql.recordEnd, params: [identifier, token, ends.verificationTokens.codec.encode(expires)] };
}

function* create<Stored>(table: Table<Stored>, record: object, what: string): SqlSteps<Stored> {
  const stored = yield* insert(table, record);
  if (!stored) throw new ConstraintViolation(`Cannot store ${what}: there is one of the same id or address`);
  return stored;
}

function* changeExisting<Stored>(
  table: Table<Stored>,
  changes: object,
  { lock, what }: { readonly lock: string; readonly what: string },
): SqlSteps<Stored> {
  const stored = yield* update(table, changes, lock);
  if (!stored) throw new ConstraintViolation(`Cannot change ${what}: there is none of this id`);
  return stored;
}
