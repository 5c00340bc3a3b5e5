/**
 * How SQLite stores values and tables: as `@auth/drizzle-adapter` does.
 *
 * @module
 */
import type { BucketSpelling } from "./bucket_statements.ts";
import { columnNames, type ColumnOf, type TableNaming } from "./column_names.ts";
import { quoteName } from "./names.ts";
import { EXTRA, indexesOf, type TableId, type TableNames, TABLES, uniquesOf } from "./schema.ts";
import { affinityOf, findProblems, findTables, type FoundTable, type FoundType, isUnique } from "./sqlite_catalogue.ts";
import { CODECS, CUSTOM_COLUMN_CODEC, dateText } from "./sqlite_codecs.ts";
import type { SqlSteps } from "./statement.ts";
import { makeTables, type SqlStore } from "./store.ts";
import { type FoundColumn, makeTable } from "./table.ts";
import { assertUsable } from "./unusable_tables.ts";
import type { Codec } from "./values.ts";
import { returningWrites } from "./writes.ts";

/** The names that `@auth/drizzle-adapter` gives to its tables. */
export const SQLITE_NAMES: TableNames = {
  users: "user",
  accounts: "account",
  sessions: "session",
  verificationTokens: "verificationToken",
  authenticators: "authenticator",
  onceMarks: "onceMark",
  records: "authRecord",
  buckets: "authBucket",
};

const TYPES = { text: "text", integer: "integer", timestamp: "integer", boolean: "integer", json: "text" } as const;

/**
 * Lists the statements that add the tables, columns and indexes that are missing, and change nothing else.
 *
 * They depend on what exists, not on a version: the tables may be those of other software, and `user_version` belongs to
 * the application. A column that is renamed one day needs a statement that looks for the old name.
 *
 * @throws {AdapterError} if there are tables that cannot be used. Nothing has been changed then.
 */
export function* migrationStatements(naming: TableNaming): SqlSteps<string[]> {
  const found = yield* findTables(naming);
  const columnOf = columnNames(naming, (id) => found.find((table) => table.id === id)?.columns ?? []);
  assertUsable(yield* findProblems(found));
  return found.flatMap((table) => {
    const { id, name, columns, indexes } = table;
    const missing = columnsFor(id).filter(([member]) => !columns.some((known) => known.member === member));
    const spell = (members: readonly string[]) => members.map((member) => columnOf(id, member));
    return [
      ...(columns.length === 0
        ? [tableSql(id, naming, columnOf)]
        : missing.map(([member, type]) =>
          `alter table ${quoteName(name)} add column ${quoteName(columnOf(id, member))} ${type}`
        )),
      ...uniquesOf(id).filter((wanted) => !isUnique(planned(table), wanted)).map((wanted) => {
        return indexSql(name, wanted, "unique", spell(wanted));
      }),
      ...indexesOf(id).filter((wanted) => !indexes.some((index) => index.name === indexName(name, wanted, "index")))
        .map((wanted) => indexSql(name, wanted, "index", spell(wanted))),
    ];
  });
}

/** The table as it will be made, if it does not exist. */
function planned(table: FoundTable): FoundTable {
  if (table.columns.length > 0) return table;
  const columns = primaryOf(table.id).map((name): FoundType => {
    return { name, member: name, type: "", primary: true, stored: undefined };
  });
  return { ...table, columns };
}

/**
 * Reads which columns the tables have.
 *
 * @param dateSample A date as the application's own client stores it, if it stores dates as text.
 */
export function* findStore(naming: TableNaming, dateSample?: string): SqlSteps<SqlStore> {
  const { names, fills } = naming;
  const found = yield* findTables(naming);
  const texts = found.flatMap(({ columns }) => columns.flatMap(({ stored }) => stored?.text ?? []));
  const dates = dateCodecs(texts[0] ?? dateSample);
  const tables = makeTables(<Stored>(id: TableId) => {
    const own = found.find((table) => table.id === id)?.columns ?? [];
    const columns = own.map((column): FoundColumn => {
      const codec = dates(column);
      return {
        name: column.name,
        member: column.member,
        codec: codec ?? CUSTOM_COLUMN_CODEC,
        override: column.stored && codec,
      };
    });
    return makeTable<Stored>({ id, sql: quoteName(names[id]), found: columns, codecs: CODECS, fills: fills?.[id] });
  });
  return {
    tables,
    // Not unixepoch(), which SQLite knows since 3.38.
    ago: (id, seconds) => {
      return [CODECS.timestamp, CODECS.integer].includes(tables[id].column("expires").codec)
        ? `cast((julianday('now') - 2440587.5) * 86400000 as integer) - ${seconds * 1000}`
        : `strftime('%Y-%m-%dT%H:%M:%f', 'now', '-${seconds} seconds')`;
    },
    hasRecords: true,
    hasBuckets: true,
    // Without statistics SQLite may choose the primary key, and read all records of a kind.
    byIndex: (columns) => ` indexed by ${quoteName(indexName(names.records, columns, "index"))}`,
    // A transaction locks the whole file, so rows need no locks.
    lock: "",
    writes: returningWrites({ skip: "", buckets: BUCKETS }),
  };
}

// One parameter, because D1 takes a hundred at most.
const BUCKETS: BucketSpelling = {
  given: "select json_extract(value, '$[0]') as key, json_extract(value, '$[1]') as step," +
    " json_extract(value, '$[2]') as least, json_extract(value, '$[3]') as most from json_each(?)",
  paramsOf: (asked) => [JSON.stringify(asked.map(({ key, step, least, most }) => [key, step, least, most]))],
  larger: "max",
};

/** Gives the codec of a column of dates that are text. A column that holds numbers keeps them. */
function dateCodecs(sample: string | undefined): (column: FoundType) => Codec | undefined {
  const codec = sample === undefined ? undefined : dateText(sample);
  return ({ type, stored }) => {
    const isDate = /^(?:datetime|timestamp)$/i.test(type) && affinityOf(type) !== "text";
    return isDate && !stored?.hasNumbers ? codec : undefined;
  };
}

function columnsFor(id: TableId): [name: string, type: string][] {
  const columns = TABLES[id].columns.map(({ name, kind }): [string, string] => [name, TYPES[kind]]);
  return TABLES[id].isPlain ? columns : [...columns, [EXTRA, "text"]];
}

function tableSql(id: TableId, { names, ids }: TableNaming, columnOf: ColumnOf): string {
  const { columns, owned } = TABLES[id];
  const required = new Set(columns.filter(({ empty }) => empty === "never").map(({ name }) => name));
  const lines = columnsFor(id).map(([name, type]) => {
    const owner = owned && name === "userId" && ids.includes("users")
      ? ` references ${quoteName(names.users)} (${quoteName(columnOf("users", "id"))}) on delete cascade`
      : "";
    return `${quoteName(columnOf(id, name))} ${type}${required.has(name) ? " not null" : ""}${owner}`;
  });
  lines.push(`primary key (${primaryOf(id).map((member) => quoteName(columnOf(id, member))).join(", ")})`);
  return `create table if not exists ${quoteName(names[id])} (${lines.join(", ")}) strict`;
}

// Drizzle's adapter has the user in the primary key of authenticators, and another unique index on the credential.
function primaryOf(id: TableId): readonly string[] {
  const { key } = TABLES[id];
  return id === "authenticators" ? ["userId", ...key] : key;
}

/** The name of an index. Unique ones have those of `@auth/drizzle-adapter`. */
export function indexName(table: string, columns: readonly string[], suffix: "unique" | "index"): string {
  return [table, ...columns, suffix].join("_");
}

/** Writes the statement that makes an index. Unique indexes have Drizzle's names. */
function indexSql(
  table: string,
  members: readonly string[],
  suffix: "unique" | "index",
  columns: readonly string[],
): string {
  const name = quoteName(indexName(table, members, suffix));
  const kind = suffix === "unique" ? "unique index" : "index";
  return `create ${kind} if not exists ${name} on ${quoteName(table)} (${columns.map(quoteName).join(", ")})`;
}
