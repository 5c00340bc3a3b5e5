/**
 * Buckets of limits in Deno KV.
 *
 * @module
 */
import type { Bucket } from "../../src/contract/adapter.ts";
import { answersOf, askedOf, timeAfter } from "../../src/contract/buckets.ts";
import { bucketKey } from "./layout.ts";
import type { KvStore } from "./store.ts";
import { transact } from "./transaction.ts";

/** Takes from buckets, each in an atomic operation of its own: there may be more of them than one operation checks. */
export async function takeFrom(
  store: KvStore,
  buckets: readonly Bucket[],
  now: Date,
): Promise<readonly (Date | null)[]> {
  const refused = new Map<string, number>();
  await Promise.all(
    askedOf(buckets, now).map(async (asked) => {
      const key = bucketKey(asked.key);
      const time = await transact(store, async (tx) => {
        const before = await tx.get<number>(key) ?? 0;
        const after = timeAfter(before, asked);
        if (after !== null && after !== before) tx.set(key, after, new Date(after));
        return after === null ? before : null;
      });
      if (time !== null) refused.set(asked.key, time);
    }),
  );
  return answersOf(buckets, now, refused);
}
