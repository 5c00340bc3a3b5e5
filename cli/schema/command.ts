/**
 * The subcommand `schema`.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { TABLE_IDS, type TableId } from "../../adapters/sql/schema.ts";
import { InvalidConfig } from "../../src/kernel/errors.ts";
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
  --json                 one object as JSON: version, format, dialect, text
  --help                 this text
`;

/** Runs the subcommand. @returns What to print. @throws {InvalidConfig} if an argument is wrong. */
export function schemaCommand(args: readonly string[]): string {
  const { values, positionals } = parse(args);
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
  const text = print({ dialect, missing, schema, tables: tablesOf(values.tables) });
  return values.json ? `${JSON.stringify({ version: 1, format, dialect, text })}\n` : text;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        dialect: { type: "string" },
        help: { type: "boolean", short: "h" },
        json: { type: "boolean" },
        missing: { type: "boolean" },
        schema: { type: "string" },
        tables: { type: "string" },
      },
    });
  } catch (error) {
    throw new InvalidConfig(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function dialectOf(name: string | undefined): SqlDialect {
  const dialect = DIALECTS.find((known) => known === name);
  if (dialect) return dialect;
  const given = name === undefined ? "Choose a database" : `Unknown dialect "${name}"`;
  throw new InvalidConfig(`${given}: --dialect ${DIALECTS.join(", --dialect ")}`);
}

function tablesOf(text: string | undefined): ModelOptions["tables"] {
  const pairs = (text ?? "").split(",").filter(Boolean).map((pair) => pair.split("=").map((part) => part.trim()));
  return Object.fromEntries(pairs.map(([id = "", name = "", ...more]) => {
    if (TABLE_IDS.includes(id as TableId) && name !== "" && more.length === 0) return [id, name];
    throw new InvalidConfig(
      `Cannot read --tables: write users=NAME,accounts=NAME. The tables are ${TABLE_IDS.join(", ")}`,
    );
  }));
}
