/**
 * Type-checks and runs the programs of README.md and the guides, as they stand there.
 *
 * @example Usage
 * ```sh
 * deno run -A scripts/docs/run.ts            # all pages
 * deno run -A scripts/docs/run.ts docs/storage.md
 * ```
 *
 * @module
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { APP_PLATFORMS } from "./app_platforms.ts";
import { makeFiles } from "./files.ts";
import { printLine } from "../print.ts";
import { type Block, blocksOf, type RuntimeKind } from "./blocks.ts";
import type { Program } from "./program.ts";

/** Where Deno runs the programs; what is made here is in no commit. */
const HOME = "npm/docs";

/** Lists README.md and the guides. */
export function pages(folder = "docs"): string[] {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`);
  return [
    "README.md",
    ...found.map((path) => path.replaceAll("\\", "/")).filter((path) => path.endsWith(".md")).sort(),
  ];
}

/** Reads the programs of pages. */
export function readBlocks(paths: readonly string[]): Block[] {
  return paths.flatMap((path) => blocksOf(path, readFileSync(path, "utf8")));
}

/** A block and the file it was written to. */
export interface Written {
  readonly block: Block;
  readonly file: string;
  /** The folder that the blocks of its application are in. */
  readonly folder: string;
}

/** Writes the programs as files, each page in a folder of its own, and a new one where a file comes a second time. */
export function writeBlocks(blocks: readonly Block[], into: string): Written[] {
  rmSync(into, { recursive: true, force: true });
  const parts = new Map<string, number>();
  return blocks.filter(({ example, inExample, vitest }) => !example && !inExample && !vitest).map((block) => {
    const { page, line, language, code, file = `block_${line}.${language}` } = block;
    const folderOf = (part: number): string => resolve(into, page.replace(/\.md$/, ""), `${part}`);
    let part = parts.get(page) ?? 1;
    if (existsSync(`${folderOf(part)}/${file}`)) part += 1;
    parts.set(page, part);
    const folder = folderOf(part);
    const path = `${folder}/${file}`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, pragmaFor(block) + code);
    return { block, file: path, folder };
  });
}

/** What a file says first that has JSX. Files of our pages do so, too: one program may have both. */
const JSX = {
  react: "/** @jsxImportSource react */ /** @jsxImportSourceTypes @types/react */ ",
  // What the compiler of Solid would make of it, without that compiler.
  solid: "/** @jsxImportSource solid-js/h */ /** @jsxImportSourceTypes solid-js */ ",
} as const;

function pragmaFor({ language, code }: Block): string {
  return !language.endsWith("x") ? "" : JSX[code.includes("@x/auth/solid") ? "solid" : "react"];
}

/** The flags of an application with the packages that this checkout has, in the same versions. */
export function flagsOf(home = HOME): string[] {
  return ["--quiet", `--config=${home}/deno.json`, `--lock=${home}/deno.lock`];
}

/** Writes the configuration of applications. Deno checks no file below `npm` with that of this checkout. */
export function writeConfig(home: string): void {
  const { name, exports, imports, compilerOptions, nodeModulesDir, unstable } = JSON.parse(
    readFileSync("deno.json", "utf8"),
  ) as Record<string, Readonly<Record<string, string>>>;
  const own = Object.entries(exports ?? {}).map(([path, file]) => [`${name}${path.slice(1)}`, resolve(file)]);
  const fresh = resolve("scripts/docs/fresh.ts");
  const apps = APP_PLATFORMS.map((name) => [name, resolve("scripts/docs/app_platforms.ts")]);
  // With these, Deno would ignore what each file says of its JSX.
  const { jsx: _, jsxImportSource: __, ...options } = compilerOptions ?? {};
  const config = {
    imports: { ...imports, ...Object.fromEntries(own), fresh, ...Object.fromEntries(apps) },
    compilerOptions: options,
    nodeModulesDir,
    unstable,
  };
  mkdirSync(home, { recursive: true });
  // A copy: Deno would add the application to it.
  cpSync("deno.lock", `${home}/deno.lock`);
  writeFileSync(`${home}/deno.json`, JSON.stringify(config, null, 2));
}

/** What the compiler says of the programs, or nothing. */
export async function checkBlocks(all: readonly Written[]): Promise<string> {
  // What runs on others only may import what Deno does not have here.
  const written = all.filter(({ block }) => block.runsOn.some((kind) => kind === "deno" || kind === "browser"));
  // What an application declares for itself does not hold in the others.
  const declare = /\bdeclare (?:module|global)\b/;
  const apart = new Set(written.filter(({ block }) => declare.test(block.code)).map(({ folder }) => folder));
  const groups = Map.groupBy(written, ({ folder }) => apart.has(folder) ? folder : "");
  let said = "";
  for (const group of groups.values()) {
    const args = ["check", ...flagsOf(), ...group.map(({ file }) => file)];
    const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" } }).output();
    if (!success) said += new TextDecoder().decode(stderr);
  }
  return said;
}

/** Says what a program finds in its environment: a secret, and what its providers need. */
function envOf({ page, env }: Block, written: readonly Written[]): Record<string, string> {
  // A program may import what stands further up on its page.
  const code = written.filter(({ block }) => block.page === page).map(({ block }) => block.code).join("\n");
  const imported = [...code.matchAll(/@x\/auth\/providers\/([a-z0-9-]+)/g)];
  const inPlace = [...code.matchAll(/\bid: "([a-z0-9-]+)"/g)];
  const found: Record<string, string> = { AUTH_SECRET: "q3vZ0mJk7yT1xW5cR8nB2dH6fL9sG4pA" };
  for (const [, id = ""] of [...imported, ...inPlace]) {
    const name = `AUTH_${id.toUpperCase().replaceAll("-", "_")}`;
    Object.assign(found, { [`${name}_ID`]: "id", [`${name}_SECRET`]: "secret", [`${name}_KEY`]: "key" });
  }
  return { ...found, ...env };
}

/** Lists the programs for a runtime. */
export function programsFor(kind: RuntimeKind, written: readonly Written[], home: string): Program[] {
  return written.filter(({ block }) => block.runsOn.includes(kind) && !(kind === "node" && /x$/.test(block.language)))
    .map(({ block, file }) => ({
      name: `${block.page}:${block.line}`,
      file,
      folder: resolve(home, "runs", `${kind}_${block.page.replaceAll("/", "_")}_${block.line}`),
      env: envOf(block, written),
      asks: block.asks,
      files: block.files,
      logs: block.logs,
    }));
}

/** How a run ended. */
export interface Outcome {
  readonly ran: number;
  /** Each program that failed, and why. */
  readonly failures: readonly { readonly name: string; readonly reason: string }[];
}

/** Runs programs with a command that takes a module and its arguments. */
export async function runPrograms(
  command: readonly [string, ...string[]],
  programs: readonly Program[],
  home: string,
): Promise<Outcome> {
  mkdirSync(home, { recursive: true });
  for (const { folder, files } of programs) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    if (files.length > 0) await makeFiles(files, folder);
  }
  const list = resolve(home, "programs.json");
  writeFileSync(list, JSON.stringify(programs));
  const [name, ...args] = command;
  const module = resolve("scripts/docs/program.ts");
  const options: Deno.CommandOptions = {
    args: [...args, module, list],
    stdin: "null",
    env: { NO_COLOR: "1", TZ: "UTC" },
  };
  const { stdout, stderr } = await new Deno.Command(name, options).output();
  const lines = new TextDecoder().decode(stdout).split("\n").filter((line) => line.startsWith('{"'));
  const said = lines.map((line) => JSON.parse(line) as { name?: string; reason?: string; ran?: number });
  const failures = said.flatMap(({ name, reason = "" }) => name ? [{ name, reason }] : []);
  const ran = said.at(-1)?.ran;
  if (ran !== undefined) return { ran, failures };
  return {
    ran: 0,
    failures: [...failures, { name: "the run", reason: new TextDecoder().decode(stderr).slice(-4000) }],
  };
}

/** Runs the programs for Deno in this checkout. */
export async function runOnDeno(written: readonly Written[]): Promise<Outcome> {
  const command = [Deno.execPath(), "run", ...flagsOf(), "--no-check", "--allow-all"] as const;
  return await runPrograms([...command], programsFor("deno", written, HOME), HOME);
}

/** Writes the programs of pages where Deno finds this checkout. Two that run at once need two folders. */
export function writeForDeno(paths: readonly string[] = pages(), home = HOME): Written[] {
  writeConfig(home);
  return writeBlocks(readBlocks(paths), `${home}/blocks`);
}

/** Makes a script of a program for browsers. */
export async function bundleBlock({ file }: Written, home: string): Promise<string> {
  const args = ["bundle", ...flagsOf(home), "--platform=browser", file];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr).slice(-2000));
  return new TextDecoder().decode(stdout);
}

if (import.meta.main) {
  const written = writeForDeno(Deno.args.length > 0 ? Deno.args : pages());
  const { ran, failures } = await runOnDeno(written);
  for (const { name, reason } of failures) printLine(`${name}: ${reason}\n`);
  const said = await checkBlocks(written);
  if (said) printLine(said);
  printLine(`${ran - failures.length} of ${ran} programs run; their types are ${said ? "wrong" : "right"}`);
  if (said || failures.length > 0) Deno.exit(1);
}
