/**
 * Buckets of limits in Deno KV.
 *
 * @module
 */
import type { Bucket } from "../../src/contract/adapter.ts";
import { answersOf, type Asked, askedOf, timeAfter } from "../../src/contract/buckets.ts";
import { bucketKey } from "./layout.ts";
import type { KvStore } from "./store.ts";
import { transact, type Transaction } from "./transaction.ts";

/** The most buckets of one atomic operation: `@deno/kv` for Node.js checks 10 entries at most, and one is the receipt. */
const MOST_TOGETHER = 9;

/**
 * Takes from buckets in one atomic operation, so that all callers meet them in the same order: of those whom one bucket
 * lets through, no other one refuses some because of those whom the first has refused.
 */
export async function takeFrom(
  store: KvStore,
  buckets: readonly Bucket[],
  now: Date,
): Promise<readonly (Date | null)[]> {
  const all = askedOf(buckets, now);
  const parts = Array.from({ length: Math.ceil(all.length / MOST_TOGETHER) }, (_, at) => {
    return all.slice(at * MOST_TOGETHER, (at + 1) * MOST_TOGETHER);
  });
  const refused = await Promise.all(parts.map((part) => transact(store, (tx) => takeTogether(tx, part))));
  return answersOf(buckets, now, new Map(refused.flat()));
}

/** Gives the times of the buckets that refused. */
async function takeTogether(
  tx: Transaction,
  asked: readonly Asked[],
): Promise<readonly (readonly [key: string, time: number])[]> {
  const times = await Promise.all(asked.map(({ key }) => tx.get<number>(bucketKey(key))));
  return asked.flatMap((each, at) => {
    const before = times[at] ?? 0;
    const after = timeAfter(before, each);
    if (after === null) return [[each.key, before] as const];
    if (after !== before) tx.set(bucketKey(each.key), after, new Date(after));
    return [];
  });
}
