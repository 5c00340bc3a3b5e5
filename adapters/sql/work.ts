/**
 * What an operation does to a database, apart from how it is reached: a series of statements, each answered with rows.
 *
 * The same work runs on a database that answers at once and on one that has to be waited for.
 *
 * @module
 */
import {
  assign,
  type Assignment,
  assignOthers,
  type Column,
  readRecord,
  type Row,
  splitRecord,
  type Table,
} from "./table.ts";
import { EXTRA, quoteName } from "./schema.ts";
import { isStorable, type Param } from "./values.ts";

/** A statement; every `?` in it stands for a parameter. It always answers with rows. */
export interface Statement {
  /** The text. */
  readonly sql: string;
  /** The parameters, in order. */
  readonly params: readonly Param[];
}

/** Statements one after the other, and what they come to. */
export type Work<Result> = Generator<Statement, Result, readonly Row[]>;

/** Work that can be started, more than once if the database asks for it. */
export interface Task<Result> {
  /** Whether all of its statements are one transaction. */
  readonly whole: boolean;
  /** Whether it changes nothing, so that it can be done again whatever became of it. */
  readonly reads: boolean;
  /** Starts it. */
  readonly start: () => Work<Result>;
}

/** A record, as an operation gives it: the contract says of which type it is. */
type Found = Record<string, unknown>;

/** A condition on rows, and the values that it compares with. */
export interface Condition {
  /** The condition, in SQL. */
  readonly sql: string;
  /** What its columns are compared with. Nothing is found for text that cannot have been stored. */
  readonly texts: readonly unknown[];
}

/** The condition that certain columns are equal to something. */
export function where(columns: readonly Pick<Column, "sql">[], texts: readonly unknown[]): Condition {
  return { sql: columns.map(({ sql }) => `${sql} = ?`).join(" and "), texts };
}

/** The condition that it is the row of this key. */
export function ofKey({ key }: Table, record: object): Condition {
  const members = record as Found;
  return where(key, key.map(({ name }) => members[name]));
}

/** Runs a statement whose parameters are all compared with text. */
export function* lookUp(sql: string, texts: readonly unknown[]): Work<readonly Row[]> {
  return texts.every(isStorable) ? yield { sql, params: texts } : [];
}

/** Finds the records that fulfil a condition. `lock` makes them stay as they are until the transaction ends. */
export function* findAll(table: Table, { sql, texts }: Condition, lock = ""): Work<Found[]> {
  const rows = yield* lookUp(`select ${table.list} from ${table.sql} where ${sql}${lock}`, texts);
  return rows.map((row) => readRecord(table, row));
}

/** Finds the record that fulfils a condition. */
export function* findOne(table: Table, condition: Condition, lock = ""): Work<Found | null> {
  const [found] = yield* findAll(table, condition, lock);
  return found ?? null;
}

/** Removes what fulfils a condition and gives it. */
export function* removeAll(table: Table, condition: Condition): Work<Found[]> {
  const sql = `delete from ${table.sql} where ${condition.sql} returning ${table.list}`;
  const rows = yield* lookUp(sql, condition.texts);
  return rows.map((row) => readRecord(table, row));
}

/** Removes the one row that fulfils a condition and gives it. */
export function* removeOne(table: Table, condition: Condition): Work<Found | null> {
  const [removed] = yield* removeAll(table, condition);
  return removed ?? null;
}

/** Adds a record; `null` if there is one that it may not stand beside. */
export function* add(table: Table, record: object): Work<Found | null> {
  const { assignments, others } = splitRecord(table, record);
  const values = [...assignments, assignOthers(table, others)];
  const names = values.map(({ sql }) => sql).join(", ");
  const holes = values.map(({ placeholder: hole }) => hole).join(", ");
  const [row] = yield {
    sql: `insert into ${table.sql} (${names}) values (${holes}) on conflict do nothing returning ${table.list}`,
    params: values.map(({ param }) => param),
  };
  return row ? readRecord(table, row) : null;
}

/**
 * Whether a change takes more than one statement: members without a column are kept together, so that what is there has
 * to be read before it can be changed.
 */
export function isCompound(table: Table, changes: object): boolean {
  const { foreign, others } = splitRecord(table, changes);
  return foreign.length > 0 || Object.keys(others).length > 0;
}

/** Changes the record of a key, if there is one. `lock` makes a row stay as it was read until the transaction ends. */
export function* change(table: Table, record: object, lock: string): Work<Found | null> {
  const condition = ofKey(table, record);
  const { assignments, foreign, others } = splitRecord(table, record);
  const values = assignments.filter(({ sql }) => !table.key.some((column) => column.sql === sql));
  if (foreign.length > 0 || Object.keys(others).length > 0) {
    const kept = yield* readOthers(table, condition, lock);
    if (!kept) return null;
    const older = Object.entries(kept).filter(([name]) => !foreign.includes(name));
    values.push(assignOthers(table, { ...Object.fromEntries(older), ...others }));
  }
  return values.length === 0 ? yield* findOne(table, condition) : yield* set(table, values, condition);
}

function* readOthers(table: Table, { sql, texts }: Condition, lock: string): Work<Found | null> {
  const read = table.extra.read(quoteName(EXTRA));
  const [row] = yield* lookUp(`select ${read} as "0" from ${table.sql} where ${sql}${lock}`, texts);
  if (!row) return null;
  return row[0] === null ? {} : table.extra.decode(row[0]) as Found;
}

/** Sets columns of the row that fulfils a condition and gives the record. */
export function* set(table: Table, values: readonly Assignment[], { sql, texts }: Condition): Work<Found | null> {
  if (!texts.every(isStorable)) return null;
  const assignments = values.map((value) => `${value.sql} = ${value.placeholder}`).join(", ");
  const [row] = yield {
    sql: `update ${table.sql} set ${assignments} where ${sql} returning ${table.list}`,
    params: [...values.map(({ param }) => param), ...texts],
  };
  return row ? readRecord(table, row) : null;
}

/** Puts values into columns of a table, by their names. */
export function assignAll({ byName }: Table, values: Readonly<Record<string, unknown>>): Assignment[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const column = byName.get(name);
    return column ? [assign(column, value)] : [];
  });
}
