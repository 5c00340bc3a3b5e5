/**
 * Whether something is a response.
 *
 * @module
 */

/** Tells a response, also one of another class: a framework may replace the global `Response`. */
export function isResponse(value: unknown): value is Response {
  return value instanceof Response || Object.prototype.toString.call(value) === "[object Response]";
}
