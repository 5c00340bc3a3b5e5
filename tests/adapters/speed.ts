/**
 * How fast sessions are read and people sign in over one connection: here with this library's adapter, here with that of
 * Auth.js, and with Auth.js and its own. They take turns, so that a slow machine slows all of them.
 *
 * `deno run -A speed.ts [rounds]`, after `deno test -A ../long/adapters_test.ts` has installed and generated everything.
 *
 * @module
 */
import process from "node:process";
import { Auth as otherAuth } from "@auth/core";
import { DrizzleAdapter } from "@auth/drizzle-adapter";
import { PrismaAdapter } from "@auth/prisma-adapter";
import { PrismaPg } from "@prisma/adapter-pg";
import { createAuth } from "@x/auth";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { postgresAdapter } from "../../adapters/postgres.ts";
import { printLine } from "../../scripts/print.ts";
import { Client } from "../_support/both_services.ts";
import { EMPTY_SCHEMA, findPostgres, startPostgres } from "../_support/postgres.ts";
import { SECRET } from "../_support/service.ts";
import { liveIssuer, providerOf, signInAt } from "../_support/sign_in_twice.ts";
import { POSTGRES_TABLES } from "./drizzle.ts";
import { PrismaClient } from "./generated/client.ts";
import { PRISMA_TABLES } from "./prisma.ts";

/** A way to store, and what it stores with. */
interface Connection {
  readonly name: string;
  readonly theirs: object;
  readonly ours: object & { migrate?(): Promise<void> };
  readonly close: () => Promise<void>;
}

const rounds = Number(process.argv[2] ?? 15);
/** Milliseconds of a turn. */
const TURN = 150;

type Handler = (request: Request) => Promise<Response>;

function sidesOf({ ours, theirs }: Connection, issuer: ReturnType<typeof liveIssuer>): Record<string, Handler> {
  const logger = { error: () => {}, warn: () => {}, debug: () => {} };
  const config = {
    secret: SECRET,
    trustHost: true,
    basePath: "/auth",
    session: { strategy: "database" },
    providers: [providerOf(issuer)],
    logger,
  };
  const here = (adapter: object) => createAuth({ ...config, adapter } as never).handler;
  const there = { ...config, adapter: theirs };
  return {
    "this library, its adapter": here(ours),
    "this library, adapter of Auth.js": here(theirs),
    "Auth.js, its adapter": (request) => otherAuth(request, there as never),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Milliseconds of one answer, the median of all turns. */
async function compare(sides: Record<string, () => Promise<void>>): Promise<Record<string, number>> {
  const times: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(sides)) {
      const start = performance.now();
      let count = 0;
      while (performance.now() - start < TURN) {
        await run();
        count++;
      }
      if (round > 0) (times[name] ??= []).push((performance.now() - start) / count);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
}

async function measure(connection: Connection): Promise<void> {
  await connection.ours.migrate?.();
  const issuer = liveIssuer();
  const sides = sidesOf(connection, issuer);
  const read: Record<string, () => Promise<void>> = {};
  const signIn: Record<string, () => Promise<void>> = {};
  for (const [at, [name, handler]] of Object.entries(sides).entries()) {
    const claims = { sub: `${at}`, name: "Ada", email: `ada${at}@example.com`, email_verified: true };
    const side = { name: "here", handler } as const;
    const client = new Client(side);
    issuer.claim(claims);
    await signInAt(client, issuer);
    if (!(await client.json("/auth/session"))?.user) throw new Error(`Nobody is signed in: ${name}`);
    read[name] = async () => void await client.json("/auth/session");
    signIn[name] = async () => {
      issuer.claim(claims);
      await signInAt(new Client(side), issuer);
    };
  }
  for (const [what, runs] of Object.entries({ "a session is read": read, "somebody signs in again": signIn })) {
    const times = await compare(runs);
    const [own = 1] = Object.values(times);
    const cells = Object.entries(times).map(([name, time]) =>
      `${name} ${time.toFixed(2)} ms (${(time / own).toFixed(2)})`
    );
    printLine(`${connection.name}, ${what}: ${cells.join(", ")}`);
  }
  await connection.close();
}

const server = await startPostgres(findPostgres());

async function fresh(tables: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`${EMPTY_SCHEMA}; ${tables}`);
  await client.end();
}

try {
  await fresh(POSTGRES_TABLES);
  const pool = new pg.Pool({ connectionString: server.url, max: 4 });
  const db = drizzle(pool);
  await measure({
    name: "Drizzle on PostgreSQL",
    theirs: DrizzleAdapter(db),
    ours: postgresAdapter(db),
    close: () => pool.end(),
  });
  await fresh(PRISMA_TABLES);
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: server.url, max: 4 }) });
  await measure({
    name: "Prisma on PostgreSQL",
    theirs: PrismaAdapter(prisma as never),
    ours: postgresAdapter(prisma),
    close: () => prisma.$disconnect(),
  });
} finally {
  await server.stop();
}
