/**
 * Values of unknown shape.
 *
 * @module
 */

/** Whether a value is an object with members, and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value was written as `{}` or parsed from JSON, and is not an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || isRoot(prototype);
}

/** Whether an object is `Object.prototype`. Test runners such as Jest have a second one, of what the runtime makes. */
export function isRoot(prototype: object): boolean {
  if (prototype === Object.prototype) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}

/** Whether a value is a date, also one that `structuredClone()` has made where a test runner has another `Date`. */
export function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === "[object Date]";
}

/** Copies a record without its members that are `undefined`. */
export function withoutUndefined<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}

/** Whether a value is one of the marker symbols. The symbols of Auth.js have the same descriptions. */
export function isMarker(value: unknown, description: string): boolean {
  return typeof value === "symbol" && value.description === description;
}

/** The most characters of a text that a message shows. */
const LONGEST_SHOWN = 60;

/** Describes a value that is not secret: a short text, a number, or the kind of anything else. */
export function describeValue(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return kindOf(value);
  // A URL may hold a password, and a password may hold a slash.
  return value.length > LONGEST_SHOWN ? "a long text" : JSON.stringify(value.replace(/\/\/.*@/s, "//…@"));
}

/** Says what kind of value something is. For values that may be secret. */
export function kindOf(value: unknown): string {
  if (typeof value === "string") return value === "" ? "an empty text" : "text";
  if (typeof value === "function") return isClass(value) ? "a class" : "a function";
  if (typeof value === "symbol") return "a symbol";
  if (typeof value === "number" || typeof value === "bigint") return "a number";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return "a list";
  return isThenable(value) ? "a promise" : "an object";
}

/** Whether an object is what `import * as` gives. */
export function isModule(value: object): boolean {
  return Object.getOwnPropertyDescriptor(value, Symbol.toStringTag)?.value === "Module";
}

/** Whether a value is a promise, or like one. */
export function isThenable(value: unknown): boolean {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function isClass(value: unknown): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}
