/**
 * Storage of every shape the service meets, each with a way to look at the rows themselves.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Adapter, AdapterUser, CompleteAdapter, Plan } from "@x/auth";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import type { Dump, Row } from "./invariants.ts";

/** Storage, and what lies in it. */
export interface Store {
  /** What the service is given. */
  readonly adapter: Adapter;
  /** The same rows with every operation, for what a test prepares and looks up. */
  readonly rows: CompleteAdapter;
  /** Everything that is stored. */
  dump(): Promise<Dump>;
  /** Removes everything. */
  clear(): void;
  close(): void;
}

/** A kind of storage. */
export interface StoreKind {
  readonly name: string;
  /** Whether a sign-in is written whole or not at all. */
  readonly hasCommit: boolean;
  /** Whether users get the ids that the service gives. */
  readonly keepsIds: boolean;
  open(now: () => number): Store;
}

/** The operations that every Auth.js adapter has. */
export const PLAIN = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "deleteUser",
  "linkAccount",
  "unlinkAccount",
  "getAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken",
  "createAuthenticator",
  "getAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter",
] as const satisfies readonly (keyof Adapter)[];

/** Everything in memory, every operation. */
export const MEMORY: StoreKind = { name: "memory", hasCommit: true, keepsIds: true, open: openMemory };

/** A file of SQLite. */
export const SQLITE: StoreKind = { name: "SQLite", hasCommit: true, keepsIds: true, open: openSqlite };

/** No more than the nineteen operations. */
export const PLAIN_STORE: StoreKind = {
  name: "a plain adapter",
  hasCommit: false,
  keepsIds: true,
  open: (now) => reshaped(openMemory(now), plainOf),
};

/** No more than the nineteen operations, and users are numbered by storage. */
export const NUMBERING_STORE: StoreKind = {
  name: "a plain adapter that numbers users",
  hasCommit: false,
  keepsIds: false,
  open: (now) => reshaped(openMemory(now), (adapter) => numbering(plainOf(adapter))),
};

/** The nineteen operations, with records beside them, which a test can look up among the rows. */
export const FOREIGN_WITH_RECORDS: StoreKind = {
  name: "a foreign adapter with records",
  hasCommit: false,
  keepsIds: true,
  open(now) {
    const store = openMemory(now);
    const records = memoryRecords();
    const rows = {
      ...store.rows,
      putRecord: (...args: Parameters<typeof records.putRecord>) => records.putRecord(...args),
    };
    const adapter = withRecords(plainOf(store.rows), records, { logger: { warn: () => {} } });
    return { ...store, rows: rows as CompleteAdapter, adapter };
  },
};

/** Every kind. */
export const STORES: readonly StoreKind[] = [MEMORY, PLAIN_STORE, NUMBERING_STORE, SQLITE];

/** Strips an adapter of what not every adapter has. */
export function plainOf(adapter: CompleteAdapter): Pick<CompleteAdapter, typeof PLAIN[number]> {
  return Object.fromEntries(PLAIN.map((name) => [name, adapter[name]])) as Pick<CompleteAdapter, typeof PLAIN[number]>;
}

function reshaped(store: Store, shape: (adapter: CompleteAdapter) => Adapter): Store {
  return { ...store, adapter: shape(store.rows) };
}

function numbering(adapter: Pick<CompleteAdapter, typeof PLAIN[number]>): Adapter {
  let users = 0;
  return { ...adapter, createUser: (user) => adapter.createUser({ ...user, id: `number-${++users}` }) };
}

function openMemory(now: () => number): Store {
  let memory = memoryAdapter({ now });
  let noted = new Keys();
  const rows = Object.fromEntries(
    Object.keys(memory).map((name) => [name, (...args: never[]) => {
      const result = (memory[name as keyof typeof memory] as (...args: unknown[]) => unknown)(...args);
      noted.note(args[0]);
      return result;
    }]),
  ) as unknown as CompleteAdapter;
  return {
    adapter: rows,
    rows,
    dump: () => noted.read(memory),
    clear: () => {
      memory = memoryAdapter({ now });
      noted = new Keys();
    },
    close() {},
  };
}

/** The keys of every record that was ever written, by which the rows are found again. */
class Keys {
  readonly #users = new Set<string>();
  readonly #accounts = new Map<string, [providerAccountId: string, provider: string]>();
  readonly #tokens = new Map<string, { identifier: string; token: string }>();

  /** Notes the keys in what an operation was given. */
  note(given: unknown): void {
    if (typeof given !== "object" || given === null) return;
    const record = given as Partial<AdapterUser & { provider: string; providerAccountId: string; userId: string }> & {
      identifier?: string;
      token?: string;
    };
    if (record.id !== undefined) this.#users.add(record.id);
    if (record.userId !== undefined) this.#users.add(record.userId);
    const { provider, providerAccountId, identifier, token } = record;
    if (provider !== undefined && providerAccountId !== undefined) {
      this.#accounts.set(JSON.stringify([provider, providerAccountId]), [providerAccountId, provider]);
    }
    if (identifier !== undefined && token !== undefined) {
      this.#tokens.set(JSON.stringify([identifier, token]), { identifier, token });
    }
    const { createUser, linkAccount, createSession } = given as Plan;
    for (const row of [createUser, linkAccount, createSession]) this.note(row);
  }

  /** Reads every row there is. */
  async read(adapter: CompleteAdapter): Promise<Dump> {
    const found = async <Key, Found>(keys: Iterable<Key>, get: (key: Key) => Found): Promise<Row[]> => {
      const rows = await Promise.all([...keys].map(get));
      return rows.flat().flatMap((row) => row ? [withNumbers(row)] : []);
    };
    return {
      users: await found(this.#users, (id) => adapter.getUser(id)),
      accounts: await found(this.#accounts.values(), (key) => adapter.getAccount(...key)),
      sessions: await found(this.#users, (id) => adapter.listSessionsByUserId(id)),
      authenticators: await found(this.#users, (id) => adapter.listAuthenticatorsByUserId(id)),
      tokens: await found(this.#tokens.values(), (key) => adapter.getVerificationToken(key)),
    };
  }
}

function withNumbers(row: object): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.valueOf() : value]),
  );
}

const TABLES: Readonly<Record<keyof Dump, string>> = {
  users: "user",
  accounts: "account",
  sessions: "session",
  authenticators: "authenticator",
  tokens: "verificationToken",
};

function openSqlite(now: () => number): Store {
  const folder = mkdtempSync(join(tmpdir(), "store-"));
  const path = join(folder, "auth.db");
  const adapter = sqliteAdapter(path, { now, synchronous: "normal" });
  let reader: DatabaseSync | undefined;
  const all = (sql: string): Row[] => {
    reader ??= new DatabaseSync(path);
    return reader.prepare(sql).all() as Row[];
  };
  return {
    adapter,
    rows: adapter,
    async dump() {
      await adapter.getUser("nobody"); // so that there are tables
      const entries = Object.entries(TABLES).map(([name, table]) => [name, all(`select * from "${table}"`)]);
      return Object.fromEntries(entries) as unknown as Dump;
    },
    clear() {
      const tables = all("select name from sqlite_master where type = 'table'").map(({ name }) => String(name));
      for (const table of tables.filter((name) => !name.startsWith("sqlite_"))) all(`delete from "${table}"`);
    },
    close() {
      adapter.close();
      reader?.close();
      rmSync(folder, { recursive: true });
    },
  };
}
