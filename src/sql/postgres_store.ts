/**
 * What is read from and written to PostgreSQL, whichever driver is in between and however it converts values.
 *
 * @module
 */
import { AdapterError } from "../errors.ts";
import { placed, type PostgresPlace } from "./postgres_schema.ts";
import { EXTRA, TABLE_IDS, type TableId, TABLES } from "./schema.ts";
import type { Store } from "./store.ts";
import { type Codecs, type FoundColumn, JSON_TEXT, makeTable, type Row } from "./table.ts";
import { type Codec, decodeFlag, decodeInstant, encodeInstant, encodeInteger, encodeText } from "./values.ts";

const text: Codec = {
  read: (column) => column,
  hole: "?",
  encode: encodeText,
  decode: (stored) => stored,
};

// Everything but text is bound as text and converted by the database, because drivers convert the other types each in
// a way of its own, and applications can change it.
const CODECS: Codecs = {
  text,
  integer: { ...text, hole: "?::text::bigint", encode: (value) => String(encodeInteger(value)), decode: Number },
  instant: {
    read: (column) => `round(extract(epoch from ${column}) * 1000)::float8`,
    hole: "?::text::timestamptz",
    encode: (value) => instantText(encodeInstant(value)),
    decode: decodeInstant,
  },
  flag: {
    read: (column) => `${column}::int`,
    hole: "?::text::boolean",
    encode: (value) => value ? "t" : "f",
    decode: decodeFlag,
  },
  extra: { ...JSON_TEXT, read: (column) => `${column}::text`, hole: "?::text::jsonb" },
};

/** Columns that an application made, by their type. Those of other types hold text, or become text. */
const FOREIGN: Readonly<Record<string, Codec>> = {
  ...Object.fromEntries(
    ["int2", "int4", "int8"].map((type) => [type, { ...CODECS.integer, hole: `?::text::${type}` }]),
  ),
  ...Object.fromEntries(
    ["json", "jsonb"].map((type) => [type, { ...CODECS.extra, hole: `?::text::${type}`, ...json() }]),
  ),
  ...Object.fromEntries(["float4", "float8", "numeric"].map((type) => [type, number(type)])),
  bool: CODECS.flag,
  timestamptz: CODECS.instant,
};

function json(): Pick<Codec, "encode" | "decode"> {
  return { encode: (value) => JSON.stringify(value), decode: (stored) => JSON.parse(String(stored)) };
}

function number(type: string): Codec {
  return { ...text, read: (column) => `${column}::float8`, hole: `?::text::${type}`, encode: String, decode: Number };
}

function other(type: string): Codec {
  return { ...text, read: (column) => `${column}::text`, hole: `?::text::"${type.replaceAll('"', '""')}"` };
}

// The years before 0 and after 9999 are written with a sign that PostgreSQL does not know.
function instantText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/^\+0?/, "");
}

/** Runs a statement and gives its rows. */
export type Ask = (sql: string, params: readonly string[]) => Promise<readonly Row[]>;

/** Looks at the tables. @throws {AdapterError} if there are none, or if they lack something. */
export async function findStore(place: PostgresPlace, ask: Ask): Promise<Store> {
  const found = await findColumns(place, ask);
  const table = (id: TableId) => makeTable({ id, sql: placed(place, id), found: found.get(id) ?? [], codecs: CODECS });
  for (const id of TABLE_IDS) checkColumns(place.names[id], id, found.get(id) ?? []);
  return {
    tables: {
      users: table("users"),
      accounts: table("accounts"),
      sessions: table("sessions"),
      verificationTokens: table("verificationTokens"),
      authenticators: table("authenticators"),
    },
    names: { ...place.names, ...Object.fromEntries(TABLE_IDS.map((id) => [id, placed(place, id)])) },
    instant: CODECS.instant,
    lock: " for update",
    skip: " for update skip locked",
  };
}

async function findColumns(place: PostgresPlace, ask: Ask): Promise<Map<string, FoundColumn[]>> {
  const rows = await ask(
    `select wanted.id as "0", a.attname::text as "1", t.typname::text as "2"
     from (values ${TABLE_IDS.map(() => "(?::text, ?::text)").join(", ")}) as wanted (id, name)
     join pg_attribute a on a.attrelid = to_regclass(wanted.name)
     join pg_type t on t.oid = a.atttypid
     where a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     order by a.attnum`,
    TABLE_IDS.flatMap((id) => [id, placed(place, id)]),
  );
  const found = new Map<string, FoundColumn[]>();
  for (const row of rows) {
    const [id, name, type] = [String(row[0]), String(row[1]), String(row[2])];
    const codec = Object.hasOwn(FOREIGN, type) ? FOREIGN[type] : undefined;
    found.set(id, [...found.get(id) ?? [], { name, codec: codec ?? other(type) }]);
  }
  return found;
}

function checkColumns(table: string, id: TableId, found: readonly FoundColumn[]): void {
  const names = new Set(found.map(({ name }) => name));
  const needed = [...TABLES[id].columns.map(({ name }) => name), ...(id === "onceMarks" ? [] : [EXTRA])];
  const missing = needed.filter((name) => !names.has(name));
  if (missing.length === 0) return;
  throw new AdapterError(
    `Cannot use storage: table "${table}" ${names.size === 0 ? "is" : `has columns`} missing: call migrate() once`,
    { cause: { missing } },
  );
}
