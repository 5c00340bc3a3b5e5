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
import type { Writes } from "./writes.ts";

/** A table whose rows end. */
export type EndingId = "sessions" | "verificationTokens" | "onceMarks" | "records" | "buckets";

/** Keys that were recorded by `once()`. */
interface OnceMark {
  readonly key: string;
  readonly expires: Date;
}

/** A bucket of a limit. */
interface StoredBucket {
  readonly key: string;
  /** When it will be full, in milliseconds since 1970. */
  readonly expires: number;
}

export interface Tables {
  readonly users: Table<AdapterUser>;
  readonly accounts: Table<AdapterAccount>;
  readonly sessions: Table<AdapterSession>;
  readonly verificationTokens: Table<VerificationToken>;
  readonly authenticators: Table<AdapterAuthenticator>;
  readonly onceMarks: Table<OnceMark>;
  readonly records: Table<StoredRecord>;
  readonly buckets: Table<StoredBucket>;
}

/** Storage in one database. */
export interface SqlStore {
  readonly tables: Tables;
  /** The database's own clock, some seconds ago, in SQL, to compare it with the column `expires` of a table. */
  readonly ago: (id: EndingId, seconds: number) => string;
  /** Whether the database has the table of records. */
  readonly hasRecords: boolean;
  /** Whether the database has the table of buckets. */
  readonly hasBuckets: boolean;
  /** Added to the name of the table of records, so that rows are found by the index of these members. */
  readonly byIndex: (columns: readonly string[]) => string;
  readonly writes: Writes;
  /** Added to a read whose row must stay as it is until the transaction ends. */
  readonly lock: string;
}

export function makeTables(make: <Stored>(id: TableId) => Table<Stored>): Tables {
  return {
    users: make("users"),
    accounts: make("accounts"),
    sessions: make("sessions"),
    verificationTokens: make("verificationTokens"),
    authenticators: make("authenticators"),
    onceMarks: make("onceMarks"),
    records: make("records"),
    buckets: make("buckets"),
  };
}
