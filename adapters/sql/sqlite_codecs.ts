/**
 * How SQLite stores values: as Drizzle does.
 *
 * @module
 */
import { isDate } from "../../src/kernel/objects.ts";
import { type Codecs, JSON_TEXT } from "./table.ts";
import {
  type Codec,
  decodeBoolean,
  decodeTimestamp,
  encodeInteger,
  encodeText,
  encodeTimestamp,
  type Param,
} from "./values.ts";

const asIs = { read: (column: string) => column, placeholder: "?", decode: (stored: unknown) => stored };

export const CODECS: Codecs = {
  text: { ...asIs, encode: encodeText },
  integer: { ...asIs, encode: encodeInteger },
  timestamp: { ...asIs, encode: encodeTimestamp, decode: decodeTimestamp },
  boolean: { ...asIs, encode: (value) => value ? 1 : 0, decode: decodeBoolean },
  json: { ...asIs, encode: (value) => JSON.stringify(value), decode: (stored) => JSON.parse(String(stored)) },
  extraJson: { ...asIs, ...JSON_TEXT },
};

/** Columns that an application added. Values that SQLite has no type for are stored as Drizzle stores them. */
export const CUSTOM_COLUMN_CODEC: Codec = {
  ...asIs,
  encode: (value): Param => {
    if (isDate(value)) return encodeTimestamp(value);
    if (typeof value === "boolean") return value ? 1 : 0;
    if (typeof value === "number" || typeof value === "bigint" || value instanceof Uint8Array) return value;
    return encodeText(value);
  },
};

/** Dates as Prisma stores them: text that ends like this sample. In order as text from the year 0 to 9999. */
export function dateText(sample: string): Codec {
  const zone = sample.endsWith("Z") ? "Z" : "+00:00";
  return {
    ...asIs,
    encode: (value) => new Date(encodeTimestamp(value)).toISOString().replace("Z", zone),
    decode: (stored) => isDate(stored) ? stored : new Date(String(stored)),
  };
}

/** Makes a number of a whole number that a driver gives as a bigint. */
export function plain(value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
