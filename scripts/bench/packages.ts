/**
 * The packages that only the benchmark needs. They are not among the imports of deno.json, where everybody who runs a
 * test would have to fetch them.
 *
 * @module
 */

/** What npm knows them by, versions included. */
export const PACKAGES: Readonly<Record<string, string>> = {
  "@auth/core": "@auth/core@0.41.3",
  "autocannon": "autocannon@9.0.0",
  "better-auth": "better-auth@1.7.25",
  "esbuild": "esbuild@0.28.2",
};

/** The URL of a package or of a part of it. */
export function specifierOf(name: string): string {
  const found = Object.keys(PACKAGES).find((pack) => name === pack || name.startsWith(`${pack}/`));
  return found ? `npm:${PACKAGES[found]}${name.slice(found.length)}` : name;
}

/** The version of a package. */
export function versionOf(name: string): string {
  return PACKAGES[name]?.split("@").at(-1) ?? "";
}
