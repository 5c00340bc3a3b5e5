/**
 * Storage as it was found in one database: its tables, and what its SQL says differently from that of others.
 *
 * @module
 */
import type { TableId, TableNames } from "./schema.ts";
import type { Table } from "./table.ts";
import type { Codec } from "./values.ts";

/** Storage in one database. */
export interface Store {
  /** The tables of records. */
  readonly tables: Readonly<Record<Exclude<TableId, "onceMarks">, Table>>;
  /** The names of all tables, as a statement writes them. */
  readonly names: TableNames;
  /** How instants are kept. */
  readonly instant: Codec;
  /** Added to a read whose row must stay as it is until the transaction ends. */
  readonly lock: string;
  /** Added to a read whose rows nobody has to wait for. */
  readonly skip: string;
}
