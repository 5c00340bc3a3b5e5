import { after, before, describe, test } from "node:test";
import pg from "pg";
import postgres from "postgres";
import { conformanceCases } from "../../../adapters/conformance.ts";
import { postgresAdapter, type PostgresAdapterOptions } from "../../../adapters/postgres.ts";
import { findPostgres, type PostgresServer, skipsWithoutPostgres, startPostgres } from "../../_support/postgres.ts";

const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The tests of PostgreSQL");

/** A driver, and how to end it. */
interface Drive {
  readonly driver: Parameters<typeof postgresAdapter>[0];
  end(): Promise<void>;
}

const DRIVERS: Readonly<Record<string, (url: string) => Drive>> = {
  "pg": (url) => pgDriver(new pg.Pool({ connectionString: url, max: 8 })),
  "pg with one connection": (url) => pgDriver(new pg.Pool({ connectionString: url, max: 1 })),
  "postgres": (url) => postgresDriver(postgres(url, { max: 8 })),
  "postgres with one connection": (url) => postgresDriver(postgres(url, { max: 1 })),
};

function pgDriver(pool: pg.Pool): Drive {
  return { driver: pool, end: () => pool.end() };
}

function postgresDriver(sql: postgres.Sql): Drive {
  return { driver: sql, end: () => sql.end() };
}

describe("postgresAdapter()", { skip }, () => {
  let server: PostgresServer;
  before(async () => void (server = await startPostgres(bin)));
  after(() => server.stop());

  for (const [name, drive] of Object.entries(DRIVERS)) {
    describe(`of ${name}`, () => {
      const schema = `of_${name.replaceAll(" ", "_")}`;
      let used: Drive;
      before(async () => {
        used = drive(server.url);
        await postgresAdapter(used.driver, { schema }).migrate();
      });
      after(() => used.end());

      async function open() {
        let clock = Date.UTC(2031, 0, 1);
        const options: PostgresAdapterOptions = { schema, now: () => clock };
        await empty(server.url, schema);
        return {
          adapter: postgresAdapter(used.driver, options),
          now: { set: (milliseconds: number) => void (clock = milliseconds) },
        };
      }
      for (const { name, run } of conformanceCases(open)) test(name, run);
    });
  }
});

async function empty(url: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const tables = [
    "users",
    "accounts",
    "sessions",
    "verification_token",
    "authenticators",
    "once_marks",
    "auth_records",
    "auth_buckets",
  ];
  await client.query(`truncate ${tables.map((table) => `${schema}.${table}`).join(", ")}`);
  await client.end();
}
