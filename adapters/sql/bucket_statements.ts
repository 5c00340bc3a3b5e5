/**
 * How buckets are taken from in a database whose statements can return the rows that they wrote.
 *
 * @module
 */
import type { Asked } from "../../src/contract/buckets.ts";
import type { SqlSteps } from "./statement.ts";
import type { Table } from "./table.ts";
import type { Param } from "./values.ts";

/** How a database that can return what it wrote spells what is asked of buckets. */
export interface BucketSpelling {
  /**
   * A select of the columns `key`, `step`, `least` and `most`. Where rows are locked, in the order of the keys: two calls
   * about the same buckets do not wait for each other.
   */
  readonly given: string;
  /** The parameters of that select. */
  readonly paramsOf: (asked: readonly Asked[]) => readonly Param[];
  /** The function that gives the larger of two numbers. */
  readonly larger: string;
}

/** Takes in one statement. Another one is needed only if a bucket refuses: it asks until when. */
export function* takeAtOnce(
  table: Table,
  asked: readonly Asked[],
  { given, paramsOf, larger }: BucketSpelling,
): SqlSteps<ReadonlyMap<string, number>> {
  const [key, expires] = [table.column("key").sql, table.column("expires").sql];
  const own = "given.key = excluded." + key;
  const isRoom = `known.${expires} <= given.most and (given.step > 0 or known.${expires} > excluded.${expires})`;
  const rows = yield {
    sql: `with given as (${given}) insert into ${table.sql} as known (${key}, ${expires})` +
      ` select given.key, given.least from given where true on conflict (${key}) do update` +
      ` set ${expires} = (select ${larger}(known.${expires} + given.step, excluded.${expires}) from given where ${own})` +
      ` where exists (select 1 from given where ${own} and ${isRoom}) returning ${key} as "0"`,
    params: paramsOf(asked),
  };
  const taken = new Set(rows.map((row) => String(row[0])));
  const refused = asked.filter(({ key, step }) => step > 0 && !taken.has(key));
  if (refused.length === 0) return new Map();
  const found = yield {
    sql: `select known.${key} as "0", ${table.column("expires").codec.read(`known.${expires}`)} as "1"` +
      ` from (${given}) as given join ${table.sql} as known on known.${key} = given.key`,
    params: paramsOf(refused),
  };
  const times = new Map(found.map((row) => [String(row[0]), Number(row[1])]));
  // One that is gone was given back meanwhile.
  return new Map(refused.map(({ key }) => [key, times.get(key) ?? 0]));
}
