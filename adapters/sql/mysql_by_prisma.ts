/**
 * A `PrismaClient` as a connection to MySQL or MariaDB: its raw queries, in its own transactions.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { needsNoEscape, withLiterals } from "./mysql_literals.ts";
import { committed, countedRows, type Pool, type Query } from "./mysql_pool.ts";
import type { PrismaConnection } from "./prisma_connection.ts";
import type { Row } from "./table.ts";

/** What is used of it. */
interface Prisma extends PrismaTransaction {
  $transaction<Result>(
    run: (transaction: PrismaTransaction) => Promise<Result>,
    options: { readonly isolationLevel: "ReadCommitted"; readonly maxWait: number; readonly timeout: number },
  ): Promise<Result>;
  readonly _activeProvider?: unknown;
}

interface PrismaTransaction {
  $queryRawUnsafe(text: string, ...values: readonly string[]): PromiseLike<unknown>;
  $executeRawUnsafe(text: string, ...values: readonly string[]): PromiseLike<number>;
}

/**
 * Milliseconds that a transaction may wait for a connection, and may take. By default they are two and five seconds, which
 * is too little where many requests share a few connections.
 */
const TRANSACTION = { isolationLevel: "ReadCommitted", maxWait: 10_000, timeout: 20_000 } as const;

/** Prisma keeps a connection for a transaction only. A migration may add a column to a table of millions of rows. */
const SESSION = { ...TRANSACTION, timeout: 60 * 60 * 1000 } as const;

const ADAPTERS: Readonly<Record<string, string>> = {
  postgresql: "pass it to `postgresAdapter()`",
  postgres: "pass it to `postgresAdapter()`",
  cockroachdb: "pass it to `postgresAdapter()`",
  sqlite: "pass it to `sqliteAdapter()`",
};

/** @throws {InvalidConfig} if its provider is another database. */
export function prismaPool(connection: PrismaConnection): Pool {
  // Declared loosely, so that the client of each version fits.
  const client = connection as object as Prisma;
  const { _activeProvider: provider } = client;
  if (typeof provider === "string" && provider !== "mysql") {
    const remedy = Object.hasOwn(ADAPTERS, provider) ? ADAPTERS[provider] : "use the adapter of Auth.js for it";
    throw new InvalidConfig(
      `Cannot use connection: this \`PrismaClient\` is connected to ${provider}, not to MySQL; ${remedy}`,
      { logCode: "driver-unusable" },
    );
  }
  return {
    query: prismaQuery(client),
    session: (run) => client.$transaction((transaction) => run(prismaQuery(transaction)), SESSION),
    transaction: async <Result>(run: (query: Query) => Promise<Result>): Promise<Result> => {
      let isDone = false;
      const transacted = () =>
        client.$transaction(async (transaction) => {
          const result = await run(prismaQuery(transaction));
          isDone = true;
          return result;
        }, TRANSACTION);
      try {
        return await transacted();
      } catch (error) {
        // Prisma commits after the function, so what fails then is the commit.
        if (isDone) await committed(() => Promise.reject(error));
        throw error;
      }
    },
  };
}

// Prisma logs and traces the text of a statement, so values stay out of it where they can.
function prismaQuery(client: PrismaTransaction): Query {
  return async (sql, params) => {
    const { text, values } = withLiterals(sql, params, needsNoEscape);
    if (/^\s*select\b/i.test(sql)) return await client.$queryRawUnsafe(text, ...values) as readonly Row[];
    return countedRows(await client.$executeRawUnsafe(text, ...values));
  };
}
