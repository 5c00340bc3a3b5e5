/**
 * The storage that was found in one database: its tables, and how its SQL differs from that of other databases.
 *
 * @module
 */
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  StoredRecord,
  VerificationToken,
} from "../../src/contract/adapter.ts";
import type { TableId } from "./schema.ts";
import type { Table } from "./table.ts";
import type { Codec } from "./values.ts";

/** A table whose rows end. */
export type EndingId = "sessions" | "verificationTokens" | "onceMarks" | "records";

/** A table whose rows end, and how it stores the end. */
export interface Ending {
  /** The table's name as a statement writes it. */
  readonly sql: string;
  readonly codec: Codec;
  /** The database's own clock, some seconds ago, in SQL. */
  readonly ago: (seconds: number) => string;
}

export interface Tables {
  readonly users: Table<AdapterUser>;
  readonly accounts: Table<AdapterAccount>;
  readonly sessions: Table<AdapterSession>;
  readonly verificationTokens: Table<VerificationToken>;
  readonly authenticators: Table<AdapterAuthenticator>;
  readonly records: Table<StoredRecord>;
}

/** Storage in one database. */
export interface SqlStore {
  readonly tables: Tables;
  readonly ends: Readonly<Record<EndingId, Ending>>;
  /** Whether the database has the table of records. */
  readonly hasRecords: boolean;
  /** Added to the name of the table of records, so that rows are found by the index of these columns. */
  readonly byIndex: (columns: readonly string[]) => string;
  /** Added to a read whose row must stay as it is until the transaction ends. */
  readonly lock: string;
  /** Added to a read that skips rows which others have locked. */
  readonly skip: string;
}

export function makeTables(make: <Stored>(id: TableId) => Table<Stored>): Tables {
  return {
    users: make("users"),
    accounts: make("accounts"),
    sessions: make("sessions"),
    verificationTokens: make("verificationTokens"),
    authenticators: make("authenticators"),
    records: make("records"),
  };
}
