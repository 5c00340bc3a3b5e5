/**
 * Storage in Deno KV.
 *
 * Everything is below one prefix, by default `["auth"]`. Each record is at a key of its own; what finds it otherwise is
 * written with it, in the same atomic operation:
 *
 * | key                                                   | value                                       |
 * | ----------------------------------------------------- | ------------------------------------------- |
 * | `user`, id                                            | the user                                    |
 * | `user_by_email`, address                              | id of the user                              |
 * | `account`, provider, account id                       | the account                                 |
 * | `session`, token                                      | the session                                 |
 * | `credential`, id                                      | the credential                              |
 * | `account_by_user`, user id, provider, account id      | `true`; the same for the other two          |
 * | `roster`, user id                                     | changes when a user gets or loses any       |
 * | `token`, address, hash                                | the token that was sent by e-mail           |
 * | `mark`, key                                           | when the mark ends                          |
 * | `receipt`, random                                     | that something was written; goes by itself  |
 *
 * @module
 */
import type { AdapterSession, AdapterUser, CompleteAdapter, SessionAndUser, VerificationToken } from "../adapter.ts";
import { randomUuid } from "../crypto/random.ts";
import type { KvKey, KvLike } from "../kv/kv_like.ts";
import {
  ACCOUNT,
  addressKey,
  CREDENTIAL,
  type Kind,
  markKey,
  type Owned,
  ownedKey,
  ownerKey,
  SESSION,
  tokenKey,
  userKey,
} from "../kv/layout.ts";
import { commitPlan } from "../kv/plan.ts";
import {
  addOwned,
  addUser,
  changeOwned,
  changeUser,
  present,
  removeOwned,
  removeSessions,
  removeUser,
} from "../kv/records.ts";
import { listBelow, read, type Store } from "../kv/store.ts";
import { transact } from "../kv/transact.ts";
import { Refused } from "../kv/transaction.ts";
import { systemRuntime } from "../runtime.ts";

export type { KvAtomic, KvCheck, KvEntry, KvKey, KvLike, KvListed } from "../kv/kv_like.ts";

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
 * Deno KV takes at most 64 KiB for a record, 2,048 bytes for a key and 1,000 changes at once: removing a user with more
 * than about 490 sessions, accounts and credentials fails, and so does evicting one. `npm:@deno/kv` looks at ten records
 * at once, where Deno looks at a hundred: there a plan that touches more fails.
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
  const store: Store = { kv, prefix: [...prefix], now, patience };
  return {
    ...userOperations(store),
    ...accountOperations(store),
    ...sessionOperations(store),
    ...authenticatorOperations(store),
    ...tokenOperations(store),
    commit: (plan) => commitPlan(store, plan),
  };
}

type Operations<Name extends keyof CompleteAdapter> = Pick<CompleteAdapter, Name>;

function userOperations(
  store: Store,
): Operations<"createUser" | "getUser" | "getUserByEmail" | "getUserByAccount" | "updateUser" | "deleteUser"> {
  return {
    createUser: (user) => transact(store, (tx) => addUser(tx, { ...user, id: user.id || randomUuid(systemRuntime) })),
    getUser: (id) => read(store, userKey(id)),
    getUserByEmail: async (email) => {
      const id = await read<string>(store, addressKey(email));
      const user = id === null ? null : await read<AdapterUser>(store, userKey(id));
      // The address may have changed hands between the two reads.
      return user?.email === email ? user : null;
    },
    getUserByAccount: async (key) => {
      const account = await read<Owned>(store, ownedKey(ACCOUNT, ACCOUNT.idOf(key)));
      return account && await read(store, userKey(account.userId));
    },
    updateUser: (changes) => transact(store, (tx) => changeUser(tx, changes)),
    deleteUser: (userId) => transact(store, (tx) => removeUser(tx, userId)),
  };
}

function accountOperations(
  store: Store,
): Operations<"linkAccount" | "unlinkAccount" | "getAccount" | "updateAccount" | "listAccountsByUserId"> {
  return {
    linkAccount: (account) => transact(store, (tx) => addOwned(tx, ACCOUNT, account)),
    unlinkAccount: (key) => transact(store, (tx) => removeOwned(tx, { kind: ACCOUNT, id: ACCOUNT.idOf(key) })),
    getAccount: (providerAccountId, provider) => read(store, ownedKey(ACCOUNT, [provider, providerAccountId])),
    updateAccount: (changes) => transact(store, (tx) => changeOwned(tx, ACCOUNT, changes)),
    listAccountsByUserId: (userId) => listOwned(store, ACCOUNT, userId),
  };
}

function sessionOperations(
  store: Store,
): Operations<
  | "createSession"
  | "getSessionAndUser"
  | "updateSession"
  | "deleteSession"
  | "listSessionsByUserId"
  | "deleteSessionsByUserId"
> {
  return {
    createSession: (session) => transact(store, (tx) => addOwned(tx, SESSION, session)),
    getSessionAndUser: (sessionToken) => findSession(store, sessionToken),
    updateSession: (changes) => transact(store, (tx) => changeOwned(tx, SESSION, changes)),
    deleteSession: (sessionToken) => transact(store, (tx) => removeOwned(tx, { kind: SESSION, id: [sessionToken] })),
    listSessionsByUserId: (userId) => listOwned(store, SESSION, userId),
    deleteSessionsByUserId: (userId) => transact(store, (tx) => removeSessions(tx, userId)),
  };
}

function authenticatorOperations(
  store: Store,
): Operations<
  | "createAuthenticator"
  | "getAuthenticator"
  | "listAuthenticatorsByUserId"
  | "updateAuthenticatorCounter"
  | "updateAuthenticator"
  | "deleteAuthenticator"
> {
  return {
    createAuthenticator: (authenticator) => transact(store, (tx) => addOwned(tx, CREDENTIAL, authenticator)),
    getAuthenticator: (credentialID) => read(store, ownedKey(CREDENTIAL, [credentialID])),
    listAuthenticatorsByUserId: (userId) => listOwned(store, CREDENTIAL, userId),
    updateAuthenticatorCounter: (credentialID, counter) =>
      transact(
        store,
        async (tx) => present(await changeOwned(tx, CREDENTIAL, { credentialID, counter }), "credential"),
      ),
    updateAuthenticator: (changes) => transact(store, (tx) => changeOwned(tx, CREDENTIAL, changes)),
    deleteAuthenticator: (id) => transact(store, (tx) => removeOwned(tx, { kind: CREDENTIAL, id: [id] })),
  };
}

function tokenOperations(
  store: Store,
): Operations<"createVerificationToken" | "getVerificationToken" | "useVerificationToken" | "once"> {
  return {
    createVerificationToken: (token) =>
      transact(store, async (tx) => {
        const key = tokenKey(token);
        if (await tx.get(key)) throw new Refused("Cannot store e-mail token: it exists");
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
        const end = await tx.get<Date>(markKey(key));
        if (end && end.getTime() > store.now()) return false;
        tx.set(markKey(key), expires, expires);
        return true;
      }),
  };
}

async function findSession(store: Store, sessionToken: string): Promise<SessionAndUser | null> {
  const session = await read<AdapterSession>(store, ownedKey(SESSION, [sessionToken]));
  const user = session && await read<AdapterUser>(store, userKey(session.userId));
  return user && { session, user };
}

async function listOwned<Row extends Owned>(store: Store, kind: Kind<Row, never>, userId: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const id of await listBelow(store, ownerKey(kind, userId))) {
    const row = await read<Row>(store, ownedKey(kind, id));
    if (row?.userId === userId) rows.push(row);
  }
  return rows;
}
