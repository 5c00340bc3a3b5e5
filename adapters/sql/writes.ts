/**
 * Statements that write, in a database whose statements can return the rows that they wrote.
 *
 * @module
 */
import type { Asked } from "../../src/contract/buckets.ts";
import { type BucketSpelling, takeAtOnce } from "./bucket_statements.ts";
import type { SqlSteps } from "./statement.ts";
import type { Assignment, Row, Table } from "./table.ts";
import type { Param } from "./values.ts";

/** Rows, by a condition. */
export interface Where {
  readonly sql: string;
  readonly params: readonly Param[];
}

/** A row that takes the place of the one of its key if that one ends early enough. */
export interface Replacement {
  readonly table: Table;
  readonly key: readonly Assignment[];
  readonly others: readonly Assignment[];
  /** The stored row is replaced if it ends before this time, or at this time. */
  readonly ifEnds: { readonly comparison: "<" | "<="; readonly time: Param };
  /** Whether whoever asks for it cannot go on if it is not done. */
  readonly must?: boolean;
}

/** How a database writes. Each database has its own statements for the same. */
export interface Writes {
  /** Whether a write may take several statements, which are one transaction then. */
  readonly needTransaction: boolean;
  /** Ends a statement that answers with a row for each row that it wrote. */
  readonly returning: string;
  /** Inserts a row and gives it; `null` if it breaks a unique constraint. */
  insert(table: Table, values: readonly Assignment[]): SqlSteps<Row | null>;
  /** Changes rows and gives the first; `null` if there is none. */
  update(table: Table, values: readonly Assignment[], where: Where): SqlSteps<Row | null>;
  /** Deletes a row and gives it; `null` if there is none. */
  remove(table: Table, where: Where): SqlSteps<Row | null>;
  /** Inserts a row, or replaces the one of its key. Whether it did. */
  replace(replacement: Replacement): SqlSteps<boolean>;
  /** Deletes at most so many rows, the first by a column, and none that others have locked. */
  removeSome(table: Table, where: Where, rest: { readonly by: string; readonly most: number }): SqlSteps<void>;
  /** Takes from buckets, which are sorted by their keys. Gives the times of those that refused. */
  take(table: Table, asked: readonly Asked[]): SqlSteps<ReadonlyMap<string, number>>;
}

/** What differs between PostgreSQL and SQLite. */
export interface ReturningSpelling {
  /** Added to a read that skips rows which others have locked. */
  readonly skip: string;
  readonly buckets: BucketSpelling;
}

/** Writes of PostgreSQL and SQLite. */
export function returningWrites({ skip, buckets }: ReturningSpelling): Writes {
  const returning = ' returning 1 as "0"';
  return {
    needTransaction: false,
    returning,
    insert: function* (table, values) {
      const sql = `${insertInto(table.sql, values)} on conflict do nothing returning ${table.list}`;
      return (yield { sql, params: paramsOf(values), must: true })[0] ?? null;
    },
    update: function* (table, values, where) {
      const sql = `update ${table.sql} set ${assign(values)} where ${where.sql} returning ${table.list}`;
      return (yield { sql, params: [...paramsOf(values), ...where.params], must: true })[0] ?? null;
    },
    remove: function* (table, { sql, params }) {
      return (yield { sql: `delete from ${table.sql} where ${sql} returning ${table.list}`, params })[0] ?? null;
    },
    replace: function* ({ table, key, others, ifEnds: { comparison, time }, must = false }) {
      const { sql: expires, codec } = table.column("expires");
      const values = [...key, ...others];
      const replaced = others.map(({ sql }) => `${sql} = excluded.${sql}`).join(", ");
      const sql =
        `${insertInto(`${table.sql} as known`, values)} on conflict (${key.map(({ sql }) => sql).join(", ")})` +
        ` do update set ${replaced} where known.${expires} ${comparison} ${codec.placeholder}${returning}`;
      return (yield { sql, params: [...paramsOf(values), time], must }).length > 0;
    },
    removeSome: function* (table, { sql, params }, { by, most }) {
      const key = table.key.map((column) => column.sql).join(", ");
      // In the order of the index: without it, a database that expects many such rows reads the whole table for none.
      const rows = `select ${key} from ${table.sql} where ${sql} order by ${by} limit ${most}${skip}`;
      yield { sql: `delete from ${table.sql} where (${key}) in (${rows})${returning}`, params };
    },
    take: (table, asked) => takeAtOnce(table, asked, buckets),
  };
}

/** Writes `insert into … values …`. */
export function insertInto(into: string, values: readonly Assignment[]): string {
  const names = values.map(({ sql }) => sql).join(", ");
  return `insert into ${into} (${names}) values (${values.map(({ placeholder }) => placeholder).join(", ")})`;
}

/** Writes the list after `set`. */
export function assign(values: readonly Assignment[]): string {
  return values.map(({ sql, placeholder }) => `${sql} = ${placeholder}`).join(", ");
}

export function paramsOf(values: readonly Assignment[]): Param[] {
  return values.map(({ param }) => param);
}
