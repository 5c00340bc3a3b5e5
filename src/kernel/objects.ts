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
  return prototype === Object.prototype || prototype === null;
}

/** Copies a record without its members that are `undefined`. */
export function withoutUndefined<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}

/** Whether a value is one of the marker symbols. The symbols of Auth.js have the same descriptions. */
export function isMarker(value: unknown, description: string): boolean {
  return typeof value === "symbol" && value.description === description;
}
