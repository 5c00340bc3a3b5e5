/**
 * A connection to SQLite that answers with promises, whatever the driver.
 *
 * @module
 */
import type { Run, Statement } from "./statement.ts";
import type { Row } from "./table.ts";

export type { Run } from "./statement.ts";

interface AnyClient {
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
}

/** A client whose transactions stay open while the program decides. */
export interface InteractiveClient extends AnyClient {
  /** Runs a function in a transaction, which is undone if the function throws. */
  readonly transact: <Result>(run: (run: Run) => Promise<Result>) => Promise<Result>;
}

export type SqliteClient = BatchClient | InteractiveClient;
