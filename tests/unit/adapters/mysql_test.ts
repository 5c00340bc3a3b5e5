import { after, before, describe, test } from "node:test";
import { Kysely, MysqlDialect } from "kysely";
import callbackMysql from "mysql2";
import mysql from "mysql2/promise";
import { conformanceCases } from "../../../adapters/conformance.ts";
import { mysqlAdapter, type MysqlAdapterOptions, type MysqlSource } from "../../../adapters/mysql.ts";
import {
  findMariadb,
  type MariadbServer,
  type MariadbSettings,
  skipsWithoutMariadb,
  startMariadb,
} from "../../_support/mariadb.ts";

const command = findMariadb();
const skip = skipsWithoutMariadb(command, "The tests of MariaDB");

/** A connection, and how to end it. */
interface Opened {
  readonly source: MysqlSource;
  end(): Promise<unknown>;
}

const CONNECTIONS: Readonly<Record<string, (uri: string) => Opened>> = {
  "a pool of one connection that counts changed rows": (uri) => {
    const pool = mysql.createPool({ uri, connectionLimit: 1, flags: ["-FOUND_ROWS"] });
    return { source: pool, end: () => pool.end() };
  },
  "a pool with callbacks that converts values": (uri) => {
    const typeCast = (field: { string(): string | null }) => field.string()?.toUpperCase() ?? null;
    const pool = callbackMysql.createPool({ uri, connectionLimit: 8, dateStrings: true, typeCast });
    return { source: pool, end: () => pool.promise().end() };
  },
  "a Kysely instance": (uri) => {
    const pool = callbackMysql.createPool({ uri, connectionLimit: 8 });
    const kysely = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) });
    return { source: kysely, end: () => kysely.destroy() };
  },
};

/** Sessions that cut off values, understand no backslashes, wait for every lock, and set their clock forward and back. */
const SETTINGS: MariadbSettings = {
  options: { "sql-mode": "NO_BACKSLASH_ESCAPES", "transaction-isolation": "SERIALIZABLE" },
  zone: "America/New_York",
};

describe("mysqlAdapter()", { skip }, () => {
  let server: MariadbServer;
  before(async () => void (server = await startMariadb(command, SETTINGS)));
  after(() => server.stop());

  for (const [name, connect] of Object.entries(CONNECTIONS)) {
    describe(`of ${name}`, () => {
      let used: Opened;
      let admin: mysql.Pool;
      let emptied: string;
      before(async () => {
        const database = `of_${name.replaceAll(" ", "_")}`;
        admin = mysql.createPool(server.url);
        await admin.query(`create database ${database}`);
        await admin.end();
        const uri = server.url.replace(/[^/]*$/, database);
        admin = mysql.createPool({ uri, multipleStatements: true });
        used = connect(uri);
        await mysqlAdapter(used.source).migrate();
        const [tables] = await admin.query("show tables");
        const deleted = (tables as object[]).map((row) => `delete from \`${Object.values(row)[0]}\``).join("; ");
        emptied = `set foreign_key_checks = 0; ${deleted}; set foreign_key_checks = 1`;
      });
      after(async () => {
        await used.end();
        await admin.end();
      });

      async function open() {
        let clock = Date.UTC(2031, 0, 1);
        const options: MysqlAdapterOptions = { now: () => clock };
        await admin.query(emptied);
        return {
          adapter: mysqlAdapter(used.source, options),
          now: { set: (milliseconds: number) => void (clock = milliseconds) },
        };
      }
      for (const { name, run } of conformanceCases(open)) test(name, run);
    });
  }
});
