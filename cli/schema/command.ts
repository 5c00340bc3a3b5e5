/**
 * The subcommand `schema`.
 *
 * @module
 */
import { EXTRA, TABLE_IDS, type TableId, type TableOptions, TABLES } from "../../adapters/sql/schema.ts";
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { parseArguments } from "../terminal/arguments.ts";
import { drizzleSchema } from "./drizzle.ts";
import { DIALECTS, type ModelOptions, type SqlDialect } from "./options.ts";
import { prismaSchema } from "./prisma.ts";
import { sqlSchema } from "./sql.ts";

const FORMATS: Readonly<Record<string, (options: ModelOptions) => string>> = {
  prisma: prismaSchema,
  drizzle: drizzleSchema,
  sql: ({ missing, ...options }) => {
    if (missing) throw new InvalidConfig("`--missing` is for prisma and drizzle: `migrate()` adds what tables lack");
    return sqlSchema(options);
  },
};

/** What is printed for `--help`. */
export const SCHEMA_HELP = `Prints the tables of @x/auth.

Usage: npx @x/auth schema FORMAT --dialect NAME [options]

Formats:
  prisma   models for schema.prisma
  drizzle  tables for a module of TypeScript
  sql      statements

Options:
  --dialect NAME         the database: ${DIALECTS.join(", ")}
  --missing              only what Auth.js's models lack (prisma and drizzle)
  --schema NAME          the schema of the tables (postgres)
  --tables users=NAME,…  names of tables, by what they hold:
                         ${TABLE_IDS.slice(0, 4).join(", ")},
                         ${TABLE_IDS.slice(4).join(", ")}
  --columns users.emailVerified=NAME,…
                         names of columns, by the table and the member
  --json                 one object as JSON: version, format, dialect, text
  --help                 this text
`;

const OPTIONS = {
  columns: { type: "string" },
  dialect: { type: "string" },
  help: { type: "boolean", short: "h" },
  json: { type: "boolean" },
  missing: { type: "boolean" },
  schema: { type: "string" },
  tables: { type: "string" },
} as const;

/** Runs the subcommand. @returns What to print. @throws {InvalidConfig} if an argument is wrong. */
export function schemaCommand(args: readonly string[]): string {
  const { values, positionals } = parseArguments(args, OPTIONS);
  if (values.help) return SCHEMA_HELP;
  const [format = "", ...more] = positionals;
  const print = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  const formats = Object.keys(FORMATS).join(", ");
  if (!print) {
    throw new InvalidConfig(format ? `Unknown format "${format}": choose ${formats}` : `Choose a format: ${formats}`);
  }
  if (more.length > 0) throw new InvalidConfig(`Unknown argument "${more[0]}"`);
  const dialect = dialectOf(values.dialect);
  const { missing, schema } = values;
  const text = print({ dialect, missing, schema, tables: tablesOf(values) });
  return values.json ? `${JSON.stringify({ version: 1, format, dialect, text })}\n` : text;
}

type Values = ReturnType<typeof parseArguments<typeof OPTIONS>>["values"];

function dialectOf(name: string | undefined): SqlDialect {
  const dialect = DIALECTS.find((known) => known === name);
  if (dialect) return dialect;
  const given = name === undefined ? "Choose a database" : `Unknown dialect "${name}"`;
  throw new InvalidConfig(`${given}: --dialect ${DIALECTS.join(", --dialect ")}`);
}

/** Reads the names of tables, and those of their columns. */
function tablesOf({ tables, columns }: Pick<Values, "tables" | "columns">): ModelOptions["tables"] {
  const named = pairsOf("tables", tables).map(([id, name]): [TableId, TableOptions] => {
    if (!isTable(id)) throw unreadable("tables");
    return [id, { name }];
  });
  const own = pairsOf("columns", columns).map(([path, column]) => {
    const [id = "", member = ""] = path.split(".");
    if (!isTable(id) || path !== `${id}.${member}`) throw unreadable("columns");
    assertMember(id, member);
    return { id, member, column };
  });
  const chosen = new Map(named);
  for (const { id, member, column } of own) {
    const before = chosen.get(id);
    chosen.set(id, { ...before, columns: { ...before?.columns, [member]: column } });
  }
  return Object.fromEntries(chosen);
}

function isTable(id: string): id is TableId {
  return TABLE_IDS.includes(id as TableId);
}

function assertMember(id: TableId, member: string): void {
  const members = [...TABLES[id].columns.map(({ name }) => name), ...(TABLES[id].isPlain ? [] : [EXTRA])];
  if (members.includes(member)) return;
  throw new InvalidConfig(`Cannot read --columns: the table of ${id} has no "${member}". It has ${members.join(", ")}`);
}

/** Reads a list of names, each after what it is for. */
function pairsOf(option: keyof typeof EXAMPLES, text = ""): (readonly [key: string, name: string])[] {
  return text.split(",").filter(Boolean).map((pair) => {
    const [key = "", name = "", ...more] = pair.split("=").map((part) => part.trim());
    if (key === "" || name === "" || more.length > 0) throw unreadable(option);
    return [key, name];
  });
}

const EXAMPLES = {
  tables: "users=NAME,accounts=NAME",
  columns: "users.emailVerified=NAME,sessions.expires=NAME",
} as const;

function unreadable(option: keyof typeof EXAMPLES): InvalidConfig {
  return new InvalidConfig(
    `Cannot read --${option}: write ${EXAMPLES[option]}. The tables are ${TABLE_IDS.join(", ")}`,
  );
}
