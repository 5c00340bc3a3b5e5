/**
 * Retries on PostgreSQL: after collisions of transactions, and after lost connections.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import { pause, type PauseRuntime } from "../../src/kernel/deadline.ts";
import type { Operation } from "./operations.ts";

/** A transaction whose commit may have happened or not. */
export class CommitUnknown extends AdapterError {}

/** The most retries of one operation. */
export const MOST_RETRIES = { collided: 12, lost: 3 };

/** Seconds before the first retry, and at most. Each is twice as long as the one before. */
const PAUSES = { first: 0.01, most: 0.2 };

/**
 * Retries what did not happen or can happen twice: a statement that collided with another transaction, and after a lost
 * connection an operation that only reads or was one transaction.
 */
export async function retry<Result>(
  runtime: PauseRuntime,
  { readOnly = false, transaction = false }: Partial<Pick<Operation<Result>, "readOnly" | "transaction">>,
  attempt: () => Promise<Result>,
  most: (error: unknown, repeatable: boolean) => number = mostRetries,
): Promise<Result> {
  for (let retries = 0;; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (retries >= most(error, readOnly || transaction)) throw error;
    }
    await pause(runtime, Math.min(PAUSES.most, PAUSES.first * 2 ** retries));
  }
}

/** Serialization failure and deadlock: the transaction did not happen. */
const COLLISIONS: readonly unknown[] = ["40001", "40P01"];

/** There was no connection, so nothing happened. */
const UNREACHED: readonly unknown[] = ["ECONNREFUSED", "57P03"];

function mostRetries(error: unknown, repeatable: boolean): number {
  const code = codeOf(error);
  if (COLLISIONS.includes(code)) return MOST_RETRIES.collided;
  return UNREACHED.includes(code) || (repeatable && isConnectionLost(error)) ? MOST_RETRIES.lost : 0;
}

/** How the server, the network and the drivers say that a connection ended. */
const LOST: readonly unknown[] = [
  "57P01",
  "57P02",
  "57P03",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
];

/** Whether the connection was lost. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (LOST.includes(code) || (typeof code === "string" && /^08...$/.test(code))) return true;
  // `pg` has no codes for its own errors.
  return error instanceof Error && /^Connection terminated|connection error and is not queryable/.test(error.message);
}

/** The code of an error of the database, the driver or the network. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
