/** Compiles the examples, as their users do. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { QUIET, run } from "../../scripts/npm/run.ts";
import { fetchRuntime } from "../../scripts/npm/runtimes.ts";

const HOME = resolve("npm/frameworks/.compilers");

/** The compilers, by the folder that npm puts them in. */
const FOLDERS = { "5.9.3": "typescript-5", "7.0.2": "typescript-7" } as const;

/** The version of a compiler. */
export type Compiler = keyof typeof FOLDERS;

export const COMPILERS: readonly Compiler[] = ["5.9.3", "7.0.2"];

/** Compiles an example that is installed, and built if it has to be. @throws {Error} with what the compiler says. */
export async function compile(compiler: Compiler, folder: string): Promise<void> {
  if (!existsSync(`${folder}/tsconfig.json`)) throw new Error("Cannot find the tsconfig.json of the example");
  await (compilers ??= install());
  const { command } = await fetchRuntime("node-24", "npm/runtimes");
  const tsc = `${HOME}/node_modules/${FOLDERS[compiler]}/bin/tsc`;
  await run(command, [tsc, "--noEmit", "--strict", "--incremental", "false", "--pretty", "false"], { cwd: folder });
}

let compilers: Promise<void> | undefined;

async function install(): Promise<void> {
  const wanted = COMPILERS.map((version) => [FOLDERS[version], `npm:typescript@${version}`]);
  const manifest = JSON.stringify({ private: true, dependencies: Object.fromEntries(wanted) });
  const done = `${HOME}/node_modules/.done`;
  if (existsSync(done) && Deno.readTextFileSync(done) === manifest) return;
  mkdirSync(HOME, { recursive: true });
  writeFileSync(`${HOME}/package.json`, manifest);
  await run("npm", ["install", ...QUIET, "--prefer-offline", "--no-package-lock"], { cwd: HOME });
  writeFileSync(done, manifest);
}
