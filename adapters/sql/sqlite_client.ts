/**
 * A connection to SQLite that answers with promises, whatever the driver.
 *
 * @module
 */
import type { SqlSteps, Statement } from "./statement.ts";
import type { Row } from "./table.ts";

/** Runs a statement and gives its rows. */
export type Run = (statement: Statement) => Promise<readonly Row[]>;

interface AnyClient {
  /** Sets up the connection, before anything else is asked. */
  readonly setUp?: () => Promise<void>;
  /** Runs one statement, which is a transaction by itself. */
  readonly run: Run;
  /** Gives a date as the application's own client stores it. */
  readonly sampleDate?: () => Promise<string | undefined>;
}

/** A client that runs a list of statements as one transaction, and nothing in between. */
export interface BatchClient extends AnyClient {
  /** Runs statements as one transaction, which is undone if one fails. */
  readonly batch: (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;
  /** Runs a statement where the newest data is. @default the same as `run` */
  readonly runFresh?: Run;
  /** Whether `run` reads a copy, which may be older. Known once a statement was run. */
  readonly readsCopy?: () => boolean;
}

/** A client whose transactions stay open while the program decides. */
export interface InteractiveClient extends AnyClient {
  /** Runs a function in a transaction, which is undone if the function throws. */
  readonly transact: <Result>(run: (run: Run) => Promise<Result>) => Promise<Result>;
}

export type SqliteClient = BatchClient | InteractiveClient;

/** Runs an operation. */
export async function drive<Result>(steps: SqlSteps<Result>, run: Run): Promise<Result> {
  let step = steps.next();
  while (!step.done) step = steps.next(await run(step.value));
  return step.value;
}

/** Whether a statement changes nothing. */
export function isRead({ sql }: Statement): boolean {
  return sql.startsWith("select ");
}
