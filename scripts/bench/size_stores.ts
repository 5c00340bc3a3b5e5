/**
 * Storage that is full: as many users, each with an account at GitHub and a session, as are asked for.
 *
 * @module
 */
import type { Adapter } from "@x/auth";
import { denoKvAdapter, type KvAtomic, type KvKey, type KvLike } from "@x/auth/adapters/deno-kv";
import { postgresAdapter } from "@x/auth/adapters/postgres";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import type { SizedStoreName } from "./size.ts";
import { ADA, freshFile } from "./sides/side.ts";
import { openPool } from "./sides/stores.ts";

/** Storage with users. */
export interface FilledStore {
  readonly adapter: Adapter;
  readonly count: number;
  /** Closes it, and drops what a server holds. */
  readonly close: () => Promise<void> | void;
}

/** Fills storage with a number of users. */
export const FILLED: Readonly<Record<SizedStoreName, (count: number) => Promise<FilledStore>>> = {
  "SQLite": filledSqlite,
  "PostgreSQL": filledPostgres,
  "Deno KV": filledKv,
};

/** The id of a user by number, from 1 on. Ids have no order, as random ones have none. */
export function idOfUser(index: number): string {
  return uuidOf(String(index));
}

/** The token of the session of a user. */
export function tokenOfSession(index: number): string {
  return uuidOf(`s${index}`);
}

// PostgreSQL makes the same of `md5(text)::uuid::text`.
function uuidOf(text: string): string {
  const hex = createHash("md5").update(text).digest("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function addressOf(index: number): string {
  return `user-${index}@example.com`;
}

const DAYS_30 = 30 * 24 * 60 * 60 * 1000;

async function filledSqlite(count: number): Promise<FilledStore> {
  const file = freshFile();
  const adapter = sqliteAdapter(file);
  // The first operation creates the tables.
  await adapter.getUser("");
  const database = new DatabaseSync(file);
  database.exec("begin");
  const user = database.prepare(`insert into "user" ("id", "name", "email") values (?, ?, ?)`);
  const account = database.prepare(
    `insert into "account" ("userId", "type", "provider", "providerAccountId") values (?, 'oauth', 'github', ?)`,
  );
  const session = database.prepare(`insert into "session" ("sessionToken", "userId", "expires") values (?, ?, ?)`);
  const expires = Date.now() + DAYS_30;
  for (let index = 1; index <= count; index++) {
    const id = idOfUser(index);
    user.run(id, ADA.name, addressOf(index));
    account.run(id, String(index));
    session.run(tokenOfSession(index), id, expires);
  }
  database.exec("commit");
  database.close();
  return { adapter, count, close: () => adapter.close() };
}

async function filledPostgres(count: number): Promise<FilledStore> {
  const schema = `users_${count}`;
  const pool = await openPool();
  const adapter = postgresAdapter(pool, { schema });
  await adapter.migrate();
  const numbers = `from generate_series(1, ${count}) as i`;
  const id = "md5(i::text)::uuid::text";
  const statements = [
    `insert into ${schema}.users ("id", "name", "email") select ${id}, '${ADA.name}', 'user-' || i || '@example.com' ${numbers}`,
    `insert into ${schema}.accounts ("userId", "type", "provider", "providerAccountId")
      select ${id}, 'oauth', 'github', i::text ${numbers}`,
    `insert into ${schema}.sessions ("sessionToken", "userId", "expires")
      select md5('s' || i)::uuid::text, ${id}, now() + interval '30 days' ${numbers}`,
    ...["users", "accounts", "sessions"].map((table) => `vacuum analyze ${schema}.${table}`),
    "checkpoint",
  ];
  for (const statement of statements) await pool.query(statement);
  return { adapter, count, close: async () => void await pool.query(`drop schema ${schema} cascade`) };
}

async function filledKv(count: number): Promise<FilledStore> {
  const kv = await Deno.openKv(freshFile());
  const { like, flush } = writesTogether(kv);
  // It reads nothing that was written before, and the user last written is always at hand.
  const filling = denoKvAdapter(like);
  const expires = new Date(Date.now() + DAYS_30);
  for (let index = 1; index <= count; index++) {
    const id = idOfUser(index);
    await filling.createUser({ id, name: ADA.name, email: addressOf(index), emailVerified: null });
    await filling.linkAccount({ userId: id, type: "oauth", provider: "github", providerAccountId: String(index) });
    await filling.createSession({ sessionToken: tokenOfSession(index), userId: id, expires });
    await flush(500);
  }
  await flush(0);
  return { adapter: anewEachTime(() => denoKvAdapter(kv)), count, close: () => kv.close() };
}

// An adapter of Deno KV reads a session that it has found before in one step instead of two. Of few sessions it would have
// found each, of many hardly any.
function anewEachTime(make: () => Adapter): Adapter {
  const names = Object.keys(make()) as (keyof Adapter)[];
  return Object.fromEntries(names.map((name) => [name, (...args: unknown[]): unknown => {
    return (make()[name] as (...args: unknown[]) => unknown)(...args);
  }]));
}

type Write = Parameters<KvAtomic["set"]>;

/** A store that keeps writes until there are enough: writing them one by one would take hours. */
function writesTogether(kv: Deno.Kv): { readonly like: KvLike; readonly flush: (above: number) => Promise<void> } {
  const waiting = new Map<string, Write>();
  const like: KvLike = {
    get: <T>(key: KvKey) => {
      const found = waiting.get(JSON.stringify(key));
      return Promise.resolve(found ? { value: found[1] as T, versionstamp: "0" } : { value: null, versionstamp: null });
    },
    async *list() {},
    atomic: () => {
      const writes: Write[] = [];
      const operation: KvAtomic = {
        check: () => operation,
        set: (...write) => {
          writes.push(write);
          return operation;
        },
        delete: () => operation,
        commit: () => {
          for (const write of writes) waiting.set(JSON.stringify(write[0]), write);
          return Promise.resolve({ ok: true });
        },
      };
      return operation;
    },
  };
  const flush = async (above: number): Promise<void> => {
    if (waiting.size <= above) return;
    const operation = kv.atomic();
    for (const [key, value, options] of waiting.values()) operation.set(key, value, options);
    await operation.commit();
    waiting.clear();
  };
  return { like, flush };
}
