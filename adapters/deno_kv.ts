/**
 * Storage in Deno KV.
 *
 * Everything is below one prefix, by default `["auth"]`. Each record is at a key of its own; what finds it otherwise is
 * written with it, in the same atomic operation:
 *
 * | key                                                   | value                                       |
 * | ----------------------------------------------------- | ------------------------------------------- |
 * | `user`, id                                            | the user, and what has ended of theirs      |
 * | `user_by_email`, address                              | id of the user                              |
 * | `account`, provider, account id                       | the account                                 |
 * | `session`, token                                      | the session                                 |
 * | `credential`, id                                      | the credential                              |
 * | `account_by_user`, user id, provider, account id      | `true`; the same for the other two          |
 * | `credential_count`, user id                           | how many credentials a user has             |
| `ended`, user id                                      | that records ended, and are to be removed   |
 * | `token`, address, hash                                | the token that was sent by e-mail           |
 * | `mark`, key                                           | when the mark ends                          |
 * | `receipt`, random                                     | that something was written; goes by itself  |
 *
 * A user, and what belongs to one, is stored as a pair: the record, and its epoch. All sessions of a user are ended by
 * beginning another epoch, and so are the credentials and accounts of whoever is evicted: that changes the user's entry
 * alone. What was written in an epoch that has ended is not found any more. It is removed afterwards, in small batches, by
 * whoever ended it and by some of those who sign in later. Records of former versions have no epoch, and are read as well.
 *
 * @module
 */
import type { CompleteAdapter, SessionAndUser, VerificationToken } from "../src/contract/adapter.ts";
import { ConstraintViolation, existing } from "../src/contract/commit.ts";
import { randomUuid } from "../src/crypto/random.ts";
import { endSessions } from "./kv/epoch.ts";
import { findOwned, findUser, type Get, isLive, rowOf, type StoredRow } from "./kv/find.ts";
import type { KvKey, KvLike } from "./kv/kv_like.ts";
import {
  ACCOUNT,
  addressKey,
  CREDENTIAL,
  type Ending,
  type Owned,
  ownedKey,
  ownerKey,
  replayGuardKey,
  SESSION,
  tokenKey,
} from "./kv/layout.ts";
import { commitPlan } from "./kv/plan.ts";
import { addOwned, addUser, changeOwned, changeUser, removeOwned, removeUser, startEpoch } from "./kv/records.ts";
import { listBelow, read, readEntries, type Store } from "./kv/store.ts";
import { sweepAnybody, sweepUser } from "./kv/sweep.ts";
import { transact } from "./kv/transact.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";

export type { KvAtomic, KvCheck, KvEntry, KvKey, KvLike, KvListed } from "./kv/kv_like.ts";

/** What a developer may set on {@linkcode denoKvAdapter}. */
export interface DenoKvAdapterOptions {
  /** What every key begins with. Adapters with different prefixes do not see each other. @default {["auth"]} */
  readonly prefix?: KvKey | undefined;
  /** The clock, in milliseconds since 1970. @default {Date.now} */
  readonly now?: (() => number) | undefined;
  /** Seconds to try again while others change the same records, or the store fails. @default {5} */
  readonly patience?: number | undefined;
}

/**
 * Stores everything in Deno KV: in a file, in the cloud, or with `npm:@deno/kv` in Node.
 *
 * Every operation and every plan is one atomic operation, so nothing is ever half there. If the answer of the store is
 * lost, the adapter finds out whether it was written before it tries again. Sessions, e-mail tokens and marks are
 * removed by Deno KV some time after they end.
 *
 * Deno KV takes at most 64 KiB for a record, of which a user may have 60, and 2,048 bytes for a key. However much a user
 * has, removing or evicting them and ending their sessions is one small change, and who else signs in does not hinder
 * it. What has ended is not found from then on; it leaves the store a little at a time, with the sign-ins that follow.
 * `npm:@deno/kv` looks at ten records at once, where Deno looks at a hundred: there a plan that touches more fails. No
 * sign-in of this package does.
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
 * @param kv The opened store; closing it is up to you.
 * @param options The prefix, the clock, and how long to try.
 * @returns The adapter. Its operations throw {@linkcode AdapterError} if Deno KV cannot take a record, or time is up.
 */
export function denoKvAdapter(
  kv: KvLike,
  { prefix = ["auth"], now = systemRuntime.now, patience = 5 }: DenoKvAdapterOptions = {},
): CompleteAdapter {
  const store: Store = { kv, prefix: [...prefix], now, retryTimeout: patience };
  return {
    ...userOperations(store),
    ...accountOperations(store),
    ...sessionOperations(store),
    ...authenticatorOperations(store),
    ...tokenOperations(store),
    commit: (plan) => commitPlan(store, plan),
  };
}

function userOperations(store: Store) {
  return {
    createUser: (user) => transact(store, (tx) => addUser(tx, { ...user, id: user.id || randomUuid(systemRuntime) })),
    getUser: async (id) => (await findUser(reader(store), id))?.user ?? null,
    getUserByEmail: async (email) => {
      const id = await read<string>(store, addressKey(email));
      const user = id === null ? null : (await findUser(reader(store), id))?.user;
      // The address may have changed hands between the two reads.
      return user?.email === email ? user : null;
    },
    getUserByAccount: async (key) => (await findOwned(reader(store), ACCOUNT, ACCOUNT.idOf(key)))?.owner.user ?? null,
    updateUser: (changes) => transact(store, (tx) => changeUser(tx, changes)),
    deleteUser: async (userId) => {
      const user = await transact(store, (tx) => removeUser(tx, userId));
      if (user) await sweepUser(store, userId);
      return user;
    },
  } satisfies Partial<CompleteAdapter>;
}

function accountOperations(store: Store) {
  return {
    linkAccount: (account) => transact(store, (tx) => addOwned(tx, ACCOUNT, account)),
    unlinkAccount: (key) => transact(store, (tx) => removeOwned(tx, ACCOUNT, ACCOUNT.idOf(key))),
    getAccount: async (providerAccountId, provider) =>
      (await findOwned(reader(store), ACCOUNT, [provider, providerAccountId]))?.row ?? null,
    updateAccount: (changes) => transact(store, (tx) => changeOwned(tx, ACCOUNT, changes)),
    listAccountsByUserId: (userId) => listOwned(store, ACCOUNT, userId),
  } satisfies Partial<CompleteAdapter>;
}

function sessionOperations(store: Store) {
  return {
    createSession: async (session) => {
      const made = await transact(store, (tx) => addOwned(tx, SESSION, session));
      await sweepAnybody(store);
      return made;
    },
    getSessionAndUser: (sessionToken) => findSession(store, sessionToken),
    updateSession: (changes) => transact(store, (tx) => changeOwned(tx, SESSION, changes)),
    deleteSession: (sessionToken) => transact(store, (tx) => removeOwned(tx, SESSION, [sessionToken])),
    listSessionsByUserId: (userId) => listOwned(store, SESSION, userId),
    deleteSessionsByUserId: async (userId) => {
      await transact(store, (tx) => startEpoch(tx, userId, endSessions));
      await sweepUser(store, userId);
    },
  } satisfies Partial<CompleteAdapter>;
}

function authenticatorOperations(store: Store) {
  return {
    createAuthenticator: (authenticator) => transact(store, (tx) => addOwned(tx, CREDENTIAL, authenticator)),
    getAuthenticator: async (credentialID) => (await findOwned(reader(store), CREDENTIAL, [credentialID]))?.row ?? null,
    listAuthenticatorsByUserId: (userId) => listOwned(store, CREDENTIAL, userId),
    updateAuthenticatorCounter: (credentialID, counter) =>
      transact(
        store,
        async (tx) => existing(await changeOwned(tx, CREDENTIAL, { credentialID, counter }), "credential"),
      ),
    updateAuthenticator: (changes) => transact(store, (tx) => changeOwned(tx, CREDENTIAL, changes)),
    deleteAuthenticator: (id) => transact(store, (tx) => removeOwned(tx, CREDENTIAL, [id])),
  } satisfies Partial<CompleteAdapter>;
}

function tokenOperations(store: Store) {
  return {
    createVerificationToken: (token) =>
      transact(store, async (tx) => {
        const key = tokenKey(token);
        if (await tx.get(key)) throw new ConstraintViolation("Cannot store e-mail token: it exists");
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

async function findSession(store: Store, sessionToken: string): Promise<SessionAndUser | null> {
  const found = await findOwned(reader(store), SESSION, [sessionToken]);
  return found && { session: found.row, user: found.owner.user };
}

async function listOwned<Row extends Owned>(store: Store, kind: Ending<Row>, userId: string): Promise<Row[]> {
  const keys = (await listBelow(store, ownerKey(kind, userId))).map((id) => ownedKey(kind, id));
  const entries = await readEntries<StoredRow<Row>>(store, keys);
  // Read last, so that nothing is listed beside what has ended it.
  const owner = await findUser(reader(store), userId);
  if (!owner) return [];
  return entries.flatMap(({ value }) => {
    return value && rowOf(value).userId === userId && isLive(kind, value, owner) ? [rowOf(value)] : [];
  });
}

function reader(store: Store): Get {
  return (key) => read(store, key);
}
