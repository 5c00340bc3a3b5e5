/**
 * Measures how fast sessions are read and people sign in over one connection: here with this library's adapter, here with
 * that of Auth.js, and with Auth.js and its own. Its input is a {@linkcode Timing}, its result a list of
 * {@linkcode MeasuredConnection}.
 *
 * @module
 */
import { Auth as otherAuth } from "@auth/core";
import { DrizzleAdapter } from "@auth/drizzle-adapter";
import { PrismaAdapter } from "@auth/prisma-adapter";
import { PrismaPg } from "@prisma/adapter-pg";
import { createAuth } from "@x/auth";
import { drizzle as onMysql } from "drizzle-orm/mysql2";
import { drizzle } from "drizzle-orm/node-postgres";
import mysql from "mysql2/promise";
import pg from "pg";
import { mysqlAdapter } from "../../adapters/mysql.ts";
import { postgresAdapter } from "../../adapters/postgres.ts";
import type { MeasuredConnection } from "../../scripts/bench/connections.ts";
import { type Contender, measureInTurns, type Timing } from "../../scripts/bench/measure.ts";
import { finish, readInput, tell } from "../../scripts/bench/program.ts";
import { Client, type Side } from "../_support/both_services.ts";
import { findMariadb, startMariadb } from "../_support/mariadb.ts";
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
}

const timing = readInput<Timing>();

type SideOf = "ours" | "theirs" | "mixed";

function handlersOf({ ours, theirs }: Connection, issuer: ReturnType<typeof liveIssuer>) {
  const config = {
    secret: SECRET,
    trustHost: true,
    basePath: "/auth",
    session: { strategy: "database" },
    providers: [providerOf(issuer)],
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
  };
  const here = (adapter: object) => createAuth({ ...config, adapter } as never).handler;
  const there = { ...config, adapter: theirs };
  return {
    ours: here(ours),
    theirs: (request: Request) => otherAuth(request, there as never),
    mixed: here(theirs),
  } satisfies Record<SideOf, Side["handler"]>;
}

async function measure(connection: Connection): Promise<MeasuredConnection[]> {
  await connection.ours.migrate?.();
  const issuer = liveIssuer();
  const reads: Contender[] = [];
  const signIns: Contender[] = [];
  for (const [name, handler] of Object.entries(handlersOf(connection, issuer))) {
    const claims = { sub: name, name: "Ada", email: `${name}@example.com`, email_verified: true };
    const side = { name: "here", handler } as const;
    const signIn = async () => {
      const client = new Client(side);
      issuer.claim(claims);
      await signInAt(client, issuer);
      return client;
    };
    const client = await signIn();
    if (!(await client.json("/auth/session"))?.user) {
      throw new Error(`Cannot measure ${connection.name}, ${name}: nobody is signed in`);
    }
    reads.push({ name, run: timed(() => client.json("/auth/session")) });
    signIns.push({ name, run: timed(signIn) });
  }
  const measured: MeasuredConnection[] = [];
  for (const [operation, contenders] of [["GET session", reads], ["sign in again", signIns]] as const) {
    tell(`${connection.name}, ${operation}`);
    const rounds = await measureInTurns(contenders, timing);
    const of = (side: SideOf) => rounds.get(side) ?? [];
    measured.push({
      connection: connection.name,
      operation,
      ours: of("ours"),
      theirs: of("theirs"),
      mixed: of("mixed"),
    });
  }
  return measured;
}

function timed(act: () => Promise<unknown>): Contender["run"] {
  return async (times) => {
    const start = performance.now();
    for (let count = 0; count < times; count++) await act();
    return performance.now() - start;
  };
}

async function onPostgres(): Promise<MeasuredConnection[]> {
  const server = await startPostgres(findPostgres());
  const pool = new pg.Pool({ connectionString: server.url, max: 4 });
  const empty = (tables: string) => pool.query(`${EMPTY_SCHEMA}; ${tables}`);
  try {
    await empty(POSTGRES_TABLES);
    const db = drizzle(pool);
    const measured = await measure({
      name: "Drizzle on PostgreSQL",
      theirs: DrizzleAdapter(db),
      ours: postgresAdapter(db),
    });
    await empty(PRISMA_TABLES);
    const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: server.url, max: 4 }) });
    measured.push(
      ...await measure({
        name: "Prisma on PostgreSQL",
        theirs: PrismaAdapter(prisma as never),
        ours: postgresAdapter(prisma),
      }),
    );
    await prisma.$disconnect();
    return measured;
  } finally {
    await pool.end();
    await server.stop();
  }
}

/** The names of Drizzle's adapter, so that both use the same tables. */
const DRIZZLE_TABLES = {
  users: "user",
  accounts: "account",
  sessions: "session",
  verificationTokens: "verificationToken",
  authenticators: "authenticator",
};

async function onMariadb(): Promise<MeasuredConnection[]> {
  const server = await startMariadb(findMariadb());
  const pool = mysql.createPool({ uri: server.url, connectionLimit: 4, timezone: "Z" });
  try {
    return await measure({
      name: "mysql2 on MariaDB",
      theirs: DrizzleAdapter(onMysql(pool)),
      ours: mysqlAdapter(pool, { tables: DRIZZLE_TABLES }),
    });
  } finally {
    await pool.end();
    await server.stop();
  }
}

finish([...await onPostgres(), ...await onMariadb()]);
