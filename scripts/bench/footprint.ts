/**
 * Compares the size of the installed packages.
 *
 * @module
 */
import { type Comparison, type Table, writeTable } from "./comparison.ts";
import { CONCLUSIONS } from "./conclusions.ts";
import type { Rounds } from "./measure.ts";
import { type InstalledLibraries, LIBRARIES, type Library } from "./installed.ts";

/** Compares the size of each package, and of the folder after its installation. */
export async function compareFootprints(libraries: InstalledLibraries): Promise<string> {
  const packed: [Library, number[]][] = [];
  const packages: [Library, number[]][] = [];
  const megabytes: [Library, number[]][] = [];
  for (const library of LIBRARIES) {
    const folder = await libraries.folderOf(library);
    packed.push([library, [await libraries.packedSizeOf(library) / 1e6]]);
    packages.push([library, [await countPackages(folder)]]);
    megabytes.push([library, [await bytesBelow(`${folder}/node_modules`) / 1e6]]);
  }
  const row = (name: string, rounds: Rounds): Comparison => ({ name, rounds, notes: [] });
  const table: Table = {
    title: "Installed with npm",
    conclusion: CONCLUSIONS.install,
    rows: [
      row("the package itself, packed, in megabytes", new Map(packed)),
      row("packages, with all it needs", new Map(packages)),
      row("megabytes, with all it needs", new Map(megabytes)),
    ],
    show: (value) => Number.isInteger(value) ? String(value) : value.toFixed(2),
  };
  return writeTable(table);
}

async function countPackages(folder: string): Promise<number> {
  const lock = await Deno.readTextFile(`${folder}/node_modules/.package-lock.json`);
  return Object.keys((JSON.parse(lock) as { readonly packages: Record<string, unknown> }).packages).length;
}

async function bytesBelow(path: string): Promise<number> {
  const { isDirectory, size } = await Deno.stat(path);
  if (!isDirectory) return size;
  let bytes = 0;
  for await (const { name, isSymlink } of Deno.readDir(path)) {
    if (!isSymlink) bytes += await bytesBelow(`${path}/${name}`);
  }
  return bytes;
}
