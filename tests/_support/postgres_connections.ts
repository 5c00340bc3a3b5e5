/** The conformance tests over connections to a real PostgreSQL, each in a schema of its own. */
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { conformanceCases } from "../../adapters/conformance.ts";
import { postgresAdapter, type PostgresDriver } from "../../adapters/postgres.ts";
import { findPostgres, type PostgresServer, skipsWithoutPostgres, startPostgres } from "./postgres.ts";

/** A connection, and how to end it. */
export interface Drive {
  readonly driver: PostgresDriver;
  readonly end: () => unknown;
}

/** Tells all cases of conformance of each connection. `what` names the tests for those who have no server. */
export function conformOnPostgres(what: string, drives: Readonly<Record<string, (url: string) => Drive>>): void {
  const bin = findPostgres();
  const skip = skipsWithoutPostgres(bin, what);

  describe(what, { skip }, () => {
    let server: PostgresServer;
    let admin: pg.Client;
    before(async () => {
      server = await startPostgres(bin);
      admin = new pg.Client({ connectionString: server.url });
      await admin.connect();
      // Rows are deleted in any order.
      await admin.query("set session_replication_role = replica");
    });
    after(async () => {
      await admin.end();
      await server.stop();
    });

    for (const [name, drive] of Object.entries(drives)) {
      describe(name, () => {
        const schema = `of_${name.replaceAll(/\W+/g, "_").toLowerCase()}`;
        let used: Drive;
        let empty: string;
        before(async () => {
          used = drive(server.url);
          await postgresAdapter(used.driver, { schema }).migrate();
          const { rows } = await admin.query("select tablename as name from pg_tables where schemaname = $1", [schema]);
          // Not `truncate`, which takes longer than a case.
          empty = rows.map(({ name }: { name: string }) => `delete from "${schema}"."${name}"`).join(";");
        });
        after(async () => void await used.end());

        async function open() {
          let clock = Date.UTC(2031, 0, 1);
          await admin.query(empty);
          return {
            adapter: postgresAdapter(used.driver, { schema, now: () => clock }),
            now: { set: (milliseconds: number) => void (clock = milliseconds) },
          };
        }
        for (const { name, run } of conformanceCases(open)) test(name, run);
      });
    }
  });
}
