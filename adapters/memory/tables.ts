/**
 * The tables of the memory adapter, and the constraints between them.
 *
 * @module
 */
import type {
  AccountKey,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  Changes,
  RecordKey,
  VerificationToken,
} from "../../src/contract/adapter.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { ConstraintViolation, existing } from "../../src/contract/commit.ts";
import { endRecordOf } from "../../src/contract/ended.ts";
import type { FullRecord } from "../../src/contract/stored_record.ts";
import { Table, type Undo } from "./table.ts";

/** A key that `once()` recorded. */
export interface ReplayGuard {
  readonly key: string;
  /** Until when it is recorded. */
  readonly expires: Date;
}

export interface Tables {
  readonly users: Table<AdapterUser>;
  readonly accounts: Table<AdapterAccount>;
  readonly sessions: Table<AdapterSession>;
  readonly authenticators: Table<AdapterAuthenticator>;
  readonly tokens: Table<VerificationToken>;
  readonly replayGuards: Table<ReplayGuard>;
  readonly records: Table<FullRecord>;
  /** Whether the users of records are here, too. */
  readonly hasUsers: boolean;
  readonly now: () => number;
  /** Runs a function in a transaction: its writes are undone if it throws. */
  transaction<T>(run: () => T): T;
}

/** The key of an account. No separator could join its parts, because an id can contain any. */
export function accountKey({ provider, providerAccountId }: AccountKey): string {
  return JSON.stringify([provider, providerAccountId]);
}

export function tokenKey({ identifier, token }: Pick<VerificationToken, "identifier" | "token">): string {
  return JSON.stringify([identifier, token]);
}

export function recordKey({ kind, id }: RecordKey): string {
  return JSON.stringify([kind, id]);
}

/** Milliseconds that a session stays after its end: a clock that is years ahead for a minute must not remove them all. */
const GRACE = 24 * 60 * 60 * 1000;

export function emptyTables(now: () => number): Tables {
  let undos: Undo[] | null = null;
  const written = (undo: Undo) => void undos?.push(undo);
  const ended = ({ expires }: { readonly expires: Date }) => expires.getTime() <= now();
  const endedLongAgo = ({ expires }: { readonly expires: Date | null }) =>
    expires !== null && expires.getTime() <= Math.min(now(), systemRuntime.now()) - GRACE;
  return {
    users: new Table({ what: "user", keyOf: ({ id }) => id, written }),
    accounts: new Table<AdapterAccount>({ what: "account", keyOf: accountKey, written }),
    sessions: new Table<AdapterSession>({
      what: "session",
      keyOf: ({ sessionToken }) => sessionToken,
      written,
      ended: endedLongAgo,
    }),
    authenticators: new Table({ what: "credential", keyOf: ({ credentialID }) => credentialID, written }),
    tokens: new Table<VerificationToken>({ what: "verification token", keyOf: tokenKey, written, ended }),
    replayGuards: new Table<ReplayGuard>({ what: "replay guard", keyOf: ({ key }) => key, written, ended }),
    records: new Table<FullRecord>({ what: "record", keyOf: recordKey, written, ended: endedLongAgo }),
    hasUsers: true,
    now,
    transaction: (run) => {
      undos = [];
      try {
        return run();
      } catch (error) {
        for (const undo of undos.reverse()) undo();
        throw error;
      } finally {
        undos = null;
      }
    },
  };
}

/** Adds a user. @throws {ConstraintViolation} if the id or the address is taken. */
export function addUser({ users }: Tables, user: AdapterUser): AdapterUser {
  assertEmailFree(users, user);
  return users.insert(user);
}

/** Changes a user. @throws {ConstraintViolation} if the user does not exist, or the new address is taken. */
export function changeUser({ users }: Tables, changes: Changes<AdapterUser, "id">): AdapterUser {
  assertEmailFree(users, changes);
  return existing(users.update(changes), "user");
}

/** Removes a user with all that is theirs; `null` if the user does not exist. */
export function removeUser(tables: Tables, userId: string): AdapterUser | null {
  recordEnd(tables, userId);
  const isTheirs = ofUser(userId);
  for (const row of tables.accounts.filter(isTheirs)) tables.accounts.delete(accountKey(row));
  for (const { credentialID } of tables.authenticators.filter(isTheirs)) tables.authenticators.delete(credentialID);
  removeSessions(tables, userId);
  for (const row of tables.records.filter((row) => row.userId === userId)) tables.records.delete(recordKey(row));
  return tables.users.delete(userId);
}

export function removeSessions({ sessions }: Tables, userId: string): void {
  for (const { sessionToken } of sessions.filter(ofUser(userId))) sessions.delete(sessionToken);
}

/** Removes the sessions of a user, and records when. */
export function endSessions(tables: Tables, userId: string): void {
  recordEnd(tables, userId);
  removeSessions(tables, userId);
}

// A record of a later time stays.
function recordEnd({ tokens, now }: Tables, userId: string): void {
  const record = endRecordOf(userId, now());
  const known = tokens.get(tokenKey(record));
  if (!known) tokens.insert(record);
  else if (known.expires < record.expires) tokens.update(record);
}

/** Adds a row of a user. @throws {ConstraintViolation} if it exists or the user does not. */
export function addOwned<Row extends { userId: string }>({ users }: Tables, table: Table<Row>, row: Row): Row {
  existing(users.get(row.userId), "user");
  return table.insert(row);
}

/** Changes a row of a user; `null` if there is none. @throws {ConstraintViolation} if its new user does not exist. */
export function changeOwned<Row extends { userId: string }>(
  { users }: Tables,
  table: Table<Row>,
  changes: Partial<Row>,
): Row | null {
  if (changes.userId !== undefined) existing(users.get(changes.userId), "user");
  return table.update(changes);
}

export function ofUser(userId: string): (row: { readonly userId: string }) => boolean {
  return (row) => row.userId === userId;
}

function assertEmailFree(users: Table<AdapterUser>, { id, email }: Changes<AdapterUser, "id">): void {
  const [other] = email ? users.filter((user) => user.email === email && user.id !== id) : [];
  if (other) throw new ConstraintViolation("Cannot store user: another user has the address");
}
