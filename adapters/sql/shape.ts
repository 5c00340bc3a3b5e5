/**
 * What connections are recognized by.
 *
 * @module
 */

/** Whether an object has all of these methods. */
export function hasMethods(object: object, ...names: readonly string[]): boolean {
  return names.every((name) => typeof Reflect.get(object, name) === "function");
}
