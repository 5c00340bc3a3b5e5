/**
 * Buckets of limits in SQL.
 *
 * @module
 */
import type { Bucket } from "../../src/contract/adapter.ts";
import { answersOf, askedOf } from "../../src/contract/buckets.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import type { SqlSteps } from "./statement.ts";
import type { SqlStore } from "./store.ts";

/** Takes from buckets. @throws {AdapterError} if their table is missing. */
export function* takeFrom(
  { tables: { buckets: table }, writes, hasBuckets }: SqlStore,
  buckets: readonly Bucket[],
  now: Date,
): SqlSteps<readonly (Date | null)[]> {
  const asked = askedOf(buckets, now);
  if (!hasBuckets) {
    throw new AdapterError(
      `Cannot take from buckets: table ${table.sql} is missing: call migrate() once, or print the tables again`,
      { logCode: "storage-tables" },
    );
  }
  return answersOf(buckets, now, asked.length === 0 ? new Map() : yield* writes.take(table, asked));
}
