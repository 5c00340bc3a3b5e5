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
  /** Its database, if that is not the one of the server. */
  readonly database?: { query(statement: string): Promise<unknown> };
}

/** Opens a connection to a server. */
export type Connect = (url: string) => Drive | Promise<Drive>;

/** Tells all cases of conformance of each connection. `what` names the tests for those who have no server. */
export function conformOnPostgres(what: string, drives: Readonly<Record<string, Connect>>): void {
  const bin = findPostgres();
  const skip = skipsWithoutPostgres(bin, what);

  describe(what, { skip }, () => {
    let server: PostgresServer;
    let admin: pg.Client;
    before(async () => {
      server = await startPostgres(bin);
      admin = new pg.Client({ connectionString: server.url });
      await admin.connect();
    });
    after(async () => {
      await admin.end();
      await server.stop();
    });

    for (const [name, drive] of Object.entries(drives)) {
      describe(name, () => {
        const schema = `of_${name.replaceAll(/\W+/g, "_").toLowerCase()}`;
        let used: Drive;
        before(async () => {
          used = await drive(server.url);
          await postgresAdapter(used.driver, { schema }).migrate();
        });
        after(async () => void await used.end());

        async function open() {
          let clock = Date.UTC(2031, 0, 1);
          await (used.database ?? admin).query(emptying(schema));
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

/** Deletes all rows, in any order. Not `truncate`, which takes longer than a case. */
function emptying(schema: string): string {
  return `do $$ declare name text; begin
    set local session_replication_role = replica;
    for name in select tablename from pg_tables where schemaname = '${schema}' loop
      execute format('delete from %I.%I', '${schema}', name);
    end loop;
  end $$`;
}
