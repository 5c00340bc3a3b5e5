import { after, before, describe, test } from "node:test";
import { Kysely, MysqlDialect } from "kysely";
import { drizzle } from "drizzle-orm/mysql2";
import callbackMysql from "mysql2";
import mysql from "mysql2/promise";
import { conformanceCases } from "../../../adapters/conformance.ts";
import { mysqlAdapter, type MysqlAdapterOptions, type MysqlSource } from "../../../adapters/mysql.ts";
import { findMariadb, type MariadbServer, skipsWithoutMariadb, startMariadb } from "../../_support/mariadb.ts";

const command = findMariadb();
const skip = skipsWithoutMariadb(command, "The tests of MariaDB");

/** A connection, and how to end it. */
interface Opened {
  readonly source: MysqlSource;
  end(): Promise<unknown>;
}

const CONNECTIONS: Readonly<Record<string, (uri: string) => Opened>> = {
  "a pool of mysql2": (uri) => poolOf(mysql.createPool({ uri, connectionLimit: 8 })),
  "a pool of one connection that counts changed rows": (uri) =>
    poolOf(mysql.createPool({ uri, connectionLimit: 1, flags: ["-FOUND_ROWS"] })),
  "a pool with callbacks that converts values": (uri) => {
    const pool = callbackMysql.createPool({
      uri,
      connectionLimit: 8,
      dateStrings: true,
      supportBigNumbers: true,
      bigNumberStrings: true,
      typeCast: (field) => field.string()?.toUpperCase() ?? null,
    });
    return { source: pool, end: () => pool.promise().end() };
  },
  "a Drizzle database": (uri) => {
    const pool = mysql.createPool({ uri, connectionLimit: 8 });
    return { source: drizzle(pool), end: () => pool.end() };
  },
  "a Kysely instance": (uri) => {
    const kysely = new Kysely<unknown>({
      dialect: new MysqlDialect({ pool: callbackMysql.createPool({ uri, connectionLimit: 8 }) }),
    });
    return { source: kysely, end: () => kysely.destroy() };
  },
};

function poolOf(pool: mysql.Pool): Opened {
  return { source: pool, end: () => pool.end() };
}

/** How servers and sessions differ: what a column cannot hold is cut off, and clocks are set forward and back. */
const SERVERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "": {},
  " where values are cut off and the clock is that of New York": {
    "sql-mode": "NO_BACKSLASH_ESCAPES",
    "default-time-zone": "-05:00",
    "transaction-isolation": "SERIALIZABLE",
  },
};

for (const [where, settings] of Object.entries(SERVERS)) {
  describe(`mysqlAdapter()${where}`, { skip }, () => {
    let server: MariadbServer;
    before(async () => void (server = await startMariadb(command, settings)));
    after(() => server.stop());

    for (const [name, connect] of Object.entries(CONNECTIONS)) {
      describe(`of ${name}`, () => {
        let used: Opened;
        let admin: mysql.Pool;
        before(async () => {
          admin = mysql.createPool({ uri: server.url, multipleStatements: true });
          const database = `of_${name.replaceAll(" ", "_")}`;
          await admin.query(`create database ${database}; use ${database}`);
          await admin.end();
          const uri = server.url.replace(/[^/]*$/, database);
          admin = mysql.createPool({ uri, multipleStatements: true });
          used = connect(uri);
          await mysqlAdapter(used.source).migrate();
        });
        after(async () => {
          await used.end();
          await admin.end();
        });

        async function open() {
          let clock = Date.UTC(2031, 0, 1);
          const options: MysqlAdapterOptions = { now: () => clock };
          const tables = ["account", "session", "authenticator", "authRecord", "verificationToken", "onceMark", "user"];
          await admin.query(tables.map((table) => `delete from \`${table}\``).join("; "));
          return {
            adapter: mysqlAdapter(used.source, options),
            now: { set: (milliseconds: number) => void (clock = milliseconds) },
          };
        }
        for (const { name, run } of conformanceCases(open)) test(name, run);
      });
    }
  });
}
