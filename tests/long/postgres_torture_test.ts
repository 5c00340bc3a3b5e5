/** Sign-ins on PostgreSQL while connections are lost and transactions collide, at each statement in turn and at random. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import process from "node:process";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import postgres from "postgres";
import { printLine } from "../../scripts/print.ts";
import { type PostgresAdapter, postgresAdapter, type PostgresDriver } from "../../adapters/postgres.ts";
import { POSTGRES_NAMES } from "../../adapters/sql/postgres_schema.ts";
import { CommitUnknown } from "../../adapters/sql/retries.ts";
import { chanceOf, seedOf } from "../_support/chance.ts";
import { findPostgres, type PostgresServer, skipsWithoutPostgres, startPostgres } from "../_support/postgres.ts";
import { type Fault, FAULTS, type FaultyServer, startFaultyServer } from "../_support/postgres_faults.ts";

const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The torture of PostgreSQL");

const LATER = new Date(4102444800123);

/** Milliseconds after which a sign-in counts as hanging. */
const LIMIT = 60_000;

const STRICT = "-c default_transaction_isolation=serializable";

interface Drive {
  readonly driver: PostgresDriver;
  readonly end: () => Promise<unknown>;
  readonly faults: readonly Fault[];
}

function poolOf(url: string): pg.Pool {
  return new pg.Pool({ connectionString: url, max: 8, options: STRICT }).on("error", () => {});
}

const DRIVES: Readonly<Record<string, (url: string) => Drive>> = {
  pg: (url) => {
    const driver = poolOf(url);
    return { driver, end: () => driver.end(), faults: FAULTS };
  },
  Kysely: (url) => {
    // A connection that is lost within its transactions emits an error that nobody else listens to.
    const pool = poolOf(url).on("connect", (client: pg.PoolClient) => client.on("error", () => {}));
    const driver = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    return { driver, end: () => driver.destroy(), faults: FAULTS };
  },
  postgres: (url) => {
    const driver = postgres(url, {
      max: 8,
      fetch_types: false,
      connection: { default_transaction_isolation: "serializable" },
    });
    // On a busy machine it sometimes never settles a statement whose connection was lost. And it writes
    // some at once that others wait for, so that a failure at random can come where no server would fail.
    return { driver, end: () => driver.end({ timeout: 1 }), faults: ["collided"] };
  },
};

/** All use the same tables. */
function adapterOf(driver: PostgresDriver): PostgresAdapter {
  return postgresAdapter(driver, { tables: POSTGRES_NAMES });
}

/** How a sign-in ended for the one who asked for it. */
type Ending = "done" | "refused" | "unknown";

/** Everything that a sign-in by an email link writes. */
function planOf(name: string) {
  return {
    consume: { identifier: name, tokens: [name], now: new Date() },
    createUser: { id: name, email: name, emailVerified: new Date(0) },
    linkAccount: { userId: name, provider: "idp", providerAccountId: name, type: "oidc" },
    records: { put: [{ kind: "seen", id: name, userId: name, version: 0, data: {} }] },
    createSession: { sessionToken: name, userId: name, expires: LATER },
  } as const;
}

/** What is stored of a sign-in: rows of users, accounts, sessions and records, and tokens that are left. */
const STORED = `select (select count(*) from users where id = $1), (select count(*) from accounts where "userId" = $1),
  (select count(*) from sessions where "userId" = $1), (select count(*) from auth_records where "userId" = $1),
  (select count(*) from verification_token where identifier = $1)`;

describe("Of sign-ins on PostgreSQL nothing is lost and nothing doubled", { skip }, () => {
  let server: PostgresServer;
  let faulty: FaultyServer;
  let plain: pg.Pool;
  before(async () => {
    server = await startPostgres(bin);
    faulty = await startFaultyServer(server.url);
    plain = new pg.Pool({ connectionString: server.url, max: 4 });
    await adapterOf(plain).migrate();
  });
  after(async () => {
    await plain.end();
    await faulty.close();
    await server.stop();
  });
  beforeEach(() => faulty.choose(() => undefined));

  const prepare = (name: string) =>
    adapterOf(plain).createVerificationToken({ identifier: name, token: name, expires: LATER });

  async function signIn(driver: PostgresDriver, name: string): Promise<Ending> {
    try {
      assert.equal(await adapterOf(driver).commit(planOf(name)), "done", name);
      return "done";
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return error instanceof CommitUnknown ? "unknown" : "refused";
    }
  }

  /** Compares what is stored of a sign-in with how it ended. */
  async function assertTrue(name: string, ending: Ending): Promise<void> {
    const { rows: [row] } = await plain.query({ text: STORED, values: [name], rowMode: "array" });
    const all = "1 1 1 1 0";
    const found = (row as unknown as readonly string[]).join(" ");
    const possible = { done: [all], refused: ["0 0 0 0 1"], unknown: [all, "0 0 0 0 1"] };
    assert.ok(possible[ending].includes(found), `${name} ended as ${ending}, and stored ${found}`);
  }

  for (const [name, drive] of Object.entries(DRIVES)) {
    test(`whichever statement fails (${name})`, { timeout: LIMIT }, async () => {
      const { driver, end, faults } = drive(faulty.url);
      await prepare(`${name} warm`);
      await signIn(driver, `${name} warm`);
      faulty.choose(() => undefined);
      await prepare(`${name} counted`);
      assert.equal(await signIn(driver, `${name} counted`), "done");
      const { statements } = faulty;
      assert.ok(statements > 6, `a sign-in takes ${statements} statements`);
      for (const fault of faults) {
        for (let at = 0; at < statements; at += 1) {
          const who = `${name}, ${fault} ${at}`;
          await prepare(who);
          faulty.choose((index) => index === at ? fault : undefined);
          assert.equal(await signIn(driver, who), "done", who);
          await assertTrue(who, "done");
        }
      }
      faulty.choose((index) => index < 2 ? "collided" : undefined);
      assert.equal(await adapterOf(driver).once(name, LATER), true);
      assert.equal(await adapterOf(driver).once(name, LATER), false);
      await end();
    });

    if (name === "postgres") continue;
    test(`when statements fail at random (${name})`, { timeout: LIMIT }, async () => {
      const seed = seedOf(process.env.SEED);
      const chance = chanceOf(seed);
      const { driver, end, faults } = drive(faulty.url);
      await adapterOf(driver).getUser("nobody");
      faulty.choose(() => chance.hits(0.05) ? chance.pick(faults) : undefined);
      const counts: Record<Ending, number> = { done: 0, refused: 0, unknown: 0 };
      const caller = async (number: number) => {
        for (let round = 0; round < 50; round += 1) {
          const who = `${name} ${number} ${round}`;
          await prepare(who);
          const ending = await signIn(driver, who);
          counts[ending] += 1;
          await assertTrue(who, ending);
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_, number) => caller(number)));
      faulty.choose(() => undefined);
      const { done, refused, unknown } = counts;
      printLine(`${name}, seed ${seed}: ${done} done, ${refused} refused, ${unknown} unknown`);
      assert.ok(done > 250, `SEED=${seed}: ${done} of 400 were done`);
      await end();
    });
  }
});
