/**
 * How values are converted on their way to MySQL and MariaDB and back, the same for every driver.
 *
 * Values are bound as text and read as text: drivers convert other types in different ways, which an application can
 * change. What a column cannot hold is refused here, because the server may cut it off without an error, as its
 * `sql_mode` says.
 *
 * @module
 */
import type { FoundType } from "./mysql_catalogue.ts";
import { type Codecs, type FoundColumn, JSON_TEXT } from "./table.ts";
import type { Kind } from "./schema.ts";
import { type Codec, decodeBoolean, encodeInteger, encodeText, encodeTimestamp } from "./values.ts";

const asText = (column: string) => `cast(${column} as char)`;

// Text too: drivers may take that of a binary collation for bytes.
const text: Codec = {
  read: asText,
  placeholder: "?",
  encode: encodeText,
  decode: (stored) => stored,
};

export const CODECS: Codecs = {
  text,
  integer: { ...text, encode: (value) => String(encodeInteger(value)), decode: Number },
  // The clock on the wall of UTC, as the adapters of Auth.js for Drizzle and Prisma write it.
  timestamp: {
    read: (column) => asText(`timestampdiff(microsecond, '1970-01-01', ${column})`),
    placeholder: "cast(? as datetime(3))",
    encode: (value) => clockText(encodeTimestamp(value)),
    decode: (microseconds) => new Date(Math.floor(Number(microseconds) / 1000)),
  },
  boolean: {
    read: (column) => asText(`${column} + 0`),
    placeholder: "?",
    encode: (value) => value ? "1" : "0",
    decode: decodeBoolean,
  },
  json: {
    read: asText,
    placeholder: "?",
    encode: (value) => JSON.stringify(value),
    decode: (stored) => JSON.parse(String(stored)),
  },
  extraJson: { ...JSON_TEXT, read: asText, placeholder: "?" },
};

// The years of `datetime`.
function clockText(milliseconds: number): string {
  const written = new Date(milliseconds).toISOString();
  if (!/^[1-9]\d{3}-/.test(written)) throw new TypeError("Cannot store date: its year is not one of 1000 to 9999");
  return written.slice(0, -1).replace("T", " ");
}

const NUMBER: Codec = { ...text, encode: String, decode: Number };

/** Columns that an application added, by type. A column of another type is read as text and written from text. */
const CUSTOM: Readonly<Record<string, Codec>> = {
  varchar: text,
  tinytext: text,
  text,
  mediumtext: text,
  longtext: text,
  tinyint: CODECS.integer,
  smallint: CODECS.integer,
  mediumint: CODECS.integer,
  int: CODECS.integer,
  bigint: CODECS.integer,
  float: NUMBER,
  double: NUMBER,
  decimal: NUMBER,
  bit: CODECS.boolean,
  datetime: CODECS.timestamp,
  timestamp: CODECS.timestamp,
  json: CODECS.json,
};

/** Describes a column with the codec that its type needs. @param kind What the schema knows it to hold. */
export function describe(column: FoundType, kind: Kind | undefined): FoundColumn {
  const custom = column.fullType === "tinyint(1)" ? CODECS.boolean : CUSTOM[column.type];
  const override = kind && fitted(CODECS[kind], kind, column);
  const { name, member } = column;
  return { name, member, codec: fitted(custom ?? text, kindOf(custom), column), override };
}

function kindOf(codec: Codec | undefined): Kind | null {
  if (codec === CODECS.timestamp) return "timestamp";
  if (codec === CODECS.integer) return "integer";
  return codec === CODECS.json || codec === text ? "text" : null;
}

/** The codec of a column that refuses what the column cannot hold. */
export function fitted(codec: Codec, kind: Kind | null, column: FoundType): Codec {
  if (kind === "timestamp") return dated(codec, column);
  if (kind === "integer") return { ...codec, encode: (value) => inRange(codec.encode(value), column) };
  if (kind !== "text" && kind !== "json") return codec;
  return { ...codec, encode: (value) => ofLength(String(codec.encode(value)), column) };
}

/** The last second of the type `timestamp`. */
const LAST_SECOND = 2 ** 31 - 1;

/**
 * A column of type `timestamp` is converted from the time zone of the session and back, and there may be no such time,
 * when clocks are set forward. The two functions give the next time that there is then.
 *
 * Parts of seconds that the column does not have are rounded up: an end of sessions must not be stored as an earlier one.
 */
function dated(codec: Codec, { name, type, precision }: FoundType): Codec {
  const unit = 10 ** Math.max(0, 3 - (precision ?? 0));
  const isTimestamp = type === "timestamp";
  return {
    ...codec,
    placeholder: isTimestamp ? `from_unixtime(unix_timestamp(${codec.placeholder}))` : codec.placeholder,
    encode: (value) => {
      const time = Math.ceil(encodeTimestamp(value) / unit) * unit;
      // A day less, because the time zone of the session counts.
      if (isTimestamp && (time < DAY || time > LAST_SECOND * 1000 - DAY)) {
        throw new TypeError(`Cannot store date: column "${name}" of type timestamp has years from 1970 to 2038`);
      }
      return codec.encode(new Date(time));
    },
  };
}

const DAY = 24 * 60 * 60 * 1000;

/** Bits of the types of integers. */
const BITS: Readonly<Record<string, number>> = { tinyint: 8, smallint: 16, mediumint: 24, int: 32 };

function inRange<Value>(value: Value, { name, type, fullType }: FoundType): Value {
  const bits = BITS[type];
  const isUnsigned = fullType.includes("unsigned");
  const [least, most] = [isUnsigned ? 0 : -(2 ** ((bits ?? 64) - 1)), 2 ** ((bits ?? 64) - (isUnsigned ? 0 : 1)) - 1];
  if (Number(value) >= least && Number(value) <= most) return value;
  throw new TypeError(`Cannot store number: column "${name}" of type ${fullType} does not hold it`);
}

/** The texts that a charset can say. Of those that are not listed, only ASCII is known. */
const SAYABLE: Readonly<Record<string, RegExp>> = {
  utf8mb4: /^/,
  utf8mb3: /^[\0-\uffff]*$/u,
  utf8: /^[\0-\uffff]*$/u,
  latin1: /^[\0-\x7f\xa0-\xff]*$/,
};

const ASCII = /^[\0-\x7f]*$/;

function ofLength(value: string, { name, type, charset, length }: FoundType): string {
  if (charset !== null && !(SAYABLE[charset] ?? ASCII).test(value)) {
    throw new TypeError(`Cannot store text: column "${name}" of charset ${charset} has no such characters`);
  }
  const isCounted = type === "varchar" || type === "char";
  const long = length !== null && value.length * (isCounted ? 1 : 4) > length &&
    (isCounted ? [...value].length : new TextEncoder().encode(value).length) > length;
  if (long) {
    throw new TypeError(
      `Cannot store text: column "${name}" holds at most ${length} ${isCounted ? "characters" : "bytes"}`,
    );
  }
  if (type === "char" && value.endsWith(" ")) {
    throw new TypeError(`Cannot store text: column "${name}" of type char removes spaces at the end`);
  }
  return value;
}
