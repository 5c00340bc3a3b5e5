/**
 * Records of features beside an adapter that has none, such as one of Auth.js.
 *
 * @module
 */
import type { Adapter, CommitResult, Plan } from "../src/contract/adapter.ts";
import { type Method, methodsOf } from "../src/contract/methods.ts";
import {
  type RecordOperations,
  type RecordStore,
  STRICT,
  touchesRecords,
  withoutRecords,
  writeApart,
} from "../src/contract/records_apart.ts";
import { hasWhatGoes } from "../src/contract/removed_ways.ts";
import { createLogger, type Logger } from "../src/kernel/logger.ts";

export type { RecordOperations, RecordsOfUser, RecordStore } from "../src/contract/records_apart.ts";

/** Options of {@linkcode withRecords}. */
export interface WithRecordsOptions {
  /** Gets the warning that users and records do not commit together. @default {console} */
  readonly logger?: Pick<Logger, "warn"> | undefined;
}

/** Stores for which the warning was logged. */
const warned = new WeakSet<RecordStore>();

const APART =
  "Users and records do not commit together, because the adapter has no records of its own. If the program ends in the " +
  "middle of a write, the stricter half of it is stored. Nothing needs to be done";

/**
 * Gives an adapter records, which are stored beside it. Its schema stays unchanged. Buckets of limits are stored beside
 * the records, if the adapter has no `take` itself.
 *
 * Users and records do not commit together. The order leaves the stricter state if the program ends in the middle, and
 * what was asked for can be asked for again:
 *
 * - A user who is deleted first loses all records but `factor`, `ban` and `deletion`. Then the user is removed, and
 *   then the rest.
 * - A plan that evicts first removes the records that let somebody in or end the account, and again at the end what was
 *   added meanwhile.
 * - A plan first removes records and stores those of the kinds `factor`, `ban` and `deletion`. Then everything else is
 *   written, and then the other records are stored, and those of these kinds removed. One of the kind `removed` is stored
 *   before the way in goes that it brings back.
 * - What a plan expects of records is read before. Each record is still stored only over its version. If one was changed
 *   after everything else was written, the plan fails with an `AdapterError`.
 *
 * Somebody who adds a record at the very moment in which the address of its user is verified for the first time may keep
 * it. With the adapters of this package, that cannot happen.
 *
 * @example Usage
 * ```ts
 * import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
 * import { withRecords } from "@x/auth/adapters/records";
 * import assert from "node:assert/strict";
 *
 * const { getUser, createUser } = memoryAdapter();
 * const adapter = withRecords({ getUser, createUser }, memoryRecords(), { logger: { warn: () => {} } });
 * const version = await adapter.putRecord?.({ kind: "event", id: "1", version: 0, data: { what: "signed in" } });
 *
 * assert.equal((await adapter.getRecord?.({ kind: "event", id: "1" }))?.version, version);
 * ```
 *
 * @param adapter The adapter, which keeps all of its operations.
 * @param records Where records are: `sqliteRecords()`, `postgresRecords()`, `mysqlRecords()`, `kvRecords()` or `memoryRecords()`.
 * @param options Where to log. A line says once that users and records do not commit together.
 * @returns An adapter with records.
 */
export function withRecords<Given extends Adapter>(
  adapter: Given,
  records: RecordStore,
  { logger }: WithRecordsOptions = {},
): Given & RecordOperations {
  const { warn } = createLogger({ logger });
  const take = records.take?.bind(records);
  const own: Adapter = {
    getRecord: (key) => records.getRecord(key),
    putRecord: (record) => records.putRecord(record),
    removeRecord: (key) => records.removeRecord(key),
    listRecords: (query) => records.listRecords(query),
    ...(take && !adapter.take && { take }),
    ...(adapter.deleteUser && { deleteUser: (userId) => deleteUser(adapter, records, userId) }),
    ...(adapter.commit && { commit: (plan) => commit(adapter, records, plan) }),
  };
  const noting = (operation: Method) => (...args: readonly unknown[]) => {
    if (!warned.has(records)) warn("records-apart", APART);
    warned.add(records);
    return operation(...args);
  };
  const operations = Object.entries({ ...methodsOf(adapter), ...own as Readonly<Record<string, Method>> });
  const noted: unknown = Object.fromEntries(operations.map(([name, run]) => [name, noting(run)]));
  // All methods of the adapter, and those on records.
  return noted as Given & RecordOperations;
}

async function deleteUser(adapter: Adapter, records: RecordStore, userId: string) {
  // A database that numbers its users is given a number.
  const id = String(userId);
  await records.removeRecordsOf({ userId: id, but: STRICT });
  const deleted = await adapter.deleteUser?.(userId);
  await records.removeRecordsOf({ userId: id });
  return deleted;
}

async function commit(adapter: Adapter, records: RecordStore, plan: Plan): Promise<CommitResult> {
  const write = async (others: Plan): Promise<CommitResult> => await adapter.commit?.(others) ?? "conflict";
  if (!touchesRecords(plan)) return await write(plan);
  const { expect } = withoutRecords(plan);
  // Nothing is removed for a plan that is going to be rejected.
  const answer = expect ? await write({ expect }) : "done";
  if (answer !== "done") return answer;
  if (!await hasWhatGoes(adapter, plan)) return "conflict";
  return await writeApart(records, plan, { write, isDone: (result) => result === "done", conflict: "conflict" });
}
