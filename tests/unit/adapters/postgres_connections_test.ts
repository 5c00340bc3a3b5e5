/** Connections of query builders to a real PostgreSQL. Those whose packages are heavy: `tests/adapters/`. */
import { drizzle as drizzleOfPg } from "drizzle-orm/node-postgres";
import { drizzle as drizzleOfPostgres } from "drizzle-orm/postgres-js";
import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import postgres from "postgres";
import { conformOnPostgres } from "../../_support/postgres_connections.ts";

conformOnPostgres("The conformance of connections to PostgreSQL", {
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
