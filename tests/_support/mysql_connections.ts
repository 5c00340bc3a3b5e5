/** The conformance tests over connections to a real MariaDB, each with a database of its own. */
import { after, before, describe, test } from "node:test";
import mysql from "mysql2/promise";
import { conformanceCases } from "../../adapters/conformance.ts";
import { mysqlAdapter, type MysqlSource } from "../../adapters/mysql.ts";
import { findMariadb, type MariadbServer, type MariadbSettings, skipsWithoutMariadb, startMariadb } from "./mariadb.ts";

/** A connection, and how to end it. */
export interface OpenedSource {
  readonly source: MysqlSource;
  end(): unknown;
}

/** Opens a connection to a database. */
export type OpenSource = (uri: string) => OpenedSource;

/** Sessions that cut off values, understand no backslashes, wait for every lock, and set their clock forward and back. */
const SETTINGS: MariadbSettings = {
  options: { "sql-mode": "NO_BACKSLASH_ESCAPES", "transaction-isolation": "SERIALIZABLE" },
  zone: "America/New_York",
};

/** Tells all cases of conformance of each connection. `what` names the tests for those who have no server. */
export function conformOnMysql(what: string, connections: Readonly<Record<string, OpenSource>>): void {
  const command = findMariadb();
  const skip = skipsWithoutMariadb(command, what);

  describe(what, { skip }, () => {
    let server: MariadbServer;
    before(async () => void (server = await startMariadb(command, SETTINGS)));
    after(() => server.stop());

    for (const [name, connect] of Object.entries(connections)) {
      describe(name, () => {
        let used: OpenedSource;
        let admin: mysql.Pool;
        let emptied: string;
        before(async () => {
          const database = `of_${name.replaceAll(/\W+/g, "_")}`;
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
          await admin.query(emptied);
          return {
            adapter: mysqlAdapter(used.source, { now: () => clock }),
            now: { set: (milliseconds: number) => void (clock = milliseconds) },
          };
        }
        for (const { name, run } of conformanceCases(open)) test(name, run);
      });
    }
  });
}
