/**
 * Runs the first programs of the README on Node and Bun, in folders that have nothing but the package from npm.
 *
 * @module
 */
import { cpSync, rmSync } from "node:fs";
import { firstProgram, tryFirstProgram } from "./quick_starts.ts";
import { npm, QUIET } from "./run.ts";
import type { OtherRuntime } from "./runtimes.ts";

/**
 * Installs the package into an empty folder, as the README says, and tries its first program for the runtime.
 *
 * @throws {Error} if it does not start, or signing in fails.
 */
export async function tryQuickStart({ kind, command }: OtherRuntime, tarball: string): Promise<void> {
  const program = firstProgram(await Deno.readTextFile("README.md"), kind);
  // Not below this project, whose packages would be found as well.
  const folder = await Deno.makeTempDir({ prefix: "first-" });
  try {
    cpSync(tarball, `${folder}/package.tgz`);
    await npm(["install", ...QUIET, "./package.tgz"], folder);
    await tryFirstProgram(program, { folder, command });
    if (program.inOwnWay) await tryFirstProgram({ ...program, source: program.inOwnWay }, { folder, command });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
