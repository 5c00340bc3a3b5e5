/**
 * Records of features that are stored apart from users, so that a plan cannot be one transaction.
 *
 * The order leaves the stricter state where a plan ends in the middle: what lets somebody in is removed before, and
 * stored after everything else; what keeps somebody out is stored before, and removed after it.
 *
 * @module
 */
import { AdapterError } from "../kernel/errors.ts";
import type { Adapter, Plan, RecordKey, StoredRecord } from "./adapter.ts";
import { EVICTED, hasVersion } from "./stored_record.ts";

/** The operations on records, in storage that has them. */
export type RecordOperations = Required<Pick<Adapter, "getRecord" | "putRecord" | "removeRecord" | "listRecords">>;

/** Which records of a user to remove: all, unless it says which. */
export interface RecordsOfUser {
  /** Id of the user. */
  readonly userId: string;
  /** Only those of these kinds. */
  readonly only?: readonly string[] | undefined;
  /** All but those of these kinds. */
  readonly but?: readonly string[] | undefined;
}

/** A place for records, beside an adapter that has none. */
export interface RecordStore extends RecordOperations {
  /** Removes records of a user. */
  removeRecordsOf(which: RecordsOfUser): Promise<void>;
  /** Takes tokens from buckets, which are stored beside the records. */
  take?: Adapter["take"];
}

/** The kinds of records that keep somebody out. */
export const STRICT: readonly string[] = ["factor", "ban", "deletion"];

/** The kinds of records that are stored before the rest: without a removal, nobody has the link that brings it back. */
const EARLY: readonly string[] = [...STRICT, "removed"];

/** How everything but records is written. */
export interface OtherWrites<Result> {
  /** Writes the rest of a plan. */
  readonly write: (others: Plan) => Promise<Result>;
  /** Whether it was written. */
  readonly isDone: (result: Result) => boolean;
  /** What a conflict is. */
  readonly conflict: Result;
  /** The id of the user who was created, where storage chose another one than the plan. */
  readonly createdId?: (result: Result) => string | undefined;
}

/** Gives a plan without its records. */
export function withoutRecords({ records: _, ...plan }: Plan): Plan {
  if (!plan.expect) return plan;
  const { records: _records, ...expect } = plan.expect;
  return { ...plan, expect };
}

/** Whether a plan is about records, or has to remove those that let somebody in. */
export function touchesRecords({ evict, records, expect }: Plan): boolean {
  return evict !== undefined || records !== undefined || expect?.records !== undefined;
}

/**
 * Carries out a plan whose records are stored apart.
 *
 * @throws {AdapterError} if a record was changed after everything else was written.
 */
export async function writeApart<Result>(
  records: RecordOperations,
  plan: Plan,
  { write, isDone, conflict, createdId }: OtherWrites<Result>,
): Promise<Result> {
  const { evict, createUser, expect, records: { put = [], remove = [] } = {} } = plan;
  const isRemoved = (record: StoredRecord) =>
    has(remove, record) || (evict !== undefined && EVICTED.includes(record.kind));
  const expected = expect?.records ?? [];
  if (!await hold(records, [...expected, ...put.filter((record) => !isRemoved(record))])) return conflict;

  if (evict) await evictFrom(records, evict.userId);
  const removeAsExpected = async (key: RecordKey): Promise<boolean> => {
    const version = expected.find((one) => has([one], key))?.version || undefined;
    return await records.removeRecord({ ...keyOf(key), version }) || version === undefined;
  };
  for (const key of remove.filter(({ kind }) => !STRICT.includes(kind))) {
    if (!await removeAsExpected(key)) return conflict;
  }
  // The id of a user who is not created yet may be another one.
  const first = put.filter(({ kind, userId }) => EARLY.includes(kind) && (!userId || userId !== createUser?.id));
  for (const record of first) {
    const version = has(remove, record) ? (await records.getRecord(keyOf(record)))?.version ?? 0 : record.version;
    if (await records.putRecord({ ...record, version }) === null) return conflict;
  }

  const result = await write(withoutRecords(plan));
  if (!isDone(result)) return result;

  // Again what was added meanwhile, by somebody who may have seen the user as before.
  if (evict) await evictFrom(records, evict.userId, first);
  for (const key of remove.filter((key) => STRICT.includes(key.kind) && !has(first, key))) {
    if (!await removeAsExpected(key)) throw new AdapterError(LATE);
  }
  const last = put.filter((record) => !first.includes(record));
  for (const record of last.toSorted((one, other) => rank(one) - rank(other))) {
    const created = record.userId && record.userId === createUser?.id ? createdId?.(result) : undefined;
    const owner = created === undefined ? {} : { userId: created, ...(record.id === record.userId && { id: created }) };
    if (await records.putRecord({ ...record, ...owner }) === null) throw new AdapterError(LATE);
  }
  return result;
}

const LATE = "Cannot store record: another request changed it after the rest of the plan was written";

async function hold(
  records: RecordOperations,
  expected: readonly (RecordKey & { readonly version: number })[],
): Promise<boolean> {
  for (const each of expected) {
    if (!hasVersion(await records.getRecord(keyOf(each)), each.version)) return false;
  }
  return true;
}

async function evictFrom(
  records: RecordOperations,
  userId: string,
  kept: readonly RecordKey[] = [],
): Promise<void> {
  for (const kind of EVICTED) {
    for (const record of await records.listRecords({ kind, userId })) {
      if (!has(kept, record)) await records.removeRecord(keyOf(record));
    }
  }
}

function keyOf({ kind, id }: RecordKey): RecordKey {
  return { kind, id };
}

function has(keys: readonly RecordKey[], { kind, id }: RecordKey): boolean {
  return keys.some((key) => key.kind === kind && key.id === id);
}

function rank({ kind }: RecordKey): number {
  return STRICT.includes(kind) ? 0 : 1;
}
