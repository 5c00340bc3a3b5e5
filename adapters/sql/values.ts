/**
 * Values on their way into a database and back.
 *
 * @module
 */

/** What a statement is given in place of a `?`. */
export type Param = string | number | bigint | null | Uint8Array;

/** How a database keeps one kind of value. */
export interface Codec {
  /** Reads the column, in SQL. */
  readonly read: (column: string) => string;
  /** Stands for a value, in SQL. */
  readonly placeholder: string;
  /** What is bound for a value that is there. */
  readonly encode: (value: unknown) => Param;
  /** What is made of a column that is not empty. */
  readonly decode: (stored: unknown) => unknown;
}

/**
 * Whether both databases keep a text exactly: the halves of a broken surrogate pair would all become the same character,
 * so that two ids could become one, and one of them ends a text at a NUL.
 */
export function isStorable(text: unknown): text is string {
  return typeof text === "string" && text.isWellFormed() && !text.includes("\0");
}

/** Text as it is stored; what is not text becomes text. @throws {TypeError} if it could not be read back the same. */
export function encodeText(value: unknown): string {
  const text = typeof value === "string" ? value : typeof value === "object" ? JSON.stringify(value) : String(value);
  if (!isStorable(text)) throw new TypeError("Cannot store text: it has a NUL or half of a surrogate pair");
  return text;
}

/** A number as it is stored, without its fraction. @throws {TypeError} if it is none. */
export function encodeInteger(value: unknown): number {
  const number = Math.floor(Number(value));
  if (!Number.isSafeInteger(number)) throw new TypeError("Cannot store number: it is none, or too large");
  return number;
}

/** The milliseconds of a date. @throws {TypeError} if it is none. */
export function encodeTimestamp(value: unknown): number {
  const time = value instanceof Date ? value.valueOf() : NaN;
  // A database would take an invalid date for an empty column: a session that never ends.
  if (Number.isNaN(time)) throw new TypeError("Cannot store date: it is no valid Date");
  return time;
}

/** A date of stored milliseconds. */
export function decodeTimestamp(stored: unknown): Date {
  return new Date(Number(stored));
}

/** Whether a stored flag is set. */
export function decodeBoolean(stored: unknown): boolean {
  return Boolean(Number(stored));
}

/** The only member of an object that stands for a date; one `$` more for each time it was in the data already. */
const MARK = /^\$+date$/;

/** Members of a record as JSON. Dates in them are dates again when they are read. */
export function encodeMembers(members: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(marked(members));
}

/** Members of a record, read back. */
export function decodeMembers(json: string): Record<string, unknown> {
  return unmarked(JSON.parse(json)) as Record<string, unknown>;
}

function marked(value: unknown): unknown {
  if (value instanceof Date) return { $date: new Date(encodeTimestamp(value)).toISOString() };
  if (Array.isArray(value)) return value.map(marked);
  if (!isObject(value) || typeof value.toJSON === "function") return value;
  return mapped(value, marked, (name) => `$${name}`);
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isObject(value)) return value;
  const { $date } = value;
  if (Object.keys(value).length === 1 && typeof $date === "string") return new Date($date);
  return mapped(value, unmarked, (name) => name.slice(1));
}

function mapped(
  value: Readonly<Record<string, unknown>>,
  each: (value: unknown) => unknown,
  rename: (name: string) => string,
): Record<string, unknown> {
  const entries = Object.entries(value);
  const alone = entries.length === 1;
  return Object.fromEntries(
    entries.map(([name, member]) => [alone && MARK.test(name) ? rename(name) : name, each(member)]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
