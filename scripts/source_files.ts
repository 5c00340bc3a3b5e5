/**
 * Finds the source files of this project.
 *
 * @module
 */
import { existsSync, readdirSync, statSync } from "node:fs";

/** Lists the sources below a folder, in order. None if the folder does not exist: Git keeps no empty folders. */
export function sourcesBelow(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  return names.map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => /\.(ts|tsx|js)$/.test(path) && !/\/(?:node_modules|generated)\//.test(path)).sort();
}

/** Whether a file exists. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
