/**
 * Records as adapters return them, checked before anything relies on them.
 *
 * A parser returns the record, or `null` where there is none. It throws where the answer is neither, because then it is
 * unknown whether there is a record.
 *
 * @module
 */
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  SessionAndUser,
  VerificationToken,
} from "../contract/adapter.ts";
import { isDate, isObject, isPlainObject, isRoot } from "../kernel/objects.ts";

/** Parses a user. */
export function parseUser(answer: unknown): AdapterUser | null {
  const row = parseRow(answer);
  if (!row) return null;
  const { email, emailVerified } = row;
  const isAddress = email === null || email === undefined || typeof email === "string";
  if (!isAddress) throw new TypeError("its `email` is not text");
  const verified = emailVerified === null || emailVerified === undefined ? null : parseDate(row, "emailVerified");
  return { ...row, id: parseId(row, "id"), emailVerified: verified } as AdapterUser;
}

/** Parses a session. */
export function parseSession(answer: unknown): AdapterSession | null {
  const row = parseRow(answer);
  if (!row) return null;
  const expires = parseDate(row, "expires");
  return { ...row, sessionToken: parseText(row, "sessionToken"), userId: parseId(row, "userId"), expires };
}

/** Parses a session and its user. Throws if only one of them is there. */
export function parseSessionAndUser(answer: unknown): SessionAndUser | null {
  const row = parseRow(answer);
  if (!row) return null;
  return { session: required(parseSession(row.session)), user: required(parseUser(row.user)) };
}

/** Parses a verification token. Some adapters do not return its hash. */
export function parseToken(answer: unknown): Omit<VerificationToken, "token"> & { readonly token?: unknown } | null {
  const row = parseRow(answer);
  return row && { ...row, identifier: parseText(row, "identifier"), expires: parseDate(row, "expires") };
}

/** Parses an account. */
export function parseAccount(answer: unknown): AdapterAccount | null {
  const row = parseRow(answer);
  if (!row) return null;
  parseText(row, "provider");
  parseText(row, "providerAccountId");
  return { ...row, userId: parseId(row, "userId") } as AdapterAccount;
}

/** Parses an authenticator. */
export function parseAuthenticator(answer: unknown): AdapterAuthenticator | null {
  const row = parseRow(answer);
  if (!row) return null;
  parseText(row, "credentialID");
  parseText(row, "providerAccountId");
  if (typeof row.credentialPublicKey !== "string") throw new TypeError("its `credentialPublicKey` is not text");
  if (!Number.isInteger(row.counter)) throw new TypeError("its `counter` is not a whole number");
  return { ...row, userId: parseId(row, "userId") } as AdapterAuthenticator;
}

/** Parses a list of records. Each has to be one that was asked for: another user's must not be shown, changed or ended. */
export function parseList<Row extends object>(
  answer: unknown,
  parse: (row: unknown) => Row | null,
  isWanted: (row: Row) => boolean,
): Row[] {
  if (!Array.isArray(answer)) throw new TypeError("it is not a list");
  return answer.map((row) => matching(required(parse(row)), isWanted));
}

/** Takes a record that must be there. */
export function required<Row>(row: Row | null): Row {
  if (row === null) throw new TypeError("there is none");
  return row;
}

/** Takes a record if it is the one that was asked for. */
export function matching<Row>(row: Row, isWanted: (row: NonNullable<Row>) => boolean): Row {
  if (row !== null && row !== undefined && !isWanted(row)) throw new TypeError("it is another one");
  return row;
}

type Row = Readonly<Record<string, unknown>>;

function parseRow(answer: unknown): Row | null {
  if (answer === null || answer === undefined) return null;
  if (!isObject(answer)) throw new TypeError("it is not an object");
  return isPlainObject(answer) ? answer : membersOf(answer);
}

function parseText(row: Row, name: string): string {
  const value = row[name];
  if (typeof value !== "string" || value === "") throw new TypeError(`its \`${name}\` is not text`);
  return value;
}

// Some databases number their users.
function parseId(row: Row, name: string): string {
  const id = row[name];
  return typeof id === "number" || typeof id === "bigint" ? String(id) : parseText(row, name);
}

// Stores of JSON return dates as text or as a number.
function parseDate(row: Row, name: string): Date {
  const value = row[name];
  const date = typeof value === "string" || typeof value === "number" ? new Date(value) : value;
  if (isDate(date) && Number.isFinite(date.valueOf())) return date;
  throw new TypeError(`its \`${name}\` is not a date`);
}

/** Members of records that the service relies on. */
const KNOWN = ["id", "email", "emailVerified", "name", "image", "userId", "expires", "sessionToken"];

/**
 * Copies the members of an instance. Many mappers define them as getters on a prototype, where `{ ...instance }` does not
 * see them.
 *
 * An instance with `toJSON` names its members by that, so that what it hides stays hidden; the values are read from the
 * instance, because JSON has no dates. Any other instance has its own members and the getters of its classes.
 */
function membersOf(instance: Row): Row {
  const json = jsonOf(instance);
  const own = json ? { ...json, ...pick(instance, [...Object.keys(json), ...KNOWN]) } : { ...instance };
  const members = json ? own : { ...dataIn(pick(instance, gettersOf(instance))), ...own };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => typeof value !== "function"));
}

function jsonOf(instance: Row): Row | null {
  if (typeof instance.toJSON !== "function") return null;
  const json: unknown = instance.toJSON();
  return isObject(json) ? json : null;
}

function pick(instance: Row, names: readonly string[]): Row {
  const found = names.map((name) => [name, instance[name]] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

function gettersOf(instance: object): string[] {
  const names: string[] = [];
  let prototype = Object.getPrototypeOf(instance);
  while (prototype && !isRoot(prototype)) {
    const members = Object.entries(Object.getOwnPropertyDescriptors(prototype));
    names.push(...members.filter(([, { get }]) => get).map(([name]) => name));
    prototype = Object.getPrototypeOf(prototype);
  }
  return names;
}

// Getters may also lead to connections and relations of the mapper, which do not belong to the record.
function dataIn(members: Row): Row {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isData(value)));
}

function isData(value: unknown): boolean {
  return isDate(value) || ArrayBuffer.isView(value) || !isObject(value) || isPlainObject(value);
}
