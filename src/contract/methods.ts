/**
 * The methods of an adapter that another one is made of.
 *
 * @module
 */

/** A method of an adapter. */
export type Method = (...args: readonly unknown[]) => unknown;

/** Lists the methods of an adapter by name, bound to it: it may be an instance of a class with private members. */
export function methodsOf(adapter: object): Readonly<Record<string, Method>> {
  const found = new Map<string, Method>();
  for (let from = adapter; from && from !== Object.prototype; from = Object.getPrototypeOf(from)) {
    for (const name of Object.getOwnPropertyNames(from)) {
      const value: unknown = Reflect.get(adapter, name);
      if (typeof value === "function" && name !== "constructor") found.set(name, value.bind(adapter));
    }
  }
  return Object.fromEntries(found);
}
