/**
 * The tables as models of Prisma.
 *
 * @module
 */
import { MODEL_NAMES } from "../../adapters/sql/found_names.ts";
import type { ModelOptions, SqlDialect } from "./options.ts";
import { commented, type Shape, type ShapeColumn, shapesOf } from "./shape.ts";

/**
 * Gives models of Prisma, with the names of Auth.js's.
 *
 * @example Usage
 * ```ts
 * import { prismaSchema } from "@x/auth/cli";
 * import assert from "node:assert/strict";
 *
 * assert.match(prismaSchema({ dialect: "postgres" }), /^model User \{/);
 * ```
 *
 * @param options The database, its schema, names of tables, and whether only what is missing is wanted.
 * @returns Text for `schema.prisma`, without `datasource` and `generator`.
 * @throws {InvalidConfig} if a name is not a valid identifier.
 */
export function prismaSchema(options: ModelOptions): string {
  return shapesOf(options, MODEL_NAMES).map((shape) => modelText(shape, options)).join("\n");
}

type Field = readonly [name: string, type: string, attributes: string];

function modelText(shape: Shape, options: ModelOptions): string {
  const { id, table, isWhole, note } = shape;
  const name = MODEL_NAMES[id];
  const fields = [
    ...shape.columns.map((column) => fieldOf(column, shape, options.dialect)),
    ...shape.columns.filter(({ isOwner }) => isOwner).map(ownerOf),
    ...shape.owns.map((other): Field => [other, `${MODEL_NAMES[other]}[]`, ""]),
  ];
  const attributes = [
    ...(isWhole && shape.key.length > 1 ? [`@@id([${shape.key.join(", ")}])`] : []),
    ...shape.indexes.filter(({ unique }) => !unique).map(({ columns, name }) => {
      return `@@index([${columns.join(", ")}], map: "${name}")`;
    }),
    ...(isWhole && table !== name ? [`@@map("${table}")`] : []),
    ...(isWhole && options.schema !== undefined ? [`@@schema("${options.schema}")`] : []),
  ];
  const lines = [...aligned(fields), ...(attributes.length > 0 ? ["", ...attributes] : [])];
  const text = lines.map((line) => line && `  ${line}`).join("\n");
  if (!isWhole) return commented(`Add to model ${name}:\n${text}\n`);
  return `${note ? `// ${note}\n` : ""}model ${name} {\n${text}\n}\n`;
}

function fieldOf(column: ShapeColumn, { id, key, indexes }: Shape, dialect: SqlDialect): Field {
  const { name, column: inDatabase, kind, isRequired, isKeyed, length } = column;
  const { type, attribute } = TYPES[dialect][kind === "text" && !isKeyed ? "longText" : kind];
  const unique = indexes.find(({ unique, columns: [first] }) => unique && first === name);
  const attributes = [
    ...(key.length === 1 && key[0] === name ? ["@id"] : []),
    ...(id === "users" && name === "id" ? ["@default(cuid())"] : []),
    ...(unique ? [`@unique(map: "${unique.name}")`] : []),
    ...(inDatabase === name ? [] : [`@map(${JSON.stringify(inDatabase)})`]),
    ...(attribute ? [attribute.replace("LENGTH", String(length))] : []),
  ];
  return [name, `${type}${isRequired ? "" : "?"}`, attributes.join(" ")];
}

function ownerOf({ name, isRequired }: ShapeColumn): Field {
  const relation = `@relation(fields: [${name}], references: [id], onDelete: Cascade)`;
  return ["user", `${MODEL_NAMES.users}${isRequired ? "" : "?"}`, relation];
}

/** Aligns fields as `prisma format` does. */
function aligned(fields: readonly Field[]): string[] {
  const [names, types] = [0, 1].map((at) => Math.max(...fields.map((field) => (field[at] ?? "").length)));
  return fields.map(([name, type, attributes]) => {
    return `${name.padEnd(names ?? 0)} ${type.padEnd(types ?? 0)} ${attributes}`.trimEnd();
  });
}

interface PrismaType {
  readonly type: string;
  readonly attribute?: string;
}

type PrismaTypes = Readonly<Record<ShapeColumn["kind"] | "longText", PrismaType>>;

const TEXT = { type: "String" };

/** Versions of records and counters of passkeys need more than 32 bits. */
const COMMON = { text: TEXT, longText: TEXT, integer: { type: "BigInt" }, boolean: { type: "Boolean" } };

const TYPES: Readonly<Record<SqlDialect, PrismaTypes>> = {
  postgres: {
    ...COMMON,
    timestamp: { type: "DateTime", attribute: "@db.Timestamptz(3)" },
    json: { type: "Json", attribute: "@db.Json" },
    extraJson: { type: "Json" },
  },
  mysql: {
    ...COMMON,
    text: { type: "String", attribute: "@db.VarChar(LENGTH)" },
    longText: { type: "String", attribute: "@db.MediumText" },
    timestamp: { type: "DateTime", attribute: "@db.DateTime(3)" },
    json: { type: "String", attribute: "@db.LongText" },
    extraJson: { type: "String", attribute: "@db.LongText" },
  },
  sqlite: { ...COMMON, timestamp: { type: "DateTime" }, json: TEXT, extraJson: TEXT },
};
