/**
 * How values are converted on their way to PostgreSQL and back, the same for every driver.
 *
 * @module
 */
import type { BucketSpelling } from "./bucket_statements.ts";
import { assertComplete, assertUsable, notUnique } from "./unusable_tables.ts";
import { findMissingUniques, findTypes, findUnusableColumns, type FoundType } from "./postgres_catalogue.ts";
import type { Query } from "./postgres_driver.ts";
import { qualifiedName, type TableLocation } from "./postgres_schema.ts";
import { makeTables, type SqlStore } from "./store.ts";
import { type Codecs, type FoundColumn, JSON_TEXT, makeTable } from "./table.ts";
import { returningWrites } from "./writes.ts";
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
    read: (column) => `round(date_part('epoch', ${column}) * 1000)`,
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
  json: json("json"),
  extraJson: { ...JSON_TEXT, read: (column) => `${column}::text`, placeholder: "?::text::jsonb" },
};

/** Columns of type `timestamp`, which has no time zone. Other software stores UTC there. */
const ZONELESS: Codec = { ...CODECS.timestamp, placeholder: `(${CODECS.timestamp.placeholder} at time zone 'UTC')` };

/** Columns that an application added, by type. A column of another type is read as text and written from text. */
const CUSTOM_COLUMN_CODECS: Readonly<Record<string, Codec>> = {
  int2: CODECS.integer,
  int4: CODECS.integer,
  int8: CODECS.integer,
  float4: number("float4"),
  float8: number("float8"),
  numeric: number("numeric"),
  bool: CODECS.boolean,
  timestamptz: CODECS.timestamp,
  timestamp: ZONELESS,
  json: json("json"),
  jsonb: json("jsonb"),
};

function number(type: string): Codec {
  const read = (column: string) => `${column}::float8`;
  return { read, placeholder: `?::text::${type}`, encode: String, decode: Number };
}

function json(type: string): Codec {
  return {
    read: (column) => `${column}::text`,
    placeholder: `?::text::${type}`,
    encode: (value) => JSON.stringify(value),
    decode: (stored) => JSON.parse(String(stored)),
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
export async function findStore(location: TableLocation, query: Query): Promise<SqlStore> {
  const types = await findTypes(location, query);
  // First: `migrate()` does not help where tables belong to other software.
  assertUsable(findUnusableColumns(location, types));
  for (const id of location.ids) assertComplete(location.names[id], id, types.get(id) ?? []);
  const [first] = await findMissingUniques(location, types, query);
  if (first) throw notUnique(location.names[first.id], first.columns);
  const tables = makeTables((id) => {
    const found = (types.get(id) ?? []).map(describe);
    return makeTable({ id, sql: qualifiedName(location, id), found, codecs: CODECS, fills: location.fills?.[id] });
  });
  return {
    tables,
    ago: (id, seconds) => {
      const then = `now() - interval '${seconds} seconds'`;
      if (id === "buckets") return `(date_part('epoch', ${then}) * 1000)::bigint`;
      return tables[id].column("expires").codec === ZONELESS ? `((${then}) at time zone 'UTC')` : then;
    },
    hasRecords: types.has("records"),
    hasBuckets: types.has("buckets"),
    byIndex: () => "",
    lock: " for update",
    writes: returningWrites({ skip: " for update skip locked", buckets: BUCKETS }),
  };
}

const BUCKETS: BucketSpelling = {
  given: "select * from unnest(?::text::text[], ?::text::bigint[], ?::text::bigint[], ?::text::bigint[])" +
    " as asked (key, step, least, most) order by key",
  paramsOf: (asked) => [
    arrayText(asked.map(({ key }) => `"${key.replaceAll(/["\\]/g, "\\$&")}"`)),
    arrayText(asked.map(({ step }) => step)),
    arrayText(asked.map(({ least }) => least)),
    arrayText(asked.map(({ most }) => most)),
  ],
  larger: "greatest",
};

/** Writes an array as PostgreSQL reads it from text. */
function arrayText(elements: readonly (string | number)[]): string {
  return `{${elements.join(",")}}`;
}

function describe({ name, member, type, base }: FoundType): FoundColumn {
  const codec = Object.hasOwn(CUSTOM_COLUMN_CODECS, type) ? CUSTOM_COLUMN_CODECS[type] : undefined;
  return { name, member, codec: codec ?? other(type), override: isZoneless(base) ? ZONELESS : undefined };
}

function isZoneless(type: string): boolean {
  return type === "timestamp";
}
