/**
 * Storage as it was found in one database: its tables, and what its SQL says differently from that of others.
 *
 * @module
 */
import type { TableId, TableNames } from "./schema.ts";
import type { Table } from "./table.ts";
import type { Codec } from "./values.ts";

/** A table whose rows end. */
export type EndingId = "sessions" | "verificationTokens" | "onceMarks";

/** How one table keeps the end of its rows. */
export interface Ending {
  /** How instants are kept. */
  readonly codec: Codec;
  /** The database's own clock, some seconds ago, in SQL. */
  readonly ago: (seconds: number) => string;
}

/** Storage in one database. */
export interface Store {
  /** The tables of records. */
  readonly tables: Readonly<Record<Exclude<TableId, "onceMarks">, Table>>;
  /** The names of all tables, as a statement writes them. */
  readonly names: TableNames;
  /** How instants are kept: those of e-mail tokens, if tables differ in it. */
  readonly timestamp: Codec;
  /** How the end of rows is kept, in each table whose rows end. */
  readonly ends: Readonly<Record<EndingId, Ending>>;
  /** Added to a read whose row must stay as it is until the transaction ends. */
  readonly lock: string;
  /** Added to a read whose rows nobody has to wait for. */
  readonly skip: string;
}
