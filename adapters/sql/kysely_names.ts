/**
 * What a Kysely instance knows of names: nothing of the tables, but what its plugins make of them.
 *
 * @module
 */
import {
  chosenName,
  type ChosenTables,
  type ClientDialect,
  type ClientNames,
  completeNames,
  foundTable,
  MODEL_NAMES,
  peek,
  peekText,
} from "./found_names.ts";
import { EXTRA, TABLE_IDS, type TableId, TABLES } from "./schema.ts";

/** A query, as far as it is written here. */
interface Query {
  select(columns: readonly string[]): Query;
  where(column: string, operator: string, value: string): Query;
  compile(): { readonly sql: string };
}

/**
 * Reads the names of a Kysely instance: those of `@auth/kysely-adapter`, as its plugins spell them, such as
 * `CamelCasePlugin` and `withSchema()`. `tables` has the names of tables in the database.
 *
 * @returns `null` for anything else.
 * @throws {InvalidConfig} if a chosen name is not text.
 */
export function kyselyNames(db: unknown, chosen: ChosenTables = {}): ClientNames | null {
  const probe = compile(db, "users", ["id"]);
  if (probe === null) return null;
  const tables = Object.fromEntries(TABLE_IDS.map((id) => {
    const members = [...TABLES[id].columns.map(({ name }) => name), EXTRA];
    const names = [...(compile(db, id, members) ?? "").matchAll(QUOTED)].map(([quoted]) => unquoted(quoted));
    // The columns, then the table, perhaps after its schema, then the column of the condition.
    const [name = MODEL_NAMES[id], schema] = names.slice(members.length, -1).reverse();
    return [
      id,
      foundTable(id, {
        name: chosenName(chosen, id) ?? name,
        schema,
        // A column that no plugin spells differently may be spelt in any way that its member is recognized by.
        columns: new Map(members.flatMap((member, at) => names[at] === member ? [] : [[member, names[at] ?? member]])),
      }),
    ];
  }));
  return { dialect: dialectOf(probe), tables: completeNames(tables, MODEL_NAMES, "Kysely") };
}

/** A quoted name. A quote in it is doubled. */
const QUOTED = /"(?:[^"]|"")+"|`(?:[^`]|``)+`/g;

function unquoted(quoted: string): string {
  return quoted.slice(1, -1).replaceAll('""', '"').replaceAll("``", "`");
}

/** Lets the instance write a query, and runs nothing. @returns `null` if it cannot, and is something else. */
function compile(db: unknown, id: TableId, members: readonly string[]): string | null {
  if (typeof peek(db, "selectFrom") !== "function" || typeof peek(db, "getExecutor") !== "function") return null;
  try {
    const query = (db as { selectFrom(table: string): Query }).selectFrom(MODEL_NAMES[id]).select(members);
    return peekText(query.where(members[0] ?? "", "=", "").compile(), "sql") ?? null;
  } catch {
    return null;
  }
}

function dialectOf(sql: string): ClientDialect {
  if (sql.includes("`")) return "mysql";
  if (sql.endsWith("$1")) return "postgres";
  return sql.endsWith("?") ? "sqlite" : "unknown";
}
