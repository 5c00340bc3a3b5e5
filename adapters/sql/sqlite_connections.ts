/**
 * The connections to SQLite that people have, recognized by their shape.
 *
 * @module
 */
import { isObject } from "../../src/kernel/objects.ts";
import type { KyselyInstance } from "./kysely_instance.ts";
import type { PrismaConnection } from "./prisma_connection.ts";
import { type LibsqlClient, libsqlClient } from "./sqlite_by_libsql.ts";
import type { BatchClient, InteractiveClient, Run, SqliteClient } from "./sqlite_client.ts";
import { isIsoDate } from "./sqlite_catalogue.ts";
import { plain } from "./sqlite_codecs.ts";
import type { SqliteHandle } from "./sqlite_connection.ts";
import { hasMethods } from "./shape.ts";
import type { Statement } from "./statement.ts";
import type { Row } from "./table.ts";
import type { Param } from "./values.ts";

/** A database of Cloudflare D1, as a Worker has it in `env`. */
export interface D1Connection {
  /** Prepares a statement. */
  prepare(sql: string): D1Statement;
  /** Runs statements as one transaction. */
  batch(statements: never[]): Promise<{ results: unknown[] }[]>;
}

/** A statement of a {@linkcode D1Connection}. */
export interface D1Statement {
  /** Gives its parameters. */
  bind(...values: unknown[]): D1Statement;
  /** Runs it. */
  all(): Promise<{ results: unknown[] }>;
}

/** What `drizzle()` of the package `drizzle-orm` returns for SQLite. */
export interface SqliteDrizzle {
  /** What it knows of the tables. */
  readonly _: object;
  /** Runs a statement. */
  run(query: never): unknown;
}

/** A connection to SQLite. */
export type SqliteConnection =
  | SqliteHandle
  | LibsqlClient
  | D1Connection
  | SqliteDrizzle
  | KyselyInstance
  | PrismaConnection;

/** An open database that answers at once, or a client that answers with promises. */
export type Recognized = { readonly handle: SqliteHandle } | { readonly client: SqliteClient };

const clients = new WeakMap<object, SqliteClient>();

/** Recognizes a connection. The same one gives the same client. `null`: it is none. */
export function recognize(source: object): Recognized | null {
  // A database of Drizzle.
  if ("$client" in source) return isObject(source.$client) ? recognize(source.$client) : null;
  const known = clients.get(source);
  if (known) return { client: known };
  const make = MAKERS.find(([methods]) => hasMethods(source, ...methods))?.[1];
  if (make) {
    const client = make(source as never);
    clients.set(source, client);
    return { client };
  }
  return isHandle(source) ? { handle: source } : null;
}

function isHandle(source: object): source is SqliteHandle {
  return hasMethods(source, "prepare", "exec");
}

/** How a client is made, by the methods that the connection has. */
const MAKERS: readonly (readonly [methods: readonly string[], make: (source: never) => SqliteClient])[] = [
  [["$queryRawUnsafe", "$transaction"], prismaClient],
  [["executeQuery", "getExecutor", "withoutPlugins", "transaction"], kyselyClient],
  [["execute", "batch", "transaction"], libsqlClient],
  [["prepare", "batch"], d1Client],
];

function d1Client(database: D1Connection): BatchClient {
  const asked = ({ sql, params }: Statement) => database.prepare(sql).bind(...params.map(d1Value));
  // Columns are named by their places, and members that are numbers are in order.
  const rowsOf = ({ results }: { readonly results: unknown[] }): readonly Row[] =>
    results.map((row) => Object.values(row as object));
  return {
    run: async (statement) => rowsOf(await asked(statement).all()),
    batch: async (statements) => (await database.batch(statements.map(asked) as never[])).map(rowsOf),
  };
}

function d1Value(param: Param): Param | ArrayBuffer {
  if (typeof param === "bigint") return Number(param);
  return param instanceof Uint8Array ? param.slice().buffer : param;
}

/** What is used of a `Kysely`. */
interface Kysely {
  executeQuery(query: object): Promise<{ readonly rows: unknown[] }>;
  transaction(): { execute<Result>(run: (transaction: Kysely) => Promise<Result>): Promise<Result> };
  withoutPlugins(): Kysely;
}

function kyselyClient(given: Kysely): InteractiveClient {
  // A plugin could rename columns and tables, or convert values.
  const kysely = given.withoutPlugins();
  const running = (executor: Kysely): Run => async ({ sql, params }) => {
    const query = { kind: "RawNode", sqlFragments: [sql], parameters: [] };
    const { rows } = await executor.executeQuery({ sql, parameters: params, query, queryId: { queryId: "" } });
    return rows.map((row) => Object.values(row as object).map(plain));
  };
  return {
    run: running(kysely),
    transact: (run) => kysely.transaction().execute((transaction) => run(running(transaction))),
  };
}

/** What is used of a `PrismaClient`. */
interface Prisma extends PrismaTransaction {
  $transaction<Result>(
    run: (transaction: PrismaTransaction) => Promise<Result>,
    options: { readonly maxWait: number; readonly timeout: number },
  ): Promise<Result>;
}

interface PrismaTransaction {
  $queryRawUnsafe(sql: string, ...values: readonly unknown[]): PromiseLike<unknown>;
  $executeRawUnsafe(sql: string, ...values: readonly unknown[]): PromiseLike<unknown>;
}

/** Milliseconds that a transaction waits for its turn, and that it may take. */
const PRISMA_LIMITS = { maxWait: 5000, timeout: 15_000 };

function prismaClient(prisma: Prisma): InteractiveClient {
  const running = (executor: PrismaTransaction): Run => async ({ sql, params }) => {
    if (!ANSWERS.test(sql)) {
      await executor.$executeRawUnsafe(sql, ...params);
      return [];
    }
    const rows = await executor.$queryRawUnsafe(sql, ...params) as object[];
    return rows.map((row) => Object.values(row).map(plain));
  };
  const { together, alone } = makeTurns();
  const run = running(prisma);
  return {
    run: (statement) => together(() => run(statement)),
    transact: (decide) => alone(() => prisma.$transaction((one) => decide(running(one)), PRISMA_LIMITS)),
    sampleDate: async () => {
      const [row] = await prisma.$queryRawUnsafe('select cast(? as text) as "0"', new Date(0)) as object[];
      const sample = String(Object.values(row ?? {})[0]);
      return isIsoDate(sample) ? sample : undefined;
    },
  };
}

/**
 * Keeps statements apart from transactions. Prisma may have one connection for both: a statement would see what was not
 * committed, or be undone with it. Writers take turns before they come here, but readers do not wait for them.
 */
function makeTurns() {
  let ended: Promise<unknown> = Promise.resolve();
  const beside = new Set<Promise<unknown>>();
  const ignore = () => {};
  return {
    /** Runs something beside others of its kind. */
    together: <Result>(run: () => Promise<Result>): Promise<Result> => {
      const turn = ended.then(run);
      const end: Promise<unknown> = turn.catch(ignore).then(() => beside.delete(end));
      beside.add(end);
      return turn;
    },
    /** Runs something when all that came before has ended. */
    alone: <Result>(run: () => Promise<Result>): Promise<Result> => {
      const turn = Promise.all([ended, ...beside]).then(run);
      ended = turn.catch(ignore);
      return turn;
    },
  };
}

/** Statements that give rows. */
const ANSWERS = /^(?:select|with|pragma \w+$)|\breturning\b/;
