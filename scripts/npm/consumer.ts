/**
 * An application that installs the package, to see whether it works there.
 *
 * @module
 */
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { npm, QUIET } from "./run.ts";
import type { OtherRuntime } from "./runtimes.ts";

/** What a trial of the package needs. */
export interface Trial {
  /** The path of the packed package. */
  readonly tarball: string;
  readonly node: OtherRuntime;
  readonly progress: (what: string) => void;
}

/**
 * Makes the application in an empty folder.
 *
 * @param folder The folder. What is there is removed.
 * @param files Its files by path, besides package.json.
 * @param installed What npm installs, and flags for it.
 */
export async function makeConsumer(
  folder: string,
  files: Readonly<Record<string, string>>,
  installed: readonly string[],
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const all = { "package.json": '{ "private": true, "type": "module" }\n', ...files };
  for (const [file, text] of Object.entries(all)) {
    await Deno.mkdir(dirname(`${folder}/${file}`), { recursive: true });
    await Deno.writeTextFile(`${folder}/${file}`, text);
  }
  await npm(["install", ...QUIET, ...installed], folder);
}
