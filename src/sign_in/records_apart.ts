/**
 * Records of a plan that is applied in steps.
 *
 * @module
 */
import type { Plan } from "../contract/adapter.ts";
import { writeApart } from "../contract/records_apart.ts";
import { AdapterError } from "../kernel/errors.ts";
import type { Storage } from "../storage/guard.ts";
import { recordsIn } from "../storage/stored_records.ts";
import type { Applied } from "./steps.ts";

/**
 * Applies a plan with records in steps.
 *
 * @throws {AdapterError} if storage has no records: they must not be lost.
 */
export async function applyWithRecords(
  storage: Storage,
  plan: Plan,
  write: (others: Plan) => Promise<Applied | null>,
): Promise<Applied | null> {
  const records = recordsIn(storage);
  if (!records) throw new AdapterError("Cannot store records: the adapter has no `putRecord`");
  return await writeApart(records, plan, {
    write,
    isDone: (applied) => applied !== null,
    conflict: null,
    createdId: (applied) => applied?.created?.id,
  });
}
