/**
 * Transactions on a database that runs a list of statements as one transaction, and nothing in between: Cloudflare D1.
 *
 * An operation is rehearsed: it reads at once, and its writes are collected. Then one batch holds the writes, and for
 * each read a guard that fails if the answer would be another one by now. A guard that fails undoes everything.
 *
 * @module
 */
import { quoteName } from "./names.ts";
import type { BatchClient, Run } from "./sqlite_client.ts";
import type { SqlSteps, Statement } from "./statement.ts";
import type { Row } from "./table.ts";

/** What was read has been changed since. Nothing was written. */
export class ReadChanged extends Error {}

/**
 * Runs an operation as one transaction.
 *
 * @throws {ReadChanged} if somebody changed what it read. It can be repeated.
 */
export async function runInBatch<Result>(
  client: BatchClient,
  read: Run,
  start: () => SqlSteps<Result>,
): Promise<Result> {
  const { said, result } = await rehearse(start, read);
  if (said.every(({ statement }) => isRead(statement))) return result;
  const batch: Statement[] = [];
  const places = said.map(({ statement, rows }, index): number | null => {
    if (isRead(statement)) {
      batch.push(unchanged(statement, rows, index));
      return null;
    }
    const place = batch.push(statement) - 1;
    if (statement.must) batch.push(changedRow(index));
    return place;
  });
  const outcome = await client.batch(batch).catch((error: unknown) => failedGuard(error));
  if (typeof outcome === "number") return refuse(start, said, outcome);
  return replay(
    start,
    said.map(({ rows }, index) => {
      const place = places[index] ?? null;
      return place === null ? rows : outcome[place] ?? [];
    }),
  );
}

/** A statement, and what it answered or is expected to answer. */
interface Said {
  readonly statement: Statement;
  readonly rows: readonly Row[];
}

/** A row of which nothing is known. */
const SOME_ROW: Row = new Proxy({}, { get: () => null });

async function rehearse<Result>(start: () => SqlSteps<Result>, read: Run) {
  const said: Said[] = [];
  const steps = start();
  let step = steps.next();
  while (!step.done) {
    const statement = step.value;
    const rows = isRead(statement) ? await read(statement) : [SOME_ROW];
    said.push({ statement, rows });
    step = steps.next(rows);
  }
  return { said, result: step.value };
}

function isRead({ sql }: Statement): boolean {
  return sql.startsWith("select ");
}

/** Repeats an operation with answers that are known. */
function replay<Result>(start: () => SqlSteps<Result>, answers: readonly (readonly Row[])[]): Result {
  const steps = start();
  let step = steps.next();
  for (const rows of answers) if (!step.done) step = steps.next(rows);
  if (!step.done) throw new ReadChanged();
  return step.value;
}

/** Lets an operation say what it says if a write changed no row. It was undone. */
function refuse<Result>(start: () => SqlSteps<Result>, said: readonly Said[], failed: number): never {
  if (said[failed] && !isRead(said[failed].statement)) {
    replay(start, [...said.slice(0, failed).map(({ rows }) => rows), []]);
  }
  throw new ReadChanged();
}

const GUARD = "x-auth guard ";

/** Makes a statement that fails unless something holds. The error contains the path, in which SQLite finds no `$`. */
function guard(index: number, condition: string, params: Statement["params"] = []): Statement {
  return {
    sql: `select json_extract('{}', case when ${condition} then '$' else '${GUARD}${index}' end) as "0"`,
    params,
  };
}

/** The number of the guard that failed. @throws {unknown} the error if it is another one. */
function failedGuard(error: unknown): number {
  const [, index] = /x-auth guard (\d+)/.exec(error instanceof Error ? error.message : "") ?? [];
  if (index === undefined) throw error;
  return Number(index);
}

function changedRow(index: number): Statement {
  return guard(index, "changes() > 0");
}

/** Guards that a read gives the same rows, in any order. */
function unchanged({ sql, params }: Statement, rows: readonly Row[], index: number): Statement {
  const read = rows.map((row) => Object.values(row));
  const width = read[0]?.length ?? 0;
  const isBytes = Array.from(
    { length: width },
    (_, at) => read.some((row) => typeof row[at] === "object" && row[at] !== null),
  );
  const isSame = isBytes.map((bytes, at) => {
    const column = `now.${quoteName(String(at))}`;
    return `${bytes ? `hex(${column})` : column} collate binary is json_extract(known.value, '$[${at}]')`;
  });
  const known = read.map((row) => `[${row.map((value, at) => json(isBytes[at] ? hex(value) : value)).join()}]`);
  const isKnown = ["1", ...isSame].join(" and ");
  const { sql: condition, params: own } = guard(
    index,
    `(select count(*) from now) = ? and not exists (select 1 from now where not exists (select 1 from json_each(?) known where ${isKnown}))`,
    [rows.length, `[${known.join()}]`],
  );
  return { sql: `with now as (${sql}) ${condition}`, params: [...params, ...own] };
}

function json(value: unknown): string {
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}

/** What `hex()` of SQLite gives for bytes, in whichever form a driver has them. */
function hex(bytes: unknown): string {
  const all = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : (bytes ?? []) as Iterable<number>;
  return Array.from(all, (byte) => byte.toString(16).padStart(2, "0")).join("").toUpperCase();
}
