/**
 * The tables as tables of Drizzle.
 *
 * @module
 */
import { SQLITE_NAMES } from "../../adapters/sql/sqlite_schema.ts";
import type { ModelOptions, SqlDialect } from "./options.ts";
import { commented, type Shape, type ShapeColumn, shapesOf } from "./shape.ts";

/**
 * Gives tables of Drizzle, with the names of `@auth/drizzle-adapter`.
 *
 * @example Usage
 * ```ts
 * import { drizzleSchema } from "@x/auth/cli";
 * import assert from "node:assert/strict";
 *
 * assert.match(drizzleSchema({ dialect: "sqlite" }), /export const users = sqliteTable\("user", \{/);
 * ```
 *
 * @param options The database, its schema, names of tables, and whether only what is missing is wanted.
 * @returns A module of TypeScript.
 * @throws {InvalidConfig} if a name is not a valid identifier.
 */
export function drizzleSchema(options: ModelOptions): string {
  const shapes = shapesOf(options, SQLITE_NAMES);
  const { dialect, schema, missing = false } = options;
  const { module, table, types } = DIALECTS[dialect];
  const maker = schema === undefined ? `${table}Table` : "schema.table";
  const head = schema === undefined || missing ? "" : `const schema = pgSchema("${schema}");\n\n`;
  const text = head + shapes.map((shape) => tableText(shape, { maker, types })).join("\n");
  // What is called, and is not a method of what is called before. Names of columns may look like that.
  const code = text.replace(/^\/\/.*$/gm, "").replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const called = code.match(/(?<![.\w$])\w+(?=\()/g);
  const imports = [...new Set(called)].sort();
  const from = `from "drizzle-orm/${module}";\n\n`;
  const line = `import { ${imports.join(", ")} } ${from}`;
  return (line.length <= LONGEST ? line : `import {\n${imports.map((name) => `  ${name},\n`).join("")}} ${from}`) +
    text;
}

/** The longest line of imports. */
const LONGEST = 120;

interface Style {
  readonly maker: string;
  readonly types: ColumnTypes;
}

function tableText(shape: Shape, { maker, types }: Style): string {
  const { id, table, isWhole, key, note } = shape;
  const columns = shape.columns.map((column) => `  ${columnText(column, shape, types)},\n`).join("");
  const keys = [
    ...(isWhole && key.length > 1 ? [`primaryKey({ columns: [${membersOf(key)}] })`] : []),
    ...shape.indexes.map(({ name, columns, unique }) => {
      return `${unique ? "uniqueIndex" : "index"}("${name}").on(${membersOf(columns)})`;
    }),
  ];
  const rest = keys.map((each) => `  ${each},\n`).join("");
  if (!isWhole) return commented(`Add to table ${id}:\n${columns}${rest && `and to its indexes:\n${rest}`}`);
  const end = rest ? `}, (table) => [\n${rest}]);\n` : "});\n";
  return `${note ? `// ${note}\n` : ""}export const ${id} = ${maker}("${table}", {\n${columns}${end}`;
}

function columnText(
  { name, column, kind, isRequired, isKeyed, length, isOwner }: ShapeColumn,
  { id, key }: Shape,
  types: ColumnTypes,
): string {
  const type = types[kind === "text" && !isKeyed ? "longText" : kind];
  const isKey = key.length === 1 && key[0] === name;
  return [
    `${name}: ${type.replace("LENGTH", String(length)).replace("NAME", () => JSON.stringify(column))}`,
    isKey ? ".primaryKey()" : isRequired ? ".notNull()" : "",
    id === "users" && isKey ? ".$defaultFn(() => crypto.randomUUID())" : "",
    isOwner ? '.references(() => users.id, { onDelete: "cascade" })' : "",
  ].join("");
}

function membersOf(columns: readonly string[]): string {
  return columns.map((column) => `table.${column}`).join(", ");
}

type ColumnTypes = Readonly<Record<ShapeColumn["kind"] | "longText", string>>;

const DIALECTS: Readonly<
  Record<SqlDialect, { readonly module: string; readonly table: string; readonly types: ColumnTypes }>
> = {
  postgres: {
    module: "pg-core",
    table: "pg",
    types: {
      text: "text(NAME)",
      longText: "text(NAME)",
      integer: 'bigint(NAME, { mode: "number" })',
      timestamp: 'timestamp(NAME, { mode: "date", withTimezone: true })',
      boolean: "boolean(NAME)",
      json: "json(NAME)",
      extraJson: "jsonb(NAME)",
    },
  },
  mysql: {
    module: "mysql-core",
    table: "mysql",
    types: {
      text: "varchar(NAME, { length: LENGTH })",
      longText: "mediumtext(NAME)",
      integer: 'bigint(NAME, { mode: "number" })',
      timestamp: 'datetime(NAME, { mode: "date", fsp: 3 })',
      boolean: "boolean(NAME)",
      json: "longtext(NAME)",
      extraJson: "longtext(NAME)",
    },
  },
  sqlite: {
    module: "sqlite-core",
    table: "sqlite",
    types: {
      text: "text(NAME)",
      longText: "text(NAME)",
      integer: "integer(NAME)",
      timestamp: 'integer(NAME, { mode: "timestamp_ms" })',
      boolean: 'integer(NAME, { mode: "boolean" })',
      json: "text(NAME)",
      extraJson: "text(NAME)",
    },
  },
};
