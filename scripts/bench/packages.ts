/**
 * The packages that only the benchmark needs. They are not in deno.json, so that running the tests does not download
 * them.
 *
 * @module
 */

/** Name and version of each package. */
export const PACKAGES: Readonly<Record<string, string>> = {
  "@auth/core": "@auth/core@0.41.3",
  "@auth/express": "@auth/express@0.12.3",
  "@auth/pg-adapter": "@auth/pg-adapter@1.11.3",
  "autocannon": "autocannon@9.0.0",
  "better-auth": "better-auth@1.7.25",
  "esbuild": "esbuild@0.28.2",
  "express": "express@5.3.0",
  "pg": "pg@8.23.1",
};

/**
 * Loads a package or one of its subpaths. Its name is a value and its types are declared where they are used, so that
 * neither the tests nor the type check of this project download it. Elsewhere than in Deno it has to be installed.
 */
export async function load<T>(name: string): Promise<T> {
  if (!("Deno" in globalThis)) return await import(name) as T;
  const found = Object.keys(PACKAGES).find((pack) => name === pack || name.startsWith(`${pack}/`));
  return await import(found ? `npm:${PACKAGES[found]}${name.slice(found.length)}` : name) as T;
}

/** Returns the version of a package. */
export function versionOf(name: string): string {
  return PACKAGES[name]?.split("@").at(-1) ?? "";
}
