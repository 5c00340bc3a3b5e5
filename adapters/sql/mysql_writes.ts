/**
 * Statements that write, in a database whose statements cannot return the rows that they wrote: MySQL and MariaDB.
 *
 * Each write is a transaction that locks the row before it decides. How many rows a statement changed tells only whether
 * rows were deleted: for updates, drivers count either the rows that were found or those that are different now.
 *
 * @module
 */
import { type Asked, timeAfter } from "../../src/contract/buckets.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import type { SqlSteps } from "./statement.ts";
import type { Assignment, Table } from "./table.ts";
import type { Param } from "./values.ts";
import { assign, insertInto, paramsOf, type Replacement, type Where, type Writes } from "./writes.ts";

const LOCK = " for update";

/** Writes of MySQL and MariaDB. @param isRequired Whether a column of a table cannot be empty. */
export function mysqlWrites(isRequired: (table: string, column: string) => boolean): Writes {
  return {
    ...WRITES,
    update: (table, values, where) => {
      // The server may write an empty text instead, as `sql_mode` says.
      const empty = values.find(({ sql, param }) => param === null && isRequired(table.sql, sql));
      if (!empty) return WRITES.update(table, values, where);
      throw new AdapterError(`Cannot write to storage: column ${empty.sql} of table ${table.sql} is required`);
    },
  };
}

const WRITES: Writes = {
  needTransaction: true,
  returning: "",
  insert: function* (table, values) {
    if (!(yield* insertNew(table, values))) return null;
    const key = keyOf(table, values);
    return (yield { sql: `select ${table.list} from ${table.sql} where ${key.sql}`, params: key.params })[0] ?? null;
  },
  update: function* (table, values, where) {
    // Locked first: otherwise a row that somebody inserts after the update would be taken for one that was updated.
    const [found] = yield { sql: `select 1 as "0" from ${table.sql} where ${where.sql}${LOCK}`, params: where.params };
    if (!found) return null;
    const sql = `update ${table.sql} set ${assign(values)} where ${where.sql}`;
    yield { sql, params: [...paramsOf(values), ...where.params], must: true };
    return (yield { sql: `select ${table.list} from ${table.sql} where ${where.sql}`, params: where.params })[0] ??
      null;
  },
  remove: function* (table, { sql, params }) {
    const [row] = yield { sql: `select ${table.list} from ${table.sql} where ${sql}${LOCK}`, params };
    if (row) yield { sql: `delete from ${table.sql} where ${sql}`, params };
    return row ?? null;
  },
  replace,
  removeSome,
  take,
};

// The rows are made and locked first, in the order of the keys. A row that is new has a time that has passed.
function* take(table: Table, asked: readonly Asked[]): SqlSteps<ReadonlyMap<string, number>> {
  const [key, expires] = [table.column("key"), table.column("expires")];
  const keys = asked.map((each) => key.codec.encode(each.key));
  yield {
    sql: `insert into ${table.sql} (${key.sql}, ${expires.sql}) values ${keys.map(() => "(?, 0)").join(", ")}` +
      ` on duplicate key update ${expires.sql} = ${expires.sql}`,
    params: keys,
  };
  const rows = yield {
    sql: `select ${key.codec.read(key.sql)} as "0", ${expires.codec.read(expires.sql)} as "1" from ${table.sql}` +
      ` where ${key.sql} in (${keys.map(() => "?").join(", ")})${LOCK}`,
    params: keys,
  };
  const times = new Map(rows.map((row) => [String(row[0]), Number(row[1])]));
  const after = asked.map((each): readonly [Asked, number | null] => {
    const time = times.get(each.key);
    if (time === undefined) {
      throw new AdapterError(
        `Cannot take from buckets: a unique index of table ${table.sql} takes two keys for the same`,
      );
    }
    return [each, timeAfter(time, each)];
  });
  const changes = after.filter(([each, time]) => time !== null && time !== times.get(each.key));
  if (changes.length > 0) {
    const changed = changes.map(([each]) => key.codec.encode(each.key));
    yield {
      sql: `update ${table.sql} set ${expires.sql} = case ${key.sql}${
        changes.map(() => " when ? then ?").join("")
      } end` +
        ` where ${key.sql} in (${changes.map(() => "?").join(", ")})`,
      params: [...changes.flatMap(([, time], at) => [changed[at] ?? null, expires.codec.encode(time)]), ...changed],
    };
  }
  return new Map(after.flatMap(([{ key }, time]) => time === null ? [[key, times.get(key) ?? 0]] : []));
}

// One by one: for several keys the whole table may be read, and every row waited for that others have locked.
function* removeSome(
  table: Table,
  { sql, params }: Where,
  { by, most }: { readonly by: string; readonly most: number },
): SqlSteps<void> {
  const list = table.key.map((column, at) => `${column.codec.read(column.sql)} as "${at}"`).join(", ");
  const rows = yield {
    sql: `select ${list} from ${table.sql} where ${sql} order by ${by} limit ${most}${LOCK} skip locked`,
    params,
  };
  const isKey = table.key.map((column) => column.isEqual()).join(" and ");
  for (const row of rows) {
    yield { sql: `delete from ${table.sql} where ${isKey}`, params: table.key.map((_column, at) => row[at] as Param) };
  }
}

/** Inserts a row. Whether it did: it may break a unique constraint. */
function* insertNew(table: Table, values: readonly Assignment[]): SqlSteps<boolean> {
  const rows = yield { sql: insertInto(table.sql, values), params: paramsOf(values), must: true, orDuplicate: true };
  return rows.length > 0;
}

// Twice: the row of the key may be inserted by somebody else after it was looked for. The failed insert has locked it.
function* replace(replacement: Replacement): SqlSteps<boolean> {
  const { table, key, others, ifEnds, must } = replacement;
  const isKey = keyOf(table, key);
  const { sql: expires, codec } = table.column("expires");
  const ends = `${expires} ${ifEnds.comparison} ${codec.placeholder}`;
  const look = `select coalesce(${ends}, 0) as "0" from ${table.sql} where ${isKey.sql}${LOCK}`;
  for (let looks = 0; looks < 2; looks += 1) {
    const [found] = yield { sql: look, params: [ifEnds.time, ...isKey.params] };
    if (!found) {
      if (yield* insertNew(table, [...key, ...others])) return true;
      continue;
    }
    // A driver may give it as text.
    if (Number(found[0]) === 0) return false;
    const sql = `update ${table.sql} set ${assign(others)} where ${isKey.sql}`;
    yield { sql, params: [...paramsOf(others), ...isKey.params], ...(must && { must }) };
    return true;
  }
  throw new AdapterError(`Cannot write to storage: a unique index of table ${table.sql} takes two keys for the same`);
}

/** The row of a key, whose values are among these. */
function keyOf(table: Table, values: readonly Assignment[]): Where {
  return {
    sql: table.key.map((column) => column.isEqual()).join(" and "),
    params: table.key.map(({ sql }) => values.find((each) => each.sql === sql)?.param ?? null),
  };
}
