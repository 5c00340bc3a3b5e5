/** How PostgreSQL finds the rows that each statement is about, in tables with many. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { conformanceCases } from "../../../adapters/conformance.ts";
import { postgresAdapter } from "../../../adapters/postgres.ts";
import { findPostgres, type PostgresServer, skipsWithoutPostgres, startPostgres } from "../../_support/postgres.ts";

const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The tests of plans on PostgreSQL");

/** Rows of each table: enough for a plan without an index to be a bad one. */
const ROWS = `from generate_series(1, 20000) as i`;
const FILL = [
  `insert into users ("id", "name", "email") select i, 'Ada', 'user-' || i ${ROWS}`,
  `insert into accounts ("userId", "type", "provider", "providerAccountId") select i, 'oauth', 'github', i ${ROWS}`,
  `insert into sessions ("sessionToken", "userId", "expires", "provider", "providerSid")
    select 's' || i, i, now() + interval '30 days', 'github', 's' || i ${ROWS}`,
  `insert into verification_token ("identifier", "token", "expires") select i, i, now() + interval '1 day' ${ROWS}`,
  `insert into authenticators ("credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter",
    "credentialDeviceType", "credentialBackedUp") select i, i, i, 'key', 0, 'singleDevice', false ${ROWS}`,
  `insert into auth_records ("kind", "id", "userId", "group", "version", "data")
    select 'member', i, i, 'g' || (i % 100), 1, '{}' ${ROWS}`,
  `insert into auth_buckets ("key", "expires") select i, 4102444800000 ${ROWS}`,
  `insert into once_marks ("key", "expires") select i, now() + interval '1 day' ${ROWS}`,
];

interface PlanNode {
  readonly "Actual Rows": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How many rows the lowest node of a plan has read. */
function rowsRead(node: PlanNode): number {
  const [below] = node.Plans ?? [];
  return below ? rowsRead(below) : node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
}

describe("the plans of PostgreSQL", { skip }, () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  before(async () => {
    server = await startPostgres(bin);
    pool = new pg.Pool({ connectionString: server.url, max: 4 });
  });
  after(async () => {
    await pool.end();
    await server.stop();
  });

  test("no statement reads all rows of a table, with the plan that is made once for all parameters", async () => {
    const said = new Map<string, number>();
    const noting = (client: pg.Pool | pg.PoolClient) => (text: string, values: (string | null)[] = []) => {
      said.set(text, values.length);
      return client.query(text, values);
    };
    const driver = {
      query: noting(pool),
      connect: async () => {
        const client = await pool.connect();
        return { query: noting(client), release: (destroy?: boolean) => client.release(destroy) };
      },
    };
    await postgresAdapter(driver).migrate();
    const tables = (await pool.query("select tablename from pg_tables where schemaname = 'public'")).rows
      .map(({ tablename }: { readonly tablename: string }) => `"${tablename}"`);
    const open = async () => {
      await pool.query(`truncate ${tables.join(", ")}`);
      let clock = Date.UTC(2031, 0, 1);
      const now = { set: (milliseconds: number) => void (clock = milliseconds) };
      return { adapter: postgresAdapter(driver, { now: () => clock }), now };
    };
    for (const { run } of conformanceCases(open)) await run();
    const adapter = postgresAdapter(driver);
    for (let times = 0; times < 64; times++) await adapter.once(`key ${times}`, new Date());
    for (let times = 0; times < 64; times++) {
      await adapter.take([{ key: `bucket ${times}`, every: 1000, burst: 1 }], new Date());
    }
    await pool.query(`truncate ${tables.join(", ")}`);
    for (const statement of FILL) await pool.query(statement);
    await pool.query("analyze");

    const found = [...said].filter(([sql]) =>
      /^(?:select|insert|update|delete|with) /.test(sql) && !sql.includes("pg_")
    );
    assert.ok(found.length > 40, `${found.length} statements`);
    const swept = found.filter(([sql]) => sql.startsWith("delete ") && sql.includes(" limit "));
    assert.equal(swept.length, 5, "tables whose rows end are swept");
    const client = await pool.connect();
    await client.query("set plan_cache_mode = force_generic_plan");
    const scans: string[] = [];
    for (const [sql, count] of found) {
      await client.query(`prepare asked as ${sql}`);
      const given = count === 0 ? "" : `(${Array(count).fill("null").join(", ")})`;
      const plan = (await client.query(`explain execute asked${given}`)).rows.map((
        row: Readonly<Record<string, string>>,
      ) => row["QUERY PLAN"]).join(
        "\n",
      );
      await client.query("deallocate asked");
      if (/Seq Scan|Sort Key(?!: asked\.key)/.test(plan)) scans.push(`${sql}\n${plan}`);
    }
    client.release();
    assert.deepEqual(scans, []);
  });

  test("a page of 100 of 100,000 records reads 100, whether PostgreSQL has statistics or not", async () => {
    const counts: number[] = [];
    const driver = {
      connect: () => pool.connect(),
      query: async (text: string, values: (string | null)[] = []) => {
        if (text.includes("auth_records") && text.includes(" limit ")) {
          const { rows: [row] } = await pool.query(`explain (analyze, format json) ${text}`, values);
          counts.push(rowsRead(row["QUERY PLAN"][0].Plan));
        }
        return await pool.query(text, values);
      },
    };
    const adapter = postgresAdapter(driver);
    await adapter.migrate();
    await pool.query("truncate auth_records");
    await pool.query("alter table auth_records set (autovacuum_enabled = off)");
    await pool.query(`insert into auth_records ("kind", "id", "group", "version", "data")
      select 'member', lpad(i::text, 6, '0'), 'g' || (i % 100), 1, '{}' from generate_series(1, 100000) as i`);
    for (const after of ["", "050000"]) {
      if (after) await pool.query("analyze auth_records");
      const page = await adapter.listRecords({ kind: "member", group: "g7", after, limit: 100 });
      assert.equal(page.length, 100);
    }
    assert.deepEqual(counts, [100, 100]);
  });
});
