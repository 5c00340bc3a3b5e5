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
  const names = json ? [...Object.keys(json), ...KNOWN] : [...Object.keys(instance), ...gettersOf(instance)];
  const members = names.filter((name) => name in instance || (json !== null && name in json)).map((name) => {
    return [name, name in instance ? instance[name] : json?.[name]] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => isData(value)));
}

function jsonOf(instance: Members): Members | null {
  if (typeof instance.toJSON !== "function") return null;
  const json: unknown = instance.toJSON();
  return isObject(json) ? json : null;
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

// Connections, relations and methods of the mapper are not part of the record.
function isData(value: unknown): boolean {
  if (value === undefined || typeof value === "function") return false;
  return value instanceof Date || ArrayBuffer.isView(value) || !isObject(value) || isPlainObject(value);
}
