/**
 * What lies in a database, as lines: columns, indexes, and the keys and members of Deno KV.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import type { Adapter, CompleteAdapter } from "@x/auth";
import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
import { postgresSchema } from "@x/auth/adapters/postgres";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";

/** Lists what a release stores in SQLite, PostgreSQL and Deno KV. */
export async function layoutLines(): Promise<string[]> {
  const database = new DatabaseSync(":memory:");
  const kv = await Deno.openKv(":memory:");
  try {
    return [
      ...await sqliteLines(sqliteAdapter(database), database),
      ...postgresLines(postgresSchema()),
      ...await kvLines(denoKvAdapter(kv), kv),
    ];
  } finally {
    kv.close();
    database.close();
  }
}

/** Lists the tables, columns and indexes of SQLite, after the adapter has made them. */
async function sqliteLines(adapter: Adapter, database: DatabaseSync): Promise<string[]> {
  await adapter.getUser?.("1");
  const rows = (sql: string) => database.prepare(sql).all() as Record<string, unknown>[];
  const tables = rows("select name from sqlite_master where type = 'table' order by name").map(({ name }) => `${name}`);
  return tables.flatMap((table) => [
    `sqlite table ${table}: exists`,
    ...rows(`pragma table_info("${table}")`).map(({ name, type, notnull, dflt_value, pk }) => {
      const primary = pk === 0 ? "" : `, ${pk}. of the primary key`;
      return `sqlite column ${table}.${name}: ${type}${notnull ? " not null" : ""}${
        dflt_value === null ? "" : ` default ${dflt_value}`
      }${primary}`;
    }),
    ...rows(`pragma foreign_key_list("${table}")`).map((key) =>
      `sqlite reference ${table}.${key.from}: ${key.table}.${key.to} on delete ${key.on_delete}`
    ),
    ...rows(`pragma index_list("${table}")`).filter(({ origin }) => origin !== "pk").map(({ name, unique }) => {
      const columns = rows(`pragma index_info("${name}")`).map((column) => column.name);
      return `sqlite ${unique ? "unique index" : "index"} ${table}.${name}: ${columns.join(", ")}`;
    }),
  ]);
}

/** Lists the tables, columns and statements of the schema for PostgreSQL. */
function postgresLines(schema: string): string[] {
  return schema.split(/;\n/).map((statement) => statement.replace(/\s+/g, " ").trim()).flatMap((statement) => {
    const [, table, columns] = /^create table if not exists "?(\w+)"? \((.*)\)$/.exec(statement) ?? [];
    if (table && columns) {
      return [
        `postgres table ${table}: exists`,
        ...columns.trim().split(/, (?=")/).map((column) => {
          const [, name, rest] = /^"(\w+)" (.*)$/.exec(column) ?? [];
          return `postgres column ${table}.${name}: ${rest}`;
        }),
      ];
    }
    const [, unique = "", index, on, rest] = INDEX.exec(statement) ?? [];
    return index ? [`postgres ${unique}index ${on}.${index}: ${rest}`] : [];
  });
}

const INDEX = /^create (unique )?index if not exists "(\w+)" on "(\w+)" \((.*)\)$/;

const LATER = new Date(Date.UTC(2100, 0, 1));

/** Values of which every other one is told by its name. */
const NAMES: ReadonlyMap<unknown, string> = new Map([
  ["the-user", "<user>"],
  ["ada@example.com", "<address>"],
  ["a-provider", "<provider>"],
  ["an-account", "<account>"],
  ["a-session", "<session>"],
  ["a-sid", "<sid>"],
  ["an-identifier", "<identifier>"],
  ["a-hash", "<token>"],
  ["a-credential", "<credential>"],
  ["a-mark", "<mark>"],
]);

/** Lists the keys of Deno KV, and the members of the values, after one record of each kind was stored. */
async function kvLines(adapter: Adapter, kv: Deno.Kv): Promise<string[]> {
  await storeEach(adapter as CompleteAdapter);
  const lines: string[] = [];
  for await (const { key, value } of kv.list({ prefix: [] })) {
    const place = key.map((part) => NAMES.get(part) ?? String(part)).join("/").replace(
      /receipt\/[\w-]{22}$/,
      "receipt/*",
    );
    const members = membersOf(value);
    lines.push(`deno-kv key ${place}: exists`);
    for (const [name, type] of members) lines.push(`deno-kv value ${place}${name}: ${type}`);
  }
  return [...new Set(lines)];
}

async function storeEach(adapter: CompleteAdapter): Promise<void> {
  const userId = "the-user";
  const [provider, providerAccountId, providerSid] = ["a-provider", "an-account", "a-sid"];
  await adapter.createUser({ id: userId, email: "ada@example.com", emailVerified: LATER, name: "Ada", image: "i" });
  await adapter.linkAccount({ userId, provider, providerAccountId, type: "oidc", access_token: "t", expires_at: 1 });
  await adapter.createSession({ sessionToken: "a-session", userId, expires: LATER, provider, providerSid });
  await adapter.createVerificationToken({ identifier: "an-identifier", token: "a-hash", expires: LATER });
  await adapter.createAuthenticator({
    credentialID: "a-credential",
    userId,
    providerAccountId: "a-credential",
    credentialPublicKey: "k",
    counter: 0,
    credentialDeviceType: "singleDevice",
    credentialBackedUp: false,
    transports: "usb",
  });
  await adapter.once("a-mark", LATER);
}

/** The members of a value, and what they are. */
function membersOf(value: unknown, path = ""): [string, string][] {
  if (value instanceof Date) return [[path, "date"]];
  if (typeof value !== "object" || value === null) return [[path, NAMES.get(value) ?? typeof value]];
  return Object.entries(value).flatMap(([name, member]) => membersOf(member, `${path}.${name}`));
}
