/** Connections of query builders to a real PostgreSQL. Those whose packages are heavy: `tests/adapters/`. */
import { drizzle as drizzleOfPg } from "drizzle-orm/node-postgres";
import { drizzle as drizzleOfPostgres } from "drizzle-orm/postgres-js";
import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import postgres from "postgres";
import type { BunSql } from "../../../adapters/postgres.ts";
import { conformOnPostgres, type Drive } from "../../_support/postgres_connections.ts";

type Connect = (url: string) => Drive;

/** Bun's `SQL`, where Bun runs. */
const OF_BUN: Readonly<Record<string, Connect>> = "Bun" in globalThis
  ? {
    "SQL of Bun": (url) => {
      const { SQL } =
        (globalThis as unknown as { Bun: { SQL: new (url: string, options: object) => ClosableSql } }).Bun;
      const driver = new SQL(url, { max: 8 });
      return { driver, end: () => driver.close() };
    },
  }
  : {};

interface ClosableSql extends BunSql {
  close(): Promise<void>;
}

conformOnPostgres("The conformance of connections to PostgreSQL", {
  ...OF_BUN,
  "Kysely": (url) => {
    const dialect = new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 8 }) });
    const driver = new Kysely<unknown>({ dialect, plugins: [new CamelCasePlugin()] });
    return { driver, end: () => driver.destroy() };
  },
  "Drizzle with pg": (url) => {
    const pool = new pg.Pool({ connectionString: url, max: 8 });
    return { driver: drizzleOfPg(pool), end: () => pool.end() };
  },
  "Drizzle with postgres": (url) => {
    const sql = postgres(url, { max: 8 });
    return { driver: drizzleOfPostgres(sql), end: () => sql.end() };
  },
});
