/**
 * Packages that a program installs beside this one.
 *
 * @module
 */

/** How a package is looked for. */
export interface PackageLookup {
  /** Gives its URL without loading it, and throws if it is not found. */
  readonly resolve: () => string;
  /** Loads it. */
  readonly load: () => Promise<unknown>;
}

/**
 * Says that a package is missing.
 *
 * @returns `null` if it is there. A bundle may hold a package that is not to be found, so then it is loaded.
 */
export async function missingPackage(name: string, { resolve, load }: PackageLookup): Promise<string | null> {
  try {
    resolve();
    return null;
  } catch {
    try {
      await load();
      return null;
    } catch {
      return `install the package \`${name}\`: \`deno add npm:${name}\`, or \`npm install ${name}\``;
    }
  }
}
