/**
 * Instances of classes, as object-relational mappers return them, as plain records.
 *
 * @module
 */
import { isObject, isPlainObject } from "../kernel/objects.ts";

type Members = Readonly<Record<string, unknown>>;

/** Members of records that the service relies on. */
const KNOWN = ["id", "email", "emailVerified", "name", "image", "userId", "expires", "sessionToken"];

/**
 * Copies the members of an instance. Many mappers define them as getters on a prototype, where `{ ...instance }` does not
 * see them.
 *
 * An instance with `toJSON` names its members by that, so that what it hides stays hidden; the values are read from the
 * instance, because JSON has no dates. Any other instance has its own members and the getters of its classes.
 */
export function membersOf(instance: Members): Members {
  const json = jsonOf(instance);
  const own = json ? { ...json, ...pick(instance, [...Object.keys(json), ...KNOWN]) } : { ...instance };
  const members = json ? own : { ...dataIn(pick(instance, gettersOf(instance))), ...own };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => typeof value !== "function"));
}

function jsonOf(instance: Members): Members | null {
  if (typeof instance.toJSON !== "function") return null;
  const json: unknown = instance.toJSON();
  return isObject(json) ? json : null;
}

function pick(instance: Members, names: readonly string[]): Members {
  const found = names.map((name) => [name, instance[name]] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

function gettersOf(instance: object): string[] {
  const names: string[] = [];
  let prototype = Object.getPrototypeOf(instance);
  while (prototype && prototype !== Object.prototype) {
    const members = Object.entries(Object.getOwnPropertyDescriptors(prototype));
    names.push(...members.filter(([, { get }]) => get).map(([name]) => name));
    prototype = Object.getPrototypeOf(prototype);
  }
  return names;
}

// Getters may also lead to connections and relations of the mapper, which are no part of the record.
function dataIn(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isData(value)));
}

function isData(value: unknown): boolean {
  return value instanceof Date || ArrayBuffer.isView(value) || !isObject(value) || isPlainObject(value);
}
