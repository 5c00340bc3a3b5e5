/**
 * Steps that several operations have in common.
 *
 * @module
 */
import type { SqlSteps } from "./statement.ts";
import type { SqlStore } from "./store.ts";
import { type Assignment, assignOthers, type Members, readOthers, type Row, splitRecord, type Table } from "./table.ts";
import { isStorable } from "./values.ts";

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
export function* insert<Stored>(store: WritingStore, table: Table<Stored>, record: object): SqlSteps<Stored | null> {
  const { assignments, others } = splitRecord(table, record);
  const row = yield* store.writes.insert(table, filled(table, [...assignments, assignOthers(table, others)], "insert"));
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

/** The row of a table that a transaction has locked, with all columns. */
export interface LockedRow {
  readonly table: Table;
  readonly row: Row;
}

/** Changes the record of a key; `null` if there is none. What was locked is not read again. */
export function* update<Stored>(
  { writes, lock }: WritingStore,
  table: Table<Stored>,
  record: object,
  locked: readonly LockedRow[] = [],
): SqlSteps<Stored | null> {
  const { assignments, custom, others } = splitRecord(table, record);
  const keyColumns = table.key.map(({ sql }) => sql);
  const keyValues = table.key.map(({ name }) => (record as Members)[name]);
  const isKey = table.key.map((column) => column.isEqual()).join(" and ");
  const values = assignments.filter(({ sql }) => !keyColumns.includes(sql));
  if (custom.length > 0 || Object.keys(others).length > 0) {
    const known = locked.find((each) => each.table === table && hasKey(table, each.row, keyValues));
    const stored = known ? table.readOthers(known.row) : yield* findOthers(table, `${isKey}${lock}`, keyValues);
    if (!stored) return null;
    const older = Object.entries(stored).filter(([name]) => !custom.includes(name));
    values.push(assignOthers(table, { ...Object.fromEntries(older), ...others }));
  }
  if (values.length === 0) {
    return yield* findOne(table, `select ${table.list} from ${table.sql} where ${isKey}`, keyValues);
  }
  if (!keyValues.every(isStorable)) return null;
  const row = yield* writes.update(table, filled(table, values, "update"), { sql: isKey, params: keyValues });
  return row ? table.read(row) : null;
}

function hasKey(table: Table, row: Row, values: readonly unknown[]): boolean {
  const record = table.read(row) as Members;
  return table.key.every(({ name }, at) => record[name] === values[at]);
}

function* findOthers(table: Table, where: string, texts: readonly unknown[]): SqlSteps<Members | null> {
  const { extra } = table;
  const [row] = yield* run(`select ${extra.codec.read(extra.sql)} as "0" from ${table.sql} where ${where}`, texts);
  return row ? readOthers(extra, row[0]) : null;
}

/** Deletes the record of a key and gives it; `null` if there is none. @param texts The values of the key's columns. */
export function* remove<Stored>(
  { writes }: WritingStore,
  table: Table<Stored>,
  texts: readonly unknown[],
): SqlSteps<Stored | null> {
  if (!texts.every(isStorable)) return null;
  const isKey = table.key.map((column) => column.isEqual()).join(" and ");
  const row = yield* writes.remove(table, { sql: isKey, params: texts });
  return row ? table.read(row) : null;
}

/** The parts of a store that writes records. */
export type WritingStore = Pick<SqlStore, "writes" | "lock">;

/** Adds the columns that no record has. */
function filled(table: Table, values: readonly Assignment[], when: "insert" | "update"): readonly Assignment[] {
  const fills = table.fills.filter(({ onUpdate }) => when === "insert" || onUpdate).map((each) => table.fill(each));
  return [...values, ...fills.filter((fill) => !values.some(({ sql }) => sql === fill.sql))];
}
