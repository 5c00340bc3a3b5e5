/**
 * Retries after collisions of transactions, and after lost connections.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import { pause, type PauseRuntime } from "../../src/kernel/deadline.ts";
import type { Operation } from "./operations.ts";

/** A transaction whose commit may have happened or not. */
export class CommitUnknown extends AdapterError {
  constructor(cause?: unknown) {
    super("Cannot write to storage: the connection was lost during a commit, which may have happened or not", {
      cause,
    });
  }
}

/** The most retries of one operation. */
export const MOST_RETRIES = { collided: 12, lost: 3 };

/** How a database judges an error: the most retries after it. `repeatable`: what was tried can happen twice. */
export type MostRetries = (error: unknown, repeatable: boolean) => number;

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
  most: MostRetries,
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
