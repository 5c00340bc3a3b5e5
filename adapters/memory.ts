/**
 * Storage in the memory of one process, for tests and demos. It is also the shortest adapter to read.
 *
 * @module
 */
import type { CompleteAdapter } from "../src/contract/adapter.ts";
import { bucketsInMemory } from "../src/contract/buckets_in_memory.ts";
import type { RecordsOfUser, RecordStore } from "../src/contract/records_apart.ts";
import type { KeptSessionStore } from "../src/contract/sessions_apart.ts";
import { existing } from "../src/contract/commit.ts";
import { randomUuid } from "../src/crypto/random.ts";
import { commitPlan } from "./memory/plan.ts";
import { findRecord, listRecords, putRecord, removeRecord, removeRecordsOf } from "./memory/records.ts";
import { sessionsInMemory } from "./memory/sessions.ts";
import {
  accountKey,
  addOwned,
  addUser,
  changeOwned,
  changeUser,
  emptyTables,
  endSessions,
  ofUser,
  removeUser,
  type Tables,
  tokenKey,
} from "./memory/tables.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";

export type * from "../src/adapters.ts";

/** Options of {@linkcode memoryAdapter}. */
export interface MemoryAdapterOptions {
  /** The clock, in milliseconds since 1970. @default {Date.now} */
  readonly now?: (() => number) | undefined;
}

/**
 * Stores everything in memory. The data is gone when the process ends, and other processes do not see it.
 *
 * Each insert removes some sessions, verification tokens and replay guards that have ended. To find a user by address, or
 * the records of a user, the adapter looks at all rows.
 *
 * @example Usage
 * ```ts
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import assert from "node:assert/strict";
 *
 * const adapter = memoryAdapter();
 * await adapter.createUser({ id: "1", email: "ada@example.com", emailVerified: null });
 *
 * assert.equal((await adapter.getUserByEmail("ada@example.com"))?.id, "1");
 * ```
 *
 * @param options The clock.
 * @returns The adapter, without data.
 */
export function memoryAdapter({ now = systemRuntime.now }: MemoryAdapterOptions = {}): CompleteAdapter {
  const tables = emptyTables(now);
  return rejecting<CompleteAdapter>({
    ...userOperations(tables),
    ...accountOperations(tables),
    ...sessionOperations(tables),
    ...authenticatorOperations(tables),
    ...tokenOperations(tables, now),
    ...recordOperations(tables),
    take: bucketsInMemory(),
    commit: (plan) => commitPlan(tables, plan),
  });
}

function recordOperations(tables: Tables) {
  return {
    getRecord: (key) => findRecord(tables, key),
    putRecord: (record) => putRecord(tables, record),
    removeRecord: (key) => removeRecord(tables, key),
    listRecords: (query) => listRecords(tables, query),
  } satisfies Partial<CompleteAdapter>;
}

/**
 * Stores records of features in memory, beside an adapter that has none: see `withRecords()`. For tests and demos.
 *
 * @example Usage
 * ```ts
 * import { memoryRecords } from "@x/auth/adapters/memory";
 * import assert from "node:assert/strict";
 *
 * const records = memoryRecords();
 * await records.putRecord({ kind: "event", id: "1", userId: "u-1", version: 0, data: {} });
 *
 * assert.equal((await records.listRecords({ kind: "event", userId: "u-1" })).length, 1);
 * ```
 *
 * @param options The clock.
 * @returns The records. Pass them to `withRecords()`.
 */
export function memoryRecords({ now = systemRuntime.now }: MemoryAdapterOptions = {}): RecordStore {
  const tables = { ...emptyTables(now), hasUsers: false };
  return rejecting({
    ...recordOperations(tables),
    removeRecordsOf: (which: RecordsOfUser) => removeRecordsOf(tables, which),
    take: bucketsInMemory(),
  }) as RecordStore;
}

/**
 * Keeps sessions in memory, beside an adapter: see `withSessions()`. For tests.
 *
 * @example Usage
 * ```ts
 * import { memoryAdapter, memorySessions } from "@x/auth/adapters/memory";
 * import { withSessions } from "@x/auth/adapters/sessions";
 * import assert from "node:assert/strict";
 *
 * const adapter = withSessions(memoryAdapter(), memorySessions());
 *
 * assert.equal(await adapter.getSessionAndUser("unknown"), null);
 * ```
 *
 * @returns The sessions. Pass them to `withSessions()`.
 */
export function memorySessions(): KeptSessionStore {
  return rejecting<object>(sessionsInMemory()) as KeptSessionStore;
}

/** Makes promises of all operations: code that is written for a database catches what they reject with. */
function rejecting<Operations extends object>(operations: Operations): Operations {
  const asynchronous = Object.entries(operations).map(([name, operation]) => {
    const run = operation as (...args: readonly unknown[]) => unknown;
    return [name, async (...args: readonly unknown[]) => await run(...args)];
  });
  return Object.fromEntries(asynchronous) as Operations;
}

function userOperations(tables: Tables) {
  const { users, accounts } = tables;
  return {
    createUser: (user) => addUser(tables, { ...user, id: user.id || randomUuid(systemRuntime) }),
    getUser: (id) => users.get(id),
    getUserByEmail: (email) => users.filter((user) => user.email === email)[0] ?? null,
    getUserByAccount: (key) => {
      const account = accounts.get(accountKey(key));
      return account && users.get(account.userId);
    },
    updateUser: (changes) => changeUser(tables, changes),
    deleteUser: (userId) => removeUser(tables, userId),
  } satisfies Partial<CompleteAdapter>;
}

function accountOperations(tables: Tables) {
  const { accounts } = tables;
  return {
    linkAccount: (account) => addOwned(tables, accounts, account),
    unlinkAccount: (key) => accounts.delete(accountKey(key)),
    getAccount: (providerAccountId, provider) => accounts.get(accountKey({ provider, providerAccountId })),
    updateAccount: (changes) => changeOwned(tables, accounts, changes),
    listAccountsByUserId: (userId) => accounts.filter(ofUser(userId)),
  } satisfies Partial<CompleteAdapter>;
}

function sessionOperations(tables: Tables) {
  const { users, sessions } = tables;
  return {
    createSession: (session) => addOwned(tables, sessions, session),
    getSessionAndUser: (sessionToken) => {
      const session = sessions.get(sessionToken);
      const user = session && users.get(session.userId);
      return user && { session, user };
    },
    updateSession: (changes) => changeOwned(tables, sessions, changes),
    deleteSession: (sessionToken) => sessions.delete(sessionToken),
    listSessionsByUserId: (userId) => sessions.filter(ofUser(userId)),
    listSessionsByProviderSid: ({ provider, sid }) => {
      return sessions.filter((row) => row.provider === provider && row.providerSid === sid);
    },
    deleteSessionsByUserId: (userId) => endSessions(tables, userId),
    deleteOtherSessions: ({ userId, sessionToken }) => {
      for (const row of sessions.filter(ofUser(userId))) {
        if (row.sessionToken !== sessionToken) sessions.delete(row.sessionToken);
      }
    },
  } satisfies Partial<CompleteAdapter>;
}

function authenticatorOperations(tables: Tables) {
  const { authenticators } = tables;
  return {
    createAuthenticator: (authenticator) => addOwned(tables, authenticators, authenticator),
    getAuthenticator: (credentialID) => authenticators.get(credentialID),
    listAuthenticatorsByUserId: (userId) => authenticators.filter(ofUser(userId)),
    updateAuthenticatorCounter: (credentialID, counter) =>
      existing(authenticators.update({ credentialID, counter }), "authenticator"),
    updateAuthenticator: (changes) => changeOwned(tables, authenticators, changes),
    deleteAuthenticator: (credentialID) => authenticators.delete(credentialID),
  } satisfies Partial<CompleteAdapter>;
}

function tokenOperations({ tokens, replayGuards }: Tables, now: () => number) {
  return {
    createVerificationToken: (token) => tokens.insert(token),
    getVerificationToken: (key) => tokens.get(tokenKey(key)),
    useVerificationToken: (key) => tokens.delete(tokenKey(key)),
    once: (key, expires) => {
      const guard = replayGuards.get(key);
      if (guard && guard.expires.getTime() > now()) return false;
      replayGuards.delete(key);
      replayGuards.insert({ key, expires });
      return true;
    },
  } satisfies Partial<CompleteAdapter>;
}
