/**
 * What a `PrismaClient` knows of its tables, of Prisma 6 and 7: `@@map`, `@map`, `@@schema`, and defaults.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import type { Fill } from "./column_names.ts";
import {
  chosenName,
  type ChosenTables,
  type ClientDialect,
  type ClientNames,
  completeNames,
  type FoundTable,
  foundTable,
  MODEL_NAMES,
  peek,
  peekEntries,
  peekText,
} from "./found_names.ts";
import { TABLE_IDS, type TableId } from "./schema.ts";

const DIALECTS: Readonly<Record<string, ClientDialect>> = {
  cockroachdb: "postgres",
  mysql: "mysql",
  postgres: "postgres",
  postgresql: "postgres",
  sqlite: "sqlite",
};

interface Model {
  readonly name: string;
  readonly table: string;
  readonly schema: string | undefined;
  readonly columns: ReadonlyMap<string, string>;
  /** The fields that Prisma fills. */
  readonly fills: readonly Fill[];
}

/**
 * Reads the names of a `PrismaClient`, with extensions or without. `tables` names models or tables.
 *
 * @returns `null` for anything else.
 * @throws {InvalidConfig} if it has no model of users or of accounts.
 */
export function prismaNames(client: unknown, chosen: ChosenTables = {}): ClientNames | null {
  const models = modelsOf(client);
  if (models.length === 0) return null;
  const described = ({ table, schema, columns, fills }: Model, id: TableId): FoundTable =>
    foundTable(id, {
      name: table,
      schema,
      columns,
      fills: fills.map(({ column: field, ...rest }) => ({ column: columns.get(field) ?? field, ...rest })),
    });
  const find = (id: TableId): FoundTable | undefined => {
    const wanted = chosenName(chosen, id) ?? MODEL_NAMES[id];
    const model = models.find(({ name }) => name === wanted) ??
      models.find(({ name }) => propertyOf(name) === propertyOf(wanted)) ??
      models.find(({ table }) => table === chosen[id]);
    if (model) return described(model, id);
    return chosen[id] === undefined ? undefined : foundTable(id, { name: wanted, schema: schemaOf(client) });
  };
  const tables = Object.fromEntries(TABLE_IDS.flatMap((id) => {
    const table = find(id);
    return table ? [[id, table]] : [];
  }));
  if (!tables.users) throw new InvalidConfig(NO_USERS);
  return { dialect: dialectOf(client), tables: completeNames(tables, MODEL_NAMES, "the `PrismaClient`") };
}

const NO_USERS = "Cannot find the names of tables: the `PrismaClient` has no model `User`. Name yours in option " +
  "`tables.users`, or add the models that `npx @x/auth schema prisma` prints";

function dialectOf(client: unknown): ClientDialect {
  const provider = peekText(client, "_activeProvider") ?? peekText(client, "_engineConfig", "activeProvider") ?? "";
  return Object.hasOwn(DIALECTS, provider) ? DIALECTS[provider] ?? "unknown" : "unknown";
}

function modelsOf(client: unknown): Model[] {
  const declarations = declarationsIn(peekText(client, "_engineConfig", "inlineSchema") ?? "", dialectOf(client));
  return peekEntries(peek(client, "_runtimeDataModel", "models")).flatMap(([name, model]): Model[] => {
    const fields = peek(model, "fields");
    if (!Array.isArray(fields)) return [];
    const columns = fields.flatMap((field): [string, string][] => {
      const member = peekText(field, "name");
      // A field of another model is a relation, and has no column.
      return member === undefined || peek(field, "kind") === "object"
        ? []
        : [[member, peekText(field, "dbName") ?? member]];
    });
    const { schema = schemaOf(client), fills = [] } = declarations.get(name) ?? {};
    return [{ name, table: peekText(model, "dbName") ?? name, schema, columns: new Map(columns), fills }];
  });
}

/** The schema that the adapter of a driver writes into the statements of Prisma. */
function schemaOf(client: unknown): string | undefined {
  return peekText(client, "_engineConfig", "adapter", "options", "schema");
}

/** The name of a model as a member of the client. */
function propertyOf(model: string): string {
  return model.slice(0, 1).toLowerCase() + model.slice(1);
}

/**
 * Reads what the client knows from the text of its schema alone: what `@@schema` says of each model, and which fields
 * Prisma fills.
 *
 * @see {@link https://www.prisma.io/docs/orm/reference/prisma-schema-reference | Prisma schema reference}
 */
function declarationsIn(text: string, dialect: ClientDialect): ReadonlyMap<string, Pick<Model, "schema" | "fills">> {
  // Texts may contain what looks like a comment, a brace or an attribute: each is replaced by its number.
  const texts: string[] = [];
  const code = text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (found) => {
    return found.startsWith('"') ? `"${texts.push(found.slice(1, -1)) - 1}"` : "";
  });
  return new Map([...code.matchAll(/^\s*model\s+(\w+)\s*\{([^}]*)\}/gm)].map(([, name = "", body = ""]) => {
    const [, schema = ""] = /@@schema\(\s*(?:map:\s*)?"(\d+)"/.exec(body) ?? [];
    return [name, {
      schema: texts[Number(schema || NaN)],
      fills: body.split("\n").flatMap((line) => fillOf(line, dialect) ?? []),
    }];
  }));
}

function fillOf(line: string, dialect: ClientDialect): Fill | null {
  const [, column = ""] = /^\s*(\w+)\s+\w/.exec(line) ?? [];
  if (/\s@updatedAt\b/.test(line)) return { column, with: "now", onUpdate: true };
  // Left to the database, it would be the time in the zone of the session, which Prisma takes for UTC. In SQLite it is UTC.
  const isZoned = dialect !== "sqlite" && !/\s@db\.(?:Date|Time|Timetz)\b/.test(line);
  if (isZoned && /\s@default\(\s*now\(/.test(line)) return { column, with: "now", onUpdate: false };
  return /\s@default\(\s*(?:cuid|uuid|ulid|nanoid)\(/.test(line) ? { column, with: "id", onUpdate: false } : null;
}
