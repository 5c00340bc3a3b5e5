/**
 * The operations of the contract, as work on tables.
 *
 * @module
 */
import type { CompleteAdapter } from "../../src/contract/adapter.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import { carryOut } from "./plan.ts";
import { quoteName, TABLES } from "./schema.ts";
import type { EndingId, Store } from "./store.ts";
import { readRecord, selectList, type Table } from "./table.ts";
import { encodeText } from "./values.ts";
import {
  add,
  change,
  type Condition,
  findAll,
  findOne,
  isCompound,
  lookUp,
  ofKey,
  removeAll,
  removeOne,
  type Task,
  where,
  type Work,
} from "./work.ts";

type TaskOf<Operation> = Operation extends (...args: infer Args) => infer Result
  ? (...args: Args) => Task<Awaited<Result>>
  : never;

/** Every operation of the contract, as a task for a database. */
export type Operations =
  & { readonly [Name in keyof CompleteAdapter]: TaskOf<CompleteAdapter[Name]> }
  & {
    /** Removes some rows of a table that ended long ago. */
    readonly sweep: (id: EndingId) => Task<void>;
  };

type Part<Name extends keyof Operations> = Pick<Operations, Name>;

/** What operations need besides the database. */
export interface Surroundings {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Makes ids of users who come without one. */
  readonly makeId: () => string;
}

/** Makes the operations for one database. */
export function makeOperations(store: Store, { now, makeId }: Surroundings): Operations {
  return {
    ...ofUsers(store, makeId),
    ...ofAccounts(store),
    ...ofSessions(store),
    ...ofTokens(store),
    ...ofAuthenticators(store),
    once: (key, expires) => alone(() => setMark(store, { key, expires, now: new Date(now()) })),
    commit: (plan) => whole(() => carryOut(store, plan)),
    sweep: (id) => alone(() => sweep(store, id, now())),
  };
}

function ofUsers({ tables, lock }: Store, makeId: () => string): Part<
  "createUser" | "getUser" | "getUserByEmail" | "getUserByAccount" | "updateUser" | "deleteUser"
> {
  const { users, accounts } = tables;
  const byAccount = `select ${selectList(users, { alias: "u", first: 0 })} from ${accounts.sql} a` +
    ` join ${users.sql} u on u."id" = a."userId" where a."provider" = ? and a."providerAccountId" = ?`;
  return {
    createUser: (user) => alone(() => made(add(users, { ...user, id: user.id || makeId() }), "user")),
    getUser: (id) => reading(() => findOne(users, where(users.key, [id]))),
    getUserByEmail: (email) => reading(() => findOne(users, where([{ sql: '"email"' }], [email]))),
    getUserByAccount: (key) =>
      reading(function* () {
        const [row] = yield* lookUp(byAccount, [key.provider, key.providerAccountId]);
        return row ? readRecord(users, row) : null;
      }),
    updateUser: (user) => changing(users, user, () => present(change(users, user, lock), "user")),
    deleteUser: (id) =>
      whole(function* () {
        // Not left to the database alone: tables that other software made may not be tied together.
        for (const table of [tables.authenticators, tables.sessions, accounts]) yield* removeAll(table, ofUser(id));
        return yield* removeOne(users, where(users.key, [id]));
      }),
  };
}

function ofAccounts({ tables: { accounts }, lock }: Store): Part<
  "linkAccount" | "unlinkAccount" | "getAccount" | "updateAccount" | "listAccountsByUserId"
> {
  return {
    linkAccount: (account) => alone(() => made(add(accounts, account), "account")),
    unlinkAccount: (key) => alone(() => removeOne(accounts, ofKey(accounts, key))),
    getAccount: (providerAccountId, provider) =>
      reading(() => findOne(accounts, ofKey(accounts, { provider, providerAccountId }))),
    updateAccount: (account) => changing(accounts, account, () => change(accounts, account, lock)),
    listAccountsByUserId: (userId) => reading(() => findAll(accounts, ofUser(userId))),
  };
}

function ofSessions({ tables: { sessions, users }, lock }: Store): Part<
  | "createSession"
  | "getSessionAndUser"
  | "updateSession"
  | "deleteSession"
  | "listSessionsByUserId"
  | "deleteSessionsByUserId"
> {
  const width = sessions.columns.length + 1;
  const withUser = `select ${selectList(sessions, { alias: "s", first: 0 })},` +
    ` ${selectList(users, { alias: "u", first: width })} from ${sessions.sql} s` +
    ` join ${users.sql} u on u."id" = s."userId" where s."sessionToken" = ?`;
  return {
    createSession: (session) => alone(() => made(add(sessions, session), "session")),
    getSessionAndUser: (sessionToken) =>
      reading(function* () {
        const [row] = yield* lookUp(withUser, [sessionToken]);
        return row ? { session: readRecord(sessions, row), user: readRecord(users, row, width) } : null;
      }),
    updateSession: (session) => changing(sessions, session, () => change(sessions, session, lock)),
    deleteSession: (sessionToken) => alone(() => removeOne(sessions, where(sessions.key, [sessionToken]))),
    listSessionsByUserId: (userId) => reading(() => findAll(sessions, ofUser(userId))),
    deleteSessionsByUserId: (userId) =>
      alone(function* () {
        yield* removeAll(sessions, ofUser(userId));
      }),
  };
}

function ofTokens({ tables: { verificationTokens: tokens } }: Store): Part<
  "createVerificationToken" | "useVerificationToken" | "getVerificationToken"
> {
  return {
    createVerificationToken: (token) => alone(() => made(add(tokens, token), "token")),
    useVerificationToken: (key) => alone(() => removeOne(tokens, ofKey(tokens, key))),
    getVerificationToken: (key) => reading(() => findOne(tokens, ofKey(tokens, key))),
  };
}

function ofAuthenticators({ tables: { authenticators }, lock }: Store): Part<
  | "createAuthenticator"
  | "getAuthenticator"
  | "listAuthenticatorsByUserId"
  | "updateAuthenticatorCounter"
  | "updateAuthenticator"
  | "deleteAuthenticator"
> {
  const byId = (credentialID: string) => where(authenticators.key, [credentialID]);
  return {
    createAuthenticator: (authenticator) => alone(() => made(add(authenticators, authenticator), "authenticator")),
    getAuthenticator: (credentialID) => reading(() => findOne(authenticators, byId(credentialID))),
    listAuthenticatorsByUserId: (userId) => reading(() => findAll(authenticators, ofUser(userId))),
    updateAuthenticatorCounter: (credentialID, counter) =>
      alone(() => present(change(authenticators, { credentialID, counter }, lock), "authenticator")),
    updateAuthenticator: (changes) => changing(authenticators, changes, () => change(authenticators, changes, lock)),
    deleteAuthenticator: (credentialID) => alone(() => removeOne(authenticators, byId(credentialID))),
  };
}

/** A task of one statement. A record in its result is of the type that the contract gives to its table. */
function alone<Result>(start: () => Work<unknown>): Task<Result> {
  return { whole: false, reads: false, start: start as () => Work<Result> };
}

/** A task of one statement that only reads. */
function reading<Result>(start: () => Work<unknown>): Task<Result> {
  return { ...alone<Result>(start), reads: true };
}

/** A task that is one transaction. */
function whole<Result>(start: () => Work<unknown>): Task<Result> {
  return { ...alone<Result>(start), whole: true };
}

function changing<Result>(table: Table, changes: object, start: () => Work<unknown>): Task<Result> {
  return { ...alone<Result>(start), whole: isCompound(table, changes) };
}

function ofUser(userId: string): Condition {
  return where([{ sql: '"userId"' }], [userId]);
}

function* made(work: Work<object | null>, what: string): Work<object> {
  const record = yield* work;
  if (!record) throw new AdapterError(`Cannot store ${what}: there is one of the same id or address`);
  return record;
}

function* present(work: Work<object | null>, what: string): Work<object> {
  const record = yield* work;
  if (!record) throw new AdapterError(`Cannot change ${what}: there is none of this id`);
  return record;
}

interface Mark {
  readonly key: string;
  readonly expires: Date;
  readonly now: Date;
}

function* setMark({ names, ends }: Store, { key, expires, now }: Mark): Work<boolean> {
  const { placeholder: hole, encode } = ends.onceMarks.codec;
  const rows = yield {
    sql: `insert into ${names.onceMarks} as mark ("key", "expires") values (?, ${hole})` +
      ` on conflict ("key") do update set "expires" = excluded."expires" where mark."expires" <= ${hole} returning 1 as "0"`,
    params: [encodeText(key), encode(expires), encode(now)],
  };
  return rows.length > 0;
}

/** The most rows of a table that are removed at a time. */
const MOST_SWEPT = 100;

/** Seconds that a row stays after its end: clocks of several machines differ. */
const GRACE = 24 * 60 * 60;

// By both clocks, ours and the database's: one of them may be years ahead for a minute.
function* sweep({ names, ends, skip }: Store, id: EndingId, now: number): Work<void> {
  const key = TABLES[id].key.map(quoteName).join(", ");
  const { codec, ago } = ends[id];
  const ended = `"expires" <= ${codec.placeholder} and "expires" <= ${ago(GRACE)}`;
  const rows = `select ${key} from ${names[id]} where ${ended} limit ${MOST_SWEPT}${skip}`;
  yield {
    sql: `delete from ${names[id]} where (${key}) in (${rows}) returning 1 as "0"`,
    params: [codec.encode(new Date(now - GRACE * 1000))],
  };
}
