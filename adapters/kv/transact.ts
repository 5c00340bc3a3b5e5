/**
 * Transactions that are retried until they are written, and never written twice.
 *
 * @module
 */
import { ConstraintViolation } from "../../src/contract/commit.ts";
import { randomText } from "../../src/crypto/random.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import { pause } from "../../src/kernel/deadline.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { read, type Store, TransientKvError } from "./store.ts";
import { Transaction } from "./transaction.ts";

/** Seconds before the second attempt, and at most. Each wait is twice as long as the one before. */
const PAUSES = { first: 0.0005, most: 0.032 };

/**
 * Runs a function with a transaction and commits it. After a conflict the function runs again, so it must change nothing
 * else.
 *
 * @throws {ConstraintViolation} if the function throws it. Nothing is written then.
 * @throws {AdapterError} if Deno KV cannot store what was written, or retries take too long.
 */
export async function transact<T>(store: Store, run: (tx: Transaction) => Promise<T>): Promise<T> {
  const receipt = ["receipt", randomText(systemRuntime, 16)];
  const end = systemRuntime.now() + store.retryTimeout * 1000;
  const answers: (() => T)[] = [];
  let failure: TransientKvError | undefined;
  for (let attempt = 0; attempt === 0 || systemRuntime.now() < end; attempt++) {
    try {
      // An attempt whose response was lost may have been written: its receipt tells.
      const written = failure === undefined ? null : await read<number>(store, receipt);
      const known = answers[written ?? -1];
      if (known) return known();
      const tx = new Transaction(store);
      const answer = await answerOf(tx, run);
      answers[attempt] = answer;
      if (await tx.commit({ key: receipt, attempt })) return answer();
    } catch (error) {
      if (!(error instanceof TransientKvError)) throw error;
      failure = error;
    }
    await pause(systemRuntime, Math.min(PAUSES.first * 2 ** attempt, PAUSES.most));
  }
  const reason = failure === undefined
    ? "other writers kept changing the same records"
    : "all attempts failed, and one of them may have been written";
  throw new AdapterError(`Cannot write to Deno KV: for ${store.retryTimeout} s ${reason}`, { cause: failure });
}

async function answerOf<T>(tx: Transaction, run: (tx: Transaction) => Promise<T>): Promise<() => T> {
  try {
    const value = await run(tx);
    return () => value;
  } catch (error) {
    if (!(error instanceof ConstraintViolation)) throw error;
    // A refusal is valid only if its reads still hold: commit the checks without writes.
    tx.dropWrites();
    return () => {
      throw error;
    };
  }
}
