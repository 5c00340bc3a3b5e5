/**
 * Values in messages to developers.
 *
 * @module
 */

/** The most characters of a text that a message shows. */
const MOST = 60;

/** Describes a value that is not secret: a short text, a number, or the kind of anything else. */
export function shown(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return kindOf(value);
  // A URL may hold a password, and a password may hold a slash.
  return value.length > MOST ? "a long text" : JSON.stringify(value.replace(/\/\/.*@/s, "//…@"));
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

/** Whether a value is a promise, or like one. */
export function isThenable(value: unknown): boolean {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function isClass(value: unknown): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}
