/**
 * What is read from and written to PostgreSQL, whichever driver is in between and however it converts values.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import { assertUsable } from "./misfits.ts";
import { type Ask, findMissingUniques, findTypes, findUnusableColumns, type FoundType } from "./postgres_catalogue.ts";
import { type PostgresPlace, qualifiedName } from "./postgres_schema.ts";
import { EXTRA, TABLE_IDS, type TableId, TABLES } from "./schema.ts";
import { type Ending, type EndingId, makeTables, type Store } from "./store.ts";
import { type Codecs, type FoundColumn, JSON_TEXT, makeTable } from "./table.ts";
import { type Codec, decodeBoolean, decodeTimestamp, encodeInteger, encodeText, encodeTimestamp } from "./values.ts";

const text: Codec = {
  read: (column) => column,
  placeholder: "?",
  encode: encodeText,
  decode: (stored) => stored,
};

// Everything but text is bound as text and converted by the database, because drivers convert the other types each in
// a way of its own, and applications can change it.
const CODECS: Codecs = {
  text,
  integer: { ...text, placeholder: "?::text::bigint", encode: (value) => String(encodeInteger(value)), decode: Number },
  timestamp: {
    read: (column) => `round(extract(epoch from ${column}) * 1000)::float8`,
    placeholder: "?::text::timestamptz",
    encode: (value) => instantText(encodeTimestamp(value)),
    decode: decodeTimestamp,
  },
  boolean: {
    read: (column) => `${column}::int`,
    placeholder: "?::text::boolean",
    encode: (value) => value ? "t" : "f",
    decode: decodeBoolean,
  },
  extraJson: { ...JSON_TEXT, read: (column) => `${column}::text`, placeholder: "?::text::jsonb" },
};

/** Instants in columns that do not know of time zones: other software keeps them as they are in UTC. */
const ZONELESS: Codec = { ...CODECS.timestamp, placeholder: `(${CODECS.timestamp.placeholder} at time zone 'UTC')` };

/** Columns that an application made, by their type. Those of other types hold text, or become text. */
const CUSTOM_COLUMN_CODECS: Readonly<Record<string, Codec>> = {
  ...Object.fromEntries(
    ["int2", "int4", "int8"].map((type) => [type, { ...CODECS.integer, hole: `?::text::${type}` }]),
  ),
  ...Object.fromEntries(
    ["json", "jsonb"].map((type) => [type, { ...CODECS.extraJson, hole: `?::text::${type}`, ...json() }]),
  ),
  ...Object.fromEntries(["float4", "float8", "numeric"].map((type) => [type, number(type)])),
  bool: CODECS.boolean,
  timestamptz: CODECS.timestamp,
  timestamp: ZONELESS,
};

function json(): Pick<Codec, "encode" | "decode"> {
  return { encode: (value) => JSON.stringify(value), decode: (stored) => JSON.parse(String(stored)) };
}

function number(type: string): Codec {
  return {
    ...text,
    read: (column) => `${column}::float8`,
    placeholder: `?::text::${type}`,
    encode: String,
    decode: Number,
  };
}

function other(type: string): Codec {
  return { ...text, read: (column) => `${column}::text`, placeholder: `?::text::"${type.replaceAll('"', '""')}"` };
}

// The years before 0 and after 9999 are written with a sign that PostgreSQL does not know.
function instantText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/^\+0?/, "");
}

/** Looks at the tables. @throws {AdapterError} if there are none, or if they lack something, or cannot be used. */
export async function findStore(place: PostgresPlace, ask: Ask): Promise<Store> {
  const types = await findTypes(place, ask);
  for (const id of TABLE_IDS) checkColumns(place.names[id], id, types.get(id) ?? []);
  assertUsable(findUnusableColumns(place, types));
  const [first] = await findMissingUniques(place, ask);
  if (first) throw new AdapterError(`Cannot use storage: ${first.says}: call migrate() once`);
  const ending = (id: EndingId) => endingOf(types.get(id) ?? []);
  return {
    tables: makeTables((id) => {
      const found = (types.get(id) ?? []).map(columnOf);
      return makeTable({ id, sql: qualifiedName(place, id), found, codecs: CODECS });
    }),
    names: { ...place.names, ...Object.fromEntries(TABLE_IDS.map((id) => [id, qualifiedName(place, id)])) },
    ends: {
      sessions: ending("sessions"),
      verificationTokens: ending("verificationTokens"),
      onceMarks: ending("onceMarks"),
    },
    lock: " for update",
    skip: " for update skip locked",
  };
}

function columnOf({ name, type, base }: FoundType): FoundColumn {
  const codec = Object.hasOwn(CUSTOM_COLUMN_CODECS, type) ? CUSTOM_COLUMN_CODECS[type] : undefined;
  return { name, codec: codec ?? other(type), override: isZoneless(base) ? ZONELESS : undefined };
}

function endingOf(types: readonly FoundType[]): Ending {
  const zoneless = types.some(({ name, base }) => name === "expires" && isZoneless(base));
  return {
    codec: zoneless ? ZONELESS : CODECS.timestamp,
    ago: (seconds) => {
      const then = `now() - interval '${seconds} seconds'`;
      return zoneless ? `((${then}) at time zone 'UTC')` : then;
    },
  };
}

function isZoneless(type: string): boolean {
  return type === "timestamp";
}

function checkColumns(table: string, id: TableId, found: readonly FoundType[]): void {
  const names = new Set(found.map(({ name }) => name));
  const needed = [...TABLES[id].columns.map(({ name }) => name), ...(id === "onceMarks" ? [] : [EXTRA])];
  const missing = needed.filter((name) => !names.has(name));
  if (missing.length === 0) return;
  throw new AdapterError(
    `Cannot use storage: table "${table}" ${names.size === 0 ? "is" : `has columns`} missing: call migrate() once`,
    { cause: { missing } },
  );
}
