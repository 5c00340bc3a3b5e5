/**
 * Conversion of values to what a database stores, and back.
 *
 * @module
 */
import { isDate } from "../../src/kernel/objects.ts";

export type Param = string | number | bigint | null | Uint8Array;

/** How a database stores one kind of value. */
export interface Codec {
  /** The expression that reads the column. */
  readonly read: (column: string) => string;
  /** The expression that stands for a parameter. */
  readonly placeholder: string;
  /** Converts a value that is not `null` to a parameter. */
  readonly encode: (value: unknown) => Param;
  /** Converts what was read from a column that is not empty. */
  readonly decode: (stored: unknown) => unknown;
}

/**
 * Whether a text can be stored and read back the same. UTF-8 turns every half of a surrogate pair into the same
 * character, so two ids could become one. PostgreSQL rejects NUL, and SQLite ends a text there.
 */
export function isStorable(text: unknown): text is string {
  return typeof text === "string" && text.isWellFormed() && !text.includes("\0");
}

/** Converts any value to text. @throws {TypeError} if it could not be read back the same. */
export function encodeText(value: unknown): string {
  const text = typeof value === "string" ? value : typeof value === "object" ? JSON.stringify(value) : String(value);
  if (!isStorable(text)) throw new TypeError("Cannot store text: it contains NUL or half of a surrogate pair");
  return text;
}

/** Converts a number to an integer, without its fraction. @throws {TypeError} if it is not a safe integer. */
export function encodeInteger(value: unknown): number {
  const number = Math.floor(Number(value));
  if (!Number.isSafeInteger(number)) throw new TypeError("Cannot store number: it is not a number, or too large");
  return number;
}

/** Gives the milliseconds of a date. @throws {TypeError} if it is not a valid date. */
export function encodeTimestamp(value: unknown): number {
  const time = isDate(value) ? value.valueOf() : NaN;
  // NaN would be stored as an empty column: a session that never ends.
  if (Number.isNaN(time)) throw new TypeError("Cannot store date: it is not a valid Date");
  return time;
}

/** Makes a date of stored milliseconds. */
export function decodeTimestamp(stored: unknown): Date {
  return new Date(Number(stored));
}

export function decodeBoolean(stored: unknown): boolean {
  return Boolean(Number(stored));
}
