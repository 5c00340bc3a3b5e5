/**
 * A `PrismaClient`, which databases can be reached by.
 *
 * @module
 */
import { hasMethods } from "./shape.ts";

/** A `PrismaClient` of Prisma, also one that `$extends()` returned. */
export interface PrismaConnection {
  /** Runs a statement. */
  $queryRawUnsafe(text: string, ...values: never[]): unknown;
  /** Runs a function in a transaction. */
  $transaction(run: never, options?: never): unknown;
}

export function isPrisma(source: object): source is PrismaConnection {
  return hasMethods(source, "$queryRawUnsafe", "$transaction");
}
