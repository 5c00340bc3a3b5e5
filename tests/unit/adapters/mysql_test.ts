/** Connections to a real MariaDB. Those whose packages are heavy: `tests/adapters/`. */
import { drizzle } from "drizzle-orm/mysql2";
import { Kysely, MysqlDialect } from "kysely";
import callbackMysql from "mysql2";
import mysql from "mysql2/promise";
import type { BunSql } from "../../../adapters/mysql.ts";
import { conformOnMysql, type OpenSource } from "../../_support/mysql_connections.ts";

interface ClosableSql extends BunSql {
  close(): Promise<void>;
}

/** Bun's `SQL`, where Bun runs. */
const OF_BUN: Readonly<Record<string, OpenSource>> = "Bun" in globalThis
  ? {
    "SQL of Bun": (uri) => {
      const { SQL } =
        (globalThis as unknown as { Bun: { SQL: new (url: string, options: object) => ClosableSql } }).Bun;
      const source = new SQL(uri, { max: 8 });
      return { source, end: () => source.close() };
    },
  }
  : {};

conformOnMysql("The conformance of connections to MariaDB", {
  ...OF_BUN,
  "a pool of one connection that counts changed rows": (uri) => {
    const pool = mysql.createPool({ uri, connectionLimit: 1, flags: ["-FOUND_ROWS"] });
    return { source: pool, end: () => pool.end() };
  },
  "a pool with callbacks that converts values": (uri) => {
    const typeCast = (field: { string(): string | null }) => field.string()?.toUpperCase() ?? null;
    const pool = callbackMysql.createPool({ uri, connectionLimit: 8, dateStrings: true, typeCast });
    return { source: pool, end: () => pool.promise().end() };
  },
  "Drizzle": (uri) => {
    const pool = mysql.createPool({ uri, connectionLimit: 8 });
    return { source: drizzle(pool), end: () => pool.end() };
  },
  "a Kysely instance": (uri) => {
    const pool = callbackMysql.createPool({ uri, connectionLimit: 8 });
    const kysely = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) });
    return { source: kysely, end: () => kysely.destroy() };
  },
});
