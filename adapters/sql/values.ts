/**
 * Conversion of values to what a database stores, and back.
 *
 * @module
 */

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
  const time = value instanceof Date ? value.valueOf() : NaN;
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

/** The only member of an object that stands for a date. Data that looks the same is stored with one `$` more. */
const DATE_MEMBER = /^\$+date$/;

/** Writes members of a record as JSON that keeps dates. */
export function encodeMembers(members: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(encodeDates(members));
}

/** Reads members of a record from JSON, dates as dates. */
export function decodeMembers(json: string): Record<string, unknown> {
  return decodeDates(JSON.parse(json)) as Record<string, unknown>;
}

function encodeDates(value: unknown): unknown {
  if (value instanceof Date) return { $date: new Date(encodeTimestamp(value)).toISOString() };
  if (Array.isArray(value)) return value.map(encodeDates);
  if (!isObject(value) || typeof value.toJSON === "function") return value;
  return mapMembers(value, encodeDates, (name) => `$${name}`);
}

function decodeDates(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodeDates);
  if (!isObject(value)) return value;
  const { $date } = value;
  if (Object.keys(value).length === 1 && typeof $date === "string") return new Date($date);
  return mapMembers(value, decodeDates, (name) => name.slice(1));
}

function mapMembers(
  value: Readonly<Record<string, unknown>>,
  each: (value: unknown) => unknown,
  rename: (name: string) => string,
): Record<string, unknown> {
  const entries = Object.entries(value);
  const isOnly = entries.length === 1;
  return Object.fromEntries(
    entries.map(([name, member]) => [isOnly && DATE_MEMBER.test(name) ? rename(name) : name, each(member)]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
