/**
 * How values are converted on their way to PostgreSQL and back, the same for every driver.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import { assertUsable } from "./unusable_tables.ts";
import { findMissingUniques, findTypes, findUnusableColumns, type FoundType } from "./postgres_catalogue.ts";
import type { Query } from "./postgres_driver.ts";
import { qualifiedName, type TableLocation } from "./postgres_schema.ts";
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

// Every value is bound as text and converted by the database: drivers convert other types in different ways, which an
// application can change.
const CODECS: Codecs = {
  text,
  integer: { ...text, placeholder: "?::text::bigint", encode: (value) => String(encodeInteger(value)), decode: Number },
  timestamp: {
    read: (column) => `round(extract(epoch from ${column}) * 1000)::float8`,
    placeholder: "?::text::timestamptz",
    encode: (value) => timestampText(encodeTimestamp(value)),
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

/** Columns of type `timestamp`, which has no time zone. Other software stores UTC there. */
const ZONELESS: Codec = { ...CODECS.timestamp, placeholder: `(${CODECS.timestamp.placeholder} at time zone 'UTC')` };

/** Columns that an application added, by type. A column of another type is read as text and written from text. */
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

// PostgreSQL does not accept the sign that JavaScript writes before years after 9999.
function timestampText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/^\+0?/, "");
}

/** Reads the catalogue. @throws {AdapterError} if tables, columns or indexes are missing or cannot be used. */
export async function findStore(location: TableLocation, query: Query): Promise<Store> {
  const types = await findTypes(location, query);
  for (const id of TABLE_IDS) checkColumns(location.names[id], id, types.get(id) ?? []);
  assertUsable(findUnusableColumns(location, types));
  const [first] = await findMissingUniques(location, query);
  if (first) throw new AdapterError(`Cannot use storage: ${first.problem}: call migrate() once`);
  const ending = (id: EndingId) => endingOf(types.get(id) ?? []);
  return {
    tables: makeTables((id) => {
      const found = (types.get(id) ?? []).map(describe);
      return makeTable({ id, sql: qualifiedName(location, id), found, codecs: CODECS });
    }),
    names: { ...location.names, ...Object.fromEntries(TABLE_IDS.map((id) => [id, qualifiedName(location, id)])) },
    ends: {
      sessions: ending("sessions"),
      verificationTokens: ending("verificationTokens"),
      onceMarks: ending("onceMarks"),
    },
    lock: " for update",
    skip: " for update skip locked",
  };
}

function describe({ name, type, base }: FoundType): FoundColumn {
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
