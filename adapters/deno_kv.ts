/**
 * Storage in Deno KV.
 *
 * All keys begin with one prefix, by default `["auth"]`. A record and the entries by which it is found are written in the
 * same atomic operation:
 *
 * | key                                              | value                                            |
 * | ------------------------------------------------ | ------------------------------------------------ |
 * | `user`, id                                       | the user and their epochs                        |
 * | `user_by_email`, address                         | id of the user                                   |
 * | `account`, provider, account id                  | the account                                      |
 * | `session`, token                                 | the session                                      |
 * | `credential`, id                                 | the authenticator                                |
 * | `account_by_user`, user id, provider, account id | `true`; likewise for sessions and credentials    |
 * | `session_by_sid`, provider, its `sid`, token     | `true`                                           |
 * | `record`, kind, id                               | the record of a feature                          |
 * | `record_by_user`, user id, kind, id              | `true`                                           |
 * | `record_by_group`, group, kind, id               | `true`                                           |
 * | `bucket`, key                                    | when the bucket of a limit will be full          |
 * | `credential_count`, user id                      | the number of the user's credentials             |
 * | `ended`, user id                                 | where to continue to remove records that ended   |
 * | `token`, address, hash                           | the verification token                           |
 * | `mark`, key                                      | until when `once()` recorded the key             |
 * | `receipt`, random                                | which attempt of a write succeeded; expires      |
 *
 * Users and their records are stored as a pair: the record, and its epoch. To end all sessions of a user, or to revoke
 * unverified credentials and accounts, the adapter starts another epoch, which changes only the user's entry. Records of
 * an epoch that has ended are not found any more. They are removed later, in small batches: by the operation that ended
 * them, and by later sign-ins. Records of former versions without an epoch can still be read.
 *
 * @module
 */
import type { AdapterSession, CompleteAdapter, ProviderSid, VerificationToken } from "../src/contract/adapter.ts";
import { ConstraintViolation, existing } from "../src/contract/commit.ts";
import type { RecordStore } from "../src/contract/records_apart.ts";
import { randomUuid } from "../src/crypto/random.ts";
import { takeFrom } from "./kv/buckets.ts";
import { endSessions } from "./kv/epoch.ts";
import {
  findRecord,
  type KvRecordStore,
  listRecords,
  putRecord,
  removeRecord,
  removeRecordsOf,
} from "./kv/feature_records.ts";
import { findOwned, findUser, isLive, reader, rowOf, Sessions, type StoredRow } from "./kv/find.ts";
import type { KvKey, KvLike } from "./kv/kv_like.ts";
import {
  ACCOUNT,
  addressKey,
  CREDENTIAL,
  type Ending,
  type Owned,
  ownedKey,
  ownerKey,
  providerSidKey,
  replayGuardKey,
  SESSION,
  tokenKey,
} from "./kv/layout.ts";
import { commitPlan } from "./kv/plan.ts";
import {
  addOwned,
  addUser,
  changeOwned,
  changeUser,
  endOtherSessions,
  recordEnd,
  removeOwned,
  removeUser,
  startEpoch,
} from "./kv/records.ts";
import { type KvStore, listBelow, read, readEntries } from "./kv/store.ts";
import { sweepAnybody, sweepUser } from "./kv/sweep.ts";
import { transact } from "./kv/transaction.ts";
import { InvalidConfig } from "../src/kernel/errors.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { isThenable, kindOf } from "../src/kernel/objects.ts";

export type * from "../src/adapters.ts";
export type { KvAtomic, KvCheck, KvEntry, KvKey, KvLike, KvListed } from "./kv/kv_like.ts";

/** Options of {@linkcode denoKvAdapter}. */
export interface DenoKvAdapterOptions {
  /** The beginning of every key. Adapters with different prefixes do not see each other. @default {["auth"]} */
  readonly prefix?: KvKey | undefined;
  /** The clock, in milliseconds since 1970. @default {Date.now} */
  readonly now?: (() => number) | undefined;
  /** Seconds to retry while others change the same records, or the store fails. @default {5} */
  readonly patience?: number | undefined;
}

/**
 * Stores everything in Deno KV: in a file, in the cloud, or with `npm:@deno/kv` in Node.
 *
 * Each operation and each plan is one atomic operation, so nothing is stored by halves. If the response of the store is
 * lost, the adapter finds out whether the write happened before it retries. Deno KV removes sessions, verification tokens
 * and replay guards some time after they end.
 *
 * Deno KV limits records to 64 KiB and keys to 2,048 bytes; a user may have 60 KiB. To remove a user, revoke what is
 * unverified or end all sessions is one small write however many records the user has, and sign-ins of others do not
 * interfere. Records that have ended are not found any more, and are removed a few at a time.
 *
 * `npm:@deno/kv` checks at most ten records in one atomic operation, Deno a hundred. A plan that needs more checks fails
 * there. No sign-in of this package does.
 *
 * Needs the flag `--unstable-kv`, or `"unstable": ["kv"]` in deno.json.
 *
 * @example Usage
 * ```ts
 * import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
 * import assert from "node:assert/strict";
 *
 * const kv = await Deno.openKv(":memory:");
 * const adapter = denoKvAdapter(kv);
 * await adapter.createUser({ id: "1", email: "ada@example.com", emailVerified: null });
 *
 * assert.equal((await adapter.getUserByEmail("ada@example.com"))?.id, "1");
 * kv.close();
 * ```
 *
 * @param kv The open store. You close it.
 * @param options The prefix, the clock, and how long to retry.
 * @throws {InvalidConfig} if it is not a store, for example because its promise was not awaited.
 * @returns The adapter. Its operations throw `AdapterError` if Deno KV cannot store a record, or retries take too long.
 */
export function denoKvAdapter(kv: KvLike, options: DenoKvAdapterOptions = {}): CompleteAdapter {
  const store: KvRecordStore = { ...storeOf("denoKvAdapter", kv, options), hasUsers: true };
  return {
    ...userOperations(store),
    ...accountOperations(store),
    ...sessionOperations(store, new Sessions(store)),
    ...authenticatorOperations(store),
    ...tokenOperations(store),
    ...recordOperations(store),
    take: (buckets, now) => takeFrom(store, buckets, now),
    commit: (plan) => commitPlan(store, plan),
  };
}

/**
 * Stores records of features in Deno KV, beside an adapter that has none: see `withRecords()`.
 *
 * @example Usage
 * ```ts
 * import { kvRecords } from "@x/auth/adapters/deno-kv";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { withRecords } from "@x/auth/adapters/records";
 *
 * const kv = await Deno.openKv(":memory:");
 * const adapter = withRecords(memoryAdapter(), kvRecords(kv));
 * kv.close();
 * ```
 *
 * @param kv The open store. You close it.
 * @param options The prefix, the clock, and how long to retry.
 * @returns The records. Pass them to `withRecords()`.
 * @throws {InvalidConfig} if it is not a store, for example because its promise was not awaited.
 */
export function kvRecords(kv: KvLike, options: DenoKvAdapterOptions = {}): RecordStore {
  const store = { ...storeOf("kvRecords", kv, options), hasUsers: false };
  return {
    ...recordOperations(store),
    removeRecordsOf: (which) => removeRecordsOf(store, which),
    take: (buckets, now) => takeFrom(store, buckets, now),
  };
}

function storeOf(
  name: string,
  kv: KvLike,
  { prefix = ["auth"], now = systemRuntime.now, patience = 5 }: DenoKvAdapterOptions,
): KvStore {
  if (typeof (kv as Partial<KvLike> | undefined)?.atomic !== "function") {
    const problem = isThenable(kv) ? "it is a promise; `await` it" : `it is ${kindOf(kv)}; pass what it resolves to`;
    throw new InvalidConfig(`Cannot use the store of \`${name}()\`: ${problem}, as in \`await Deno.openKv()\``, {
      logCode: "driver-unusable",
    });
  }
  return { kv, prefix: [...prefix], now, retryTimeout: patience };
}

function userOperations(store: KvStore) {
  return {
    createUser: (user) => transact(store, (tx) => addUser(tx, { ...user, id: user.id || randomUuid(systemRuntime) })),
    getUser: async (id) => (await findUser(reader(store), id))?.user ?? null,
    getUserByEmail: async (email) => {
      const id = await read<string>(store, addressKey(email));
      const user = id === null ? null : (await findUser(reader(store), id))?.user;
      // The user may have changed address between the two reads.
      return user?.email === email ? user : null;
    },
    getUserByAccount: async (key) => (await findOwned(reader(store), ACCOUNT, ACCOUNT.idOf(key)))?.owner.user ?? null,
    updateUser: (changes) => transact(store, (tx) => changeUser(tx, changes)),
    deleteUser: async (userId) => {
      const user = await transact(store, async (tx) => {
        await recordEnd(tx, store, userId);
        return await removeUser(tx, userId);
      });
      if (user) await sweepUser(store, userId);
      return user;
    },
  } satisfies Partial<CompleteAdapter>;
}

function accountOperations(store: KvStore) {
  return {
    linkAccount: (account) => transact(store, (tx) => addOwned(tx, ACCOUNT, account)),
    unlinkAccount: (key) => transact(store, (tx) => removeOwned(tx, ACCOUNT, ACCOUNT.idOf(key))),
    getAccount: async (providerAccountId, provider) =>
      (await findOwned(reader(store), ACCOUNT, [provider, providerAccountId]))?.row ?? null,
    updateAccount: (changes) => transact(store, (tx) => changeOwned(tx, ACCOUNT, changes)),
    listAccountsByUserId: (userId) => listOwned(store, ACCOUNT, userId),
  } satisfies Partial<CompleteAdapter>;
}

function sessionOperations(store: KvStore, sessions: Sessions) {
  return {
    createSession: async (session) => {
      const made = await transact(store, (tx) => addOwned(tx, SESSION, session));
      await sweepAnybody(store);
      return made;
    },
    getSessionAndUser: (sessionToken) => sessions.find(sessionToken),
    updateSession: (changes) => transact(store, (tx) => changeOwned(tx, SESSION, changes)),
    deleteSession: (sessionToken) => {
      sessions.forget(sessionToken);
      return transact(store, (tx) => removeOwned(tx, SESSION, [sessionToken]));
    },
    listSessionsByUserId: (userId) => listOwned(store, SESSION, userId),
    listSessionsByProviderSid: (key) => listSessionsOfProvider(store, key),
    deleteSessionsByUserId: async (userId) => {
      await transact(store, async (tx) => {
        await recordEnd(tx, store, userId);
        await startEpoch(tx, userId, endSessions);
      });
      await sweepUser(store, userId);
    },
    deleteOtherSessions: async (kept) => {
      await transact(store, (tx) => endOtherSessions(tx, kept));
      await sweepUser(store, kept.userId);
    },
  } satisfies Partial<CompleteAdapter>;
}

function authenticatorOperations(store: KvStore) {
  return {
    createAuthenticator: (authenticator) => transact(store, (tx) => addOwned(tx, CREDENTIAL, authenticator)),
    getAuthenticator: async (credentialID) => (await findOwned(reader(store), CREDENTIAL, [credentialID]))?.row ?? null,
    listAuthenticatorsByUserId: (userId) => listOwned(store, CREDENTIAL, userId),
    updateAuthenticatorCounter: (credentialID, counter) =>
      transact(
        store,
        async (tx) => existing(await changeOwned(tx, CREDENTIAL, { credentialID, counter }), "authenticator"),
      ),
    updateAuthenticator: (changes) => transact(store, (tx) => changeOwned(tx, CREDENTIAL, changes)),
    deleteAuthenticator: (id) => transact(store, (tx) => removeOwned(tx, CREDENTIAL, [id])),
  } satisfies Partial<CompleteAdapter>;
}

function tokenOperations(store: KvStore) {
  return {
    createVerificationToken: (token) =>
      transact(store, async (tx) => {
        const key = tokenKey(token);
        if (await tx.get(key)) throw new ConstraintViolation("Cannot store verification token: it exists already");
        tx.set(key, token, token.expires);
        return token;
      }),
    getVerificationToken: (key) => read(store, tokenKey(key)),
    useVerificationToken: (key) =>
      transact(store, async (tx) => {
        const row = await tx.get<VerificationToken>(tokenKey(key));
        if (row) tx.delete(tokenKey(key));
        return row;
      }),
    once: (key, expires) =>
      transact(store, async (tx) => {
        const end = await tx.get<Date>(replayGuardKey(key));
        if (end && end.getTime() > store.now()) return false;
        tx.set(replayGuardKey(key), expires, expires);
        return true;
      }),
  } satisfies Partial<CompleteAdapter>;
}

function recordOperations(store: KvRecordStore) {
  return {
    getRecord: (key) => findRecord(store, key),
    putRecord: (record) => transact(store, (tx) => putRecord(store, tx, record)),
    removeRecord: (key) => transact(store, (tx) => removeRecord(store, tx, key)),
    listRecords: (query) => listRecords(store, query),
  } satisfies Partial<CompleteAdapter>;
}

async function listSessionsOfProvider(store: KvStore, key: ProviderSid): Promise<AdapterSession[]> {
  const ids = await listBelow(store, providerSidKey(key));
  const found = await Promise.all(ids.map((id) => findOwned(reader(store), SESSION, id)));
  return found.flatMap((each) => {
    return each && each.row.provider === key.provider && each.row.providerSid === key.sid ? [each.row] : [];
  });
}

async function listOwned<Row extends Owned>(store: KvStore, kind: Ending<Row>, userId: string): Promise<Row[]> {
  const keys = (await listBelow(store, ownerKey(kind, userId))).map((id) => ownedKey(kind, id));
  const entries = await readEntries<StoredRow<Row>>(store, keys);
  // Read last, so that records which ended meanwhile are not listed.
  const owner = await findUser(reader(store), userId);
  if (!owner) return [];
  return entries.flatMap(({ value }) => {
    return value && rowOf(value).userId === userId && isLive(kind, value, owner) ? [rowOf(value)] : [];
  });
}
