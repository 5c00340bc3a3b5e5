/**
 * Trying again on PostgreSQL: what collided, and what a lost connection took along.
 *
 * @module
 */
import { pause } from "../../src/kernel/deadline.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import type { Waiting } from "./patience.ts";
import type { Task } from "./work.ts";

/** Nobody can say whether something was written. */
export class FateUnknown extends AdapterError {}

/** How often something is tried again. */
const MOST_RETRIES = { collided: 12, lost: 3 };

/** Seconds before the first retry, and at most. Each is twice as long as the one before. */
const PAUSES = { first: 0.01, most: 0.2 };

/**
 * Tries something again that did not happen, or can happen twice: what would have been in the way of another
 * transaction, and after a lost connection what only reads and what was one transaction.
 */
export async function trying<Result>(
  waiting: Waiting,
  { reads = false, whole = false }: Partial<Pick<Task<Result>, "reads" | "whole">>,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let retries = 0;; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (retries >= mostRetries(error, reads || whole)) throw error;
    }
    // Longer each time, and by chance, so that those who collided do not meet again.
    await pause(waiting, Math.min(PAUSES.most, PAUSES.first * 2 ** retries));
  }
}

/** The transaction would have been in the way of another, and did not happen. */
const COLLISIONS: readonly unknown[] = ["40001", "40P01"];

/** There was no connection, so that nothing can have happened. */
const UNREACHED: readonly unknown[] = ["ECONNREFUSED", "57P03"];

function mostRetries(error: unknown, repeatable: boolean): number {
  const code = codeOf(error);
  if (COLLISIONS.includes(code)) return MOST_RETRIES.collided;
  return UNREACHED.includes(code) || (repeatable && isLost(error)) ? MOST_RETRIES.lost : 0;
}

/** A connection ended, as the server, the network or the drivers say it. */
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

/** Whether something failed because the connection was lost. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (LOST.includes(code) || (typeof code === "string" && /^08...$/.test(code))) return true;
  // The driver `pg` has no codes for what it says itself.
  return error instanceof Error && /^Connection terminated|connection error and is not queryable/.test(error.message);
}

/** The code of an error of the database, the driver or the network. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
