/**
 * Reads options by their table: a row for each option.
 *
 * @module
 */
import { isPlainObject } from "../kernel/objects.ts";
import type { Findings } from "./findings.ts";
import type { Kind, Verdict } from "./kinds.ts";

/** What is known of one option. */
export interface Row {
  readonly kind: Kind;
  /** Its default. */
  readonly otherwise?: unknown;
  /** The rows of its members, where it is an object. */
  readonly members?: Table;
}

/** Rows by the names of options. */
export type Table = Readonly<Record<string, Row>>;

/** The table of a type: a row too many or too few does not compile, nor does a default of another type. */
export type Rows<T> = {
  readonly [Name in keyof T as string extends Name ? never : Extract<Name, string>]-?: Row & {
    readonly otherwise?: T[Name];
  };
};

type Members = Readonly<Record<string, unknown>>;

/** Reads options, and says what is odd about them. What it is given does not change. */
export function readRows<T extends object>(given: T, table: Table, found: Findings, owner = ""): T {
  let copy: Record<string, unknown> | null = null;
  for (const [name, { kind, members }] of Object.entries(table)) {
    const value = (given as Members)[name];
    if (value === undefined) continue;
    const option = `${owner}${name}`;
    const verdict = kind(value);
    found.add(option, verdict);
    const hasRows = members && (verdict.is === "fine" || verdict.is === "ruled") && hasMembers(value);
    const read = hasRows ? readRows(value, members, found, `${option}.`) : readAs(value, verdict);
    if (read === value) continue;
    copy ??= copyOf(given, table);
    if (read === undefined) delete copy[name];
    else copy[name] = read;
  }
  return (copy ?? given) as T;
}

function readAs(value: unknown, verdict: Verdict): unknown {
  if (verdict.is === "ignored") return undefined;
  return verdict.is === "mended" ? verdict.value : value;
}

// Methods of an instance of a class are called on the instance.
function copyOf(given: object, table: Table): Record<string, unknown> {
  if (isPlainObject(given)) return { ...given };
  const members = Object.keys(table).map((name) => [name, (given as Members)[name]] as const);
  return Object.fromEntries(members.map(([name, member]) => {
    return [name, typeof member === "function" ? member.bind(given) : member];
  }));
}

/** Whether a value can have members of its own. */
function hasMembers(value: unknown): value is object {
  return (typeof value === "object" && value !== null && !Array.isArray(value)) || typeof value === "function";
}

/** Lists the names in an object that its table does not have. What is not set has no name that matters. */
export function unknownNames(given: unknown, known: Table | readonly string[]): string[] {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return [];
  const names: readonly string[] = Array.isArray(known) ? known : Object.keys(known);
  return Object.entries(given).filter(([name, value]) => {
    return value !== undefined && value !== null && !names.includes(name);
  }).map(([name]) => name);
}

/** Whether an object, or an object in it, has a name that its table does not have. */
export function hasUnknownNames(given: unknown, table: Table): boolean {
  if (typeof given !== "object" || given === null) return false;
  return unknownNames(given, table).length > 0 || Object.entries(table).some(([name, { members }]) => {
    return members !== undefined && hasUnknownNames((given as Members)[name], members);
  });
}
