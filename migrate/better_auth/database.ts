/**
 * The database of Better Auth, in SQLite or PostgreSQL: what is read from its tables, and the little that is written.
 *
 * @module
 */
import { type PgPool, poolOf, type PostgresJs } from "../../adapters/sql/postgres_driver.ts";
import type { SqliteHandle } from "../../adapters/sql/sqlite_connection.ts";
import { AdapterError, InvalidConfig } from "../../src/kernel/errors.ts";
import { isObject } from "../../src/kernel/objects.ts";

/** A row as it was read. */
export type Row = Readonly<Record<string, unknown>>;

/** The value of a parameter. */
type Value = string | number | null;

/** An open database: SQLite, or PostgreSQL. */
export type BetterAuthDatabase = SqliteHandle | PgPool | PostgresJs;

/** Asks a database. */
interface Database {
  /** Runs a statement, whose parameters are written as `?`. */
  readonly ask: (sql: string, params: readonly Value[]) => Promise<readonly Row[]>;
  /** The beginning of a statement that reads whole rows of a table, whose name is quoted. */
  readonly select: (table: string) => string;
  /** Lists the columns of a table; none if there is no such table. */
  readonly columns: (table: string) => Promise<readonly string[]>;
}

// By its shape.
function databaseOf(given: BetterAuthDatabase): Database {
  if (isObject(given) && "prepare" in given && "exec" in given) return sqlite(given as SqliteHandle);
  if (isObject(given)) return postgres(given as unknown as PgPool | PostgresJs);
  throw new InvalidConfig(
    "Cannot use `database` of `betterAuth()`: pass an open `DatabaseSync`, a `Pool` of `pg`, or what `postgres()` returns",
  );
}

function sqlite(handle: SqliteHandle): Database {
  // Prepared each time: the tables may be migrated meanwhile.
  const ask = (sql: string, params: readonly Value[]) => handle.prepare(sql).all(...params) as Row[];
  return {
    ask: (sql, params) => Promise.resolve().then(() => ask(sql, params)),
    select: (table) => `select * from ${table}`,
    columns: (table) => {
      return Promise.resolve().then(() => namesIn(ask("select name from pragma_table_info(?)", [table])));
    },
  };
}

/** A string that is not a value of the column's type: one of our ids, where Better Auth has numbers or UUIDs. */
const NO_VALUE: ReadonlySet<unknown> = new Set(["22P02", "22003"]);

function postgres(driver: PgPool | PostgresJs): Database {
  const { query } = poolOf(driver);
  const ask = async (sql: string, params: readonly Value[]): Promise<readonly Row[]> => {
    let count = 0;
    const numbered = sql.replaceAll("?", () => `$${++count}`);
    try {
      const values = params.map((value) => value === null ? null : String(value));
      const rows: readonly Row[] = await query(numbered, values);
      return rows.map(({ row, ...others }) => isObject(row) ? row : others);
    } catch (error) {
      if (isObject(error) && NO_VALUE.has(error.code)) return [];
      throw error;
    }
  };
  const catalogue = "select attname as name from pg_attribute " +
    "where attrelid = to_regclass(quote_ident(?)) and attnum > 0 and not attisdropped";
  // As JSON: drivers read dates without a time zone as local time, but Better Auth writes them in UTC.
  const select = (table: string): string => `select to_jsonb(t) as row from ${table} as t`;
  return { ask, select, columns: async (table) => namesIn(await ask(catalogue, [table])) };
}

function namesIn(rows: readonly Row[]): string[] {
  return rows.map(({ name }) => String(name));
}

/** The names of the tables, for those who have changed them. */
export interface TableNames {
  /** Users. @default {"user"} */
  readonly user?: string | undefined;
  /** Accounts, and password hashes. @default {"account"} */
  readonly account?: string | undefined;
  /** Sessions. @default {"session"} */
  readonly session?: string | undefined;
  /** Passkeys. @default {"passkey"} */
  readonly passkey?: string | undefined;
}

type TableId = keyof TableNames;

/** Statements on the tables. Rows come with the names of their columns in camelCase. */
export interface Tables {
  /** Lists the rows with these values. A passkey is not found where there is no such table. */
  find(table: TableId, where: Readonly<Record<string, Value>>): Promise<readonly Row[]>;
  /** Lists up to 500 rows in the order of their ids, after one id. */
  page(table: TableId, after: Row | null): Promise<readonly Row[]>;
  /** Deletes the rows with these values, and tells how many there were. */
  remove(table: TableId, where: Readonly<Record<string, Value>>): Promise<number>;
  /** Deletes the sessions of a user but that of one token. */
  removeOtherSessions(userId: string, token: string): Promise<void>;
  /** Checks that no adapter of this package uses the same tables. @throws {AdapterError} if one does. */
  assertSeparate(): Promise<void>;
  /** Changes the end of a session. `false` if it is gone. */
  extendSession(token: string, expires: Date): Promise<boolean>;
}

/** Rows that are read at once. */
const PAGE = 500;

/**
 * Opens the tables. Their columns are looked up when a table is first used.
 *
 * @throws {InvalidConfig} if the database is not one of these.
 */
export function openTables(database: BetterAuthDatabase, given: TableNames): Tables {
  const { ask, columns, select } = databaseOf(database);
  const names: Readonly<Record<TableId, string>> = {
    user: given.user ?? "user",
    account: given.account ?? "account",
    session: given.session ?? "session",
    passkey: given.passkey ?? "passkey",
  };
  const known = new Map<TableId, ReadonlyMap<string, string>>();

  async function columnsOf(table: TableId): Promise<ReadonlyMap<string, string> | null> {
    const found = known.get(table);
    if (found) return found;
    // Drizzle writes the names with underscores.
    const looked = new Map((await columns(names[table])).map((name) => [camelCase(name), name]));
    if (looked.size === 0) {
      if (table === "passkey") return null;
      throw new AdapterError(`Cannot read Better Auth: its database has no table "${names[table]}". Set \`tables\``);
    }
    known.set(table, looked);
    return looked;
  }

  async function run(
    table: TableId,
    write: (name: (column: string) => string) => string,
    params: readonly Value[],
  ): Promise<readonly Row[]> {
    const looked = await columnsOf(table);
    if (!looked) return [];
    const name = (column: string): string => quote(looked.get(column) ?? column);
    return (await ask(write(name), params)).map(withCamelCase);
  }

  const condition = (where: Readonly<Record<string, Value>>, name: (column: string) => string): string => {
    return Object.keys(where).map((column) => `${name(column)} = ?`).join(" and ");
  };

  return {
    find: (table, where) => {
      const write = (name: (column: string) => string) =>
        `${select(quote(names[table]))} where ${condition(where, name)}`;
      return run(table, write, Object.values(where));
    },
    page: (table, after) => {
      const write = (name: (column: string) => string) =>
        `${select(quote(names[table]))}${after ? ` where ${name("id")} > ?` : ""} ` +
        `order by ${name("id")} limit ${PAGE}`;
      return run(table, write, after ? [after.id as Value] : []);
    },
    async remove(table, where) {
      const write = (name: (column: string) => string) =>
        `delete from ${quote(names[table])} where ${condition(where, name)} returning ${name("id")}`;
      return (await run(table, write, Object.values(where))).length;
    },
    async removeOtherSessions(userId, token) {
      const write = (name: (column: string) => string) =>
        `delete from ${quote(names.session)} where ${name("userId")} = ? and ${name("token")} <> ? returning ${
          name("id")
        }`;
      await run("session", write, [userId, token]);
    },
    async assertSeparate() {
      const found = await columns(names.session);
      if (!found.includes("sessionToken")) return;
      throw new AdapterError(
        "Cannot read Better Auth: `adapter` uses the same tables. Give it another file, or other names with its `tables`",
      );
    },
    async extendSession(token, expires) {
      const [row] = await this.find("session", { token });
      if (!row) return false;
      const write = (name: (column: string) => string) =>
        `update ${quote(names.session)} set ${name("expiresAt")} = ? where ${name("token")} = ? returning ${
          name("id")
        }`;
      return (await run("session", write, [likeStored(row.expiresAt, expires), token])).length > 0;
    },
  };
}

/** Whether a number is a time in seconds since 1970, rather than in milliseconds. */
export function isInSeconds(time: number): boolean {
  return time < 1e11;
}

// SQLite has no dates: what is stored is text, seconds or milliseconds.
function likeStored(stored: unknown, date: Date): Value {
  if (typeof stored !== "number") return date.toISOString();
  return isInSeconds(stored) ? Math.floor(date.getTime() / 1000) : date.getTime();
}

function camelCase(name: string): string {
  return name.replace(/_+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function withCamelCase(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [camelCase(name), value]));
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
