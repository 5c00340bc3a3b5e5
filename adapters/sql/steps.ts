/**
 * An operation as a series of statements, each answered with rows.
 *
 * Generators, because the same operation runs on a driver that answers at once and on one that answers with promises.
 * A transaction of `node:sqlite` must stay synchronous: everything in the program shares its connection.
 *
 * @module
 */
import { EXTRA, quoteName } from "./schema.ts";
import { type Assignment, assignOthers, type Members, type Row, splitRecord, type Table } from "./table.ts";
import { isStorable, type Param } from "./values.ts";

/** A statement. Each `?` stands for a parameter. It always answers with rows. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly Param[];
}

/** The statements of an operation, and its result. */
export type SqlSteps<Result> = Generator<Statement, Result, readonly Row[]>;

/** Runs a statement whose parameters are all compared with text. Text that cannot be stored matches no row. */
export function* run(sql: string, texts: readonly unknown[]): SqlSteps<readonly Row[]> {
  return texts.every(isStorable) ? yield { sql, params: texts } : [];
}

/** Runs a statement that selects or returns records of a table, and gives them all. */
export function* findAll<Stored>(table: Table<Stored>, sql: string, texts: readonly unknown[]): SqlSteps<Stored[]> {
  const rows = yield* run(sql, texts);
  return rows.map((row) => table.read(row));
}

/** Runs a statement that selects or returns records of a table, and gives the first. */
export function* findOne<Stored>(
  table: Table<Stored>,
  sql: string,
  texts: readonly unknown[],
): SqlSteps<Stored | null> {
  const [row] = yield* run(sql, texts);
  return row ? table.read(row) : null;
}

/** Inserts a record; `null` if it breaks a unique constraint. */
export function* insert<Stored>(table: Table<Stored>, record: object): SqlSteps<Stored | null> {
  const { assignments, others } = splitRecord(table, record);
  const values = [...assignments, assignOthers(table, others)];
  const names = values.map(({ sql }) => sql).join(", ");
  const placeholders = values.map(({ placeholder }) => placeholder).join(", ");
  const [row] = yield {
    sql: `insert into ${table.sql} (${names}) values (${placeholders}) on conflict do nothing returning ${table.list}`,
    params: values.map(({ param }) => param),
  };
  return row ? table.read(row) : null;
}

/**
 * Whether {@linkcode update} takes more than one statement. Members without a column share one column, which is read
 * before it is changed.
 */
export function needsTransaction(table: Table, changes: object): boolean {
  const { custom, others } = splitRecord(table, changes);
  return custom.length > 0 || Object.keys(others).length > 0;
}

/** Changes the record of a key; `null` if there is none. `lock` keeps the row as it was read until the transaction ends. */
export function* update<Stored>(table: Table<Stored>, record: object, lock: string): SqlSteps<Stored | null> {
  const { assignments, custom, others } = splitRecord(table, record);
  const keyColumns = table.key.map(({ sql }) => sql);
  const keyValues = table.key.map(({ name }) => (record as Members)[name]);
  const isKey = keyColumns.map((sql) => `${sql} = ?`).join(" and ");
  const values = assignments.filter(({ sql }) => !keyColumns.includes(sql));
  if (custom.length > 0 || Object.keys(others).length > 0) {
    const sql = `select ${table.extraJson.read(quoteName(EXTRA))} as "0" from ${table.sql} where ${isKey}${lock}`;
    const [row] = yield* run(sql, keyValues);
    if (!row) return null;
    const stored = row[0] === null ? {} : table.extraJson.decode(row[0]) as Members;
    const older = Object.entries(stored).filter(([name]) => !custom.includes(name));
    values.push(assignOthers(table, { ...Object.fromEntries(older), ...others }));
  }
  if (values.length === 0) {
    return yield* findOne(table, `select ${table.list} from ${table.sql} where ${isKey}`, keyValues);
  }
  return yield* set(table, values, { isKey, keyValues });
}

interface KeyCondition {
  readonly isKey: string;
  readonly keyValues: readonly unknown[];
}

function* set<Stored>(
  table: Table<Stored>,
  values: readonly Assignment[],
  { isKey, keyValues }: KeyCondition,
): SqlSteps<Stored | null> {
  if (!keyValues.every(isStorable)) return null;
  const assignments = values.map(({ sql, placeholder }) => `${sql} = ${placeholder}`).join(", ");
  const [row] = yield {
    sql: `update ${table.sql} set ${assignments} where ${isKey} returning ${table.list}`,
    params: [...values.map(({ param }) => param), ...keyValues],
  };
  return row ? table.read(row) : null;
}
