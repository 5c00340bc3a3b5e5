/**
 * Packages that only the comparison needs.
 *
 * @module
 */
import { specifierOf } from "./packages.ts";

/**
 * Loads such a package. Its name comes as a value and its types are written down where they are used, so that neither
 * tests nor the type check of the project fetch it.
 */
export async function load<T>(name: string): Promise<T> {
  return await import(specifierOf(name)) as T;
}
