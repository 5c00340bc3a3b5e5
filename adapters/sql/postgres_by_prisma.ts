/**
 * A `PrismaClient`: its raw queries, in its own transactions.
 *
 * @module
 */
import type { Query } from "./postgres_prepared.ts";
import type { Row } from "./table.ts";
import type { PrismaConnection } from "./prisma_connection.ts";
import { otherDatabase, type Pool } from "./postgres_pool.ts";

/** What is used of it. */
interface Prisma extends PrismaTransaction {
  $transaction<Result>(
    run: (transaction: PrismaTransaction) => Promise<Result>,
    options: { readonly isolationLevel: "ReadCommitted"; readonly maxWait: number; readonly timeout: number },
  ): Promise<Result>;
  readonly _activeProvider?: unknown;
}

interface PrismaTransaction {
  $queryRawUnsafe(text: string, ...values: readonly (string | null)[]): PromiseLike<unknown>;
}

/**
 * Milliseconds that a transaction may wait for a connection, and may take. By default they are two and five seconds, which
 * is too little where many requests share a few connections.
 */
const TRANSACTION = { isolationLevel: "ReadCommitted", maxWait: 10_000, timeout: 20_000 } as const;

/** Its names of what speaks like PostgreSQL. */
const PROVIDERS: readonly unknown[] = ["postgresql", "postgres", "cockroachdb"];

/** @throws {InvalidConfig} if its provider is another database. */
export function prismaPool(connection: PrismaConnection): Pool {
  // Declared loosely, so that the client of each version fits.
  const client = connection as object as Prisma;
  const { _activeProvider: provider } = client;
  if (typeof provider === "string" && !PROVIDERS.includes(provider)) {
    throw otherDatabase("this `PrismaClient`", provider);
  }
  const query = prismaQuery(client);
  return {
    query,
    prepared: query,
    transaction: (run) => client.$transaction((transaction) => run(prismaQuery(transaction)), TRANSACTION),
  };
}

function prismaQuery(client: PrismaTransaction): Query {
  return async (sql, params) => await client.$queryRawUnsafe(sql, ...params) as readonly Row[];
}
