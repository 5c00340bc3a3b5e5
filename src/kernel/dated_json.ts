/**
 * JSON that keeps dates.
 *
 * @module
 */
import { isDate, isObject } from "./objects.ts";

/** The only member of an object that stands for a date. Data that looks the same is stored with one `$` more. */
const DATE_MEMBER = /^\$+date$/;

type Members = Readonly<Record<string, unknown>>;

/** Writes members of a record as JSON that keeps dates. @throws {TypeError} if JSON cannot hold them, or a date is not valid. */
export function encodeMembers(members: Members): string {
  return JSON.stringify(encodeDates(members));
}

/** Reads members of a record from JSON, dates as dates. */
export function decodeMembers(json: string): Record<string, unknown> {
  return decodeDates(JSON.parse(json)) as Record<string, unknown>;
}

function encodeDates(value: unknown): unknown {
  if (isDate(value)) return { $date: toText(value) };
  if (Array.isArray(value)) return value.map(encodeDates);
  if (!isObject(value) || typeof value.toJSON === "function") return value;
  return mapMembers(value, encodeDates, (name) => `$${name}`);
}

function toText(date: Date): string {
  if (Number.isNaN(date.valueOf())) throw new TypeError("Cannot store date: it is not a valid Date");
  return date.toISOString();
}

function decodeDates(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodeDates);
  if (!isObject(value)) return value;
  const { $date } = value;
  if (Object.keys(value).length === 1 && typeof $date === "string") return new Date($date);
  return mapMembers(value, decodeDates, (name) => name.slice(1));
}

function mapMembers(
  value: Members,
  each: (value: unknown) => unknown,
  rename: (name: string) => string,
): Record<string, unknown> {
  const entries = Object.entries(value);
  const isOnly = entries.length === 1;
  return Object.fromEntries(
    entries.map(([name, member]) => [isOnly && DATE_MEMBER.test(name) ? rename(name) : name, each(member)]),
  );
}
