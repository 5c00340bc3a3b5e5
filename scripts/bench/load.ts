/**
 * Loads packages that only the benchmark needs.
 *
 * @module
 */
import { specifierOf } from "./packages.ts";

/**
 * Loads a package. Its name is a value and its types are declared where they are used, so that neither the tests nor the
 * type check of this project download it.
 */
export async function load<T>(name: string): Promise<T> {
  return await import(specifierOf(name)) as T;
}
