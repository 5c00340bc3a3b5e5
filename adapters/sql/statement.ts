/**
 * An operation as a series of statements, each answered with rows.
 *
 * Generators, because the same operation runs on a driver that answers at once and on one that answers with promises.
 * A transaction of `node:sqlite` must stay synchronous: everything in the program shares its connection.
 *
 * @module
 */
import type { Row } from "./table.ts";
import type { Param } from "./values.ts";

/** A statement. Each `?` stands for a parameter. It always answers with rows. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly Param[];
  /** Whether whoever asks for it cannot go on if it writes nothing. */
  readonly must?: boolean;
  /** Whether a row that breaks a unique constraint is no error: the answer has no rows then. */
  readonly orDuplicate?: boolean;
}

/** The statements of an operation, and its result. */
export type SqlSteps<Result> = Generator<Statement, Result, readonly Row[]>;

/** Runs a statement and gives its rows. */
export type Run = (statement: Statement) => Promise<readonly Row[]>;

/** Runs an operation. */
export async function drive<Result>(steps: SqlSteps<Result>, run: Run): Promise<Result> {
  let step = steps.next();
  while (!step.done) step = steps.next(await run(step.value));
  return step.value;
}
