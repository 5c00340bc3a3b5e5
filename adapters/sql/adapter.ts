/**
 * An adapter over a database that executes operations.
 *
 * @module
 */
import type { CommitResult, CompleteAdapter, Plan } from "../../src/contract/adapter.ts";
import { commitResultOf, ConstraintViolation } from "../../src/contract/commit.ts";
import type { RecordStore } from "../../src/contract/records_apart.ts";
import type { Runtime } from "../../src/kernel/runtime.ts";
import { type Arguments, MODES, type OperationName, type Results } from "./operations.ts";
import type { EndingId } from "./store.ts";

/** The constraint that a statement would have broken: a unique one, or a foreign key. */
export type Constraint = "unique" | "foreign key";

/** A database. */
export interface Database {
  /**
   * Executes an operation. The first one opens the database. With `noWait` it fails where it would wait for a lock.
   */
  execute<Name extends OperationName>(
    name: Name,
    args: Arguments[Name],
    options?: { readonly noWait: boolean },
  ): Promise<Results[Name]>;
  /** Which constraint a statement would have broken; `null` if it failed for another reason. */
  constraintOf(error: unknown): Constraint | null;
}

/** Makes an adapter of a database. */
export function sqlAdapter(database: Database, random: Runtime["random"]): CompleteAdapter {
  const sweepSometimes = makeSweeper(database, random);
  const names = Object.keys(MODES) as OperationName[];
  const operations = names.filter((name) => !INTERNAL.has(name)).map((name) => {
    const run = (...args: never) => execute(database, name, args);
    const sweepAndRun = async (...args: never) => {
      await sweepSometimes();
      return await run(...args);
    };
    return [name, ADDING.has(name) ? sweepAndRun : run];
  });
  const commit = async (plan: Plan): Promise<CommitResult> => {
    await sweepSometimes();
    return await execute(database, "commit", [plan]).catch(commitResultOf);
  };
  // Every operation of the contract has a mode, and takes and gives what the contract says.
  return { ...Object.fromEntries(operations) as CompleteAdapter, commit, take: taking(database, random) };
}

/** Makes a store of records alone. */
export function sqlRecords(database: Database, random: Runtime["random"]): RecordStore {
  const sweepSometimes = makeSweeper(database, random, ["records"]);
  return {
    getRecord: (key) => execute(database, "getRecord", [key]),
    putRecord: async (record) => {
      await sweepSometimes();
      return await execute(database, "putRecord", [record]);
    },
    removeRecord: (key) => execute(database, "removeRecord", [key]),
    listRecords: (query) => execute(database, "listRecords", [query]),
    removeRecordsOf: (which) => execute(database, "removeRecordsOf", [which]),
    take: taking(database, random),
  };
}

function taking(database: Database, random: Runtime["random"]): CompleteAdapter["take"] {
  // A sweep of its own: a database that was made before may not have the table.
  const sweepSometimes = makeSweeper(database, random, ["buckets"]);
  return async (buckets, now) => {
    await sweepSometimes(buckets.length);
    return await execute(database, "take", [buckets, now]);
  };
}

const WORDS: Readonly<Record<Constraint, string>> = {
  "unique": "there is one of the same id or address",
  "foreign key": "the user does not exist",
};

async function execute<Name extends OperationName>(
  database: Database,
  name: Name,
  args: Arguments[Name],
): Promise<Results[Name]> {
  try {
    return await database.execute(name, args);
  } catch (error) {
    const constraint = database.constraintOf(error);
    if (!constraint) throw error;
    throw new ConstraintViolation(`Cannot write to storage: ${WORDS[constraint]}`, { cause: error });
  }
}

/** Operations that the contract does not have. */
const INTERNAL: ReadonlySet<OperationName> = new Set(["sweep", "removeRecordsOf"]);

/** Operations that add rows which end. */
const ADDING: ReadonlySet<OperationName> = new Set(["createSession", "createVerificationToken", "once", "putRecord"]);

/** One in this many additions removes rows that have ended. */
const ADDITIONS_PER_SWEEP = 64;

function makeSweeper(
  database: Database,
  random: Runtime["random"],
  ids = ENDING,
): (additions?: number) => Promise<void> {
  // Starts at random, because a program or an adapter may be too short-lived to count that far.
  let [total = 0] = random(new Uint8Array(1));
  return async (additions = 1) => {
    const before = total;
    total += additions;
    const isDue = Math.floor(total / ADDITIONS_PER_SWEEP) > Math.floor(before / ADDITIONS_PER_SWEEP);
    if (isDue) await sweep(database, ids);
  };
}

// Records last: a database that was made before may not have their table.
const ENDING: readonly EndingId[] = ["sessions", "verificationTokens", "onceMarks", "records"];

async function sweep(database: Database, ids: readonly EndingId[]): Promise<void> {
  try {
    for (const id of ids) await database.execute("sweep", [id], { noWait: true });
  } catch {
    // Operations ignore rows that have ended. The next sweep removes them, so this one does not wait for a lock.
  }
}
