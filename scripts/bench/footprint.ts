/**
 * The comparison of what is installed.
 *
 * @module
 */
import { type Comparison, type Table, writeTable } from "./comparison.ts";
import type { Rounds } from "./measure.ts";
import { LIBRARIES, type Library, type Workshop } from "./workshop.ts";

/** Compares packages and megabytes. */
export async function compareFootprints(workshop: Workshop): Promise<string> {
  const packages: [Library, number[]][] = [];
  const megabytes: [Library, number[]][] = [];
  for (const library of LIBRARIES) {
    const folder = workshop.folderOf(library);
    const own = library === "@x/auth" ? await ownFiles() : 0;
    packages.push([library, [await countPackages(folder) + (own > 0 ? 1 : 0)]]);
    megabytes.push([library, [(await bytesBelow(`${folder}/node_modules`) + own) / 1e6]]);
  }
  const row = (name: string, rounds: Rounds): Comparison => ({ name, rounds, notes: ["sources"] });
  const table: Table = {
    title: "Installed with npm",
    rows: [row("packages", new Map(packages)), row("megabytes", new Map(megabytes))],
    show: (value) => Number.isInteger(value) ? String(value) : value.toFixed(2),
  };
  return writeTable(table);
}

async function countPackages(folder: string): Promise<number> {
  const lock = await Deno.readTextFile(`${folder}/node_modules/.package-lock.json`);
  return Object.keys((JSON.parse(lock) as { readonly packages: Record<string, unknown> }).packages).length;
}

async function ownFiles(): Promise<number> {
  const { publish } = JSON.parse(await Deno.readTextFile("deno.json")) as { publish: { include: string[] } };
  let bytes = 0;
  for (const path of publish.include) bytes += await bytesBelow(path);
  return bytes;
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
