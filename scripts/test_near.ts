/**
 * Runs the tests that are near to files: the unit tests that mirror a source, and those that must see the flaws which
 * `tests/mutants` puts into it. Prints what it runs, and why.
 *
 * @example Usage
 * ```sh
 * deno task test:near src/http/csrf.ts src/email/
 * deno task test:near # what has changed since the last commit
 * ```
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { type Mutant, MUTANTS } from "../tests/mutants/all.ts";
import { printLine } from "./print.ts";
import { sourcesBelow } from "./source_files.ts";
import { newsOf, readSummary } from "./test.ts";

/** Characters that are printed of what failed in one file. */
const MOST_NEWS = 6000;

/** What a choice of tests is made from. */
export interface Tree {
  /** The paths of all sources and tests. */
  readonly files: readonly string[];
  readonly mutants: readonly Mutant[];
  /** Reads a file. */
  readonly read: (path: string) => string;
}

/** A file of tests that is near to a file. */
export interface Near {
  readonly test: string;
  readonly why: string;
  /** The beginnings of the names of the tests to run. All of them without it. */
  readonly only?: readonly string[] | undefined;
}

/** Reads the tree of this project. */
export function readTree(): Tree {
  const folders = [
    "adapters",
    "bindings",
    "cli",
    "client",
    "migrate",
    "src",
    "testing",
    "scripts",
    "tests",
    "examples",
  ];
  const files = ["mod.ts", ...folders.flatMap((folder) => sourcesBelow(folder))];
  return { files, mutants: MUTANTS, read: (path) => readFileSync(path, "utf8") };
}

/** Replaces each folder by its files. @throws {Error} If there is no such file or folder. */
export function filesOf(paths: readonly string[], { files }: Tree): string[] {
  return [
    ...new Set(paths.flatMap((given) => {
      const path = given.replace(/^\.\//, "").replace(/\/$/, "");
      const found = files.filter((file) => file === path || file.startsWith(`${path}/`));
      if (found.length === 0) throw new Error(`There is no source or test ${JSON.stringify(given)}`);
      return found;
    })),
  ];
}

/** Chooses the tests for one file: what mirrors it first, then what must see most of its flaws. */
export function nearTo(file: string, tree: Tree): Near[] {
  const tests = tree.files.filter((path) => path.endsWith("_test.ts"));
  if (tests.includes(file)) return [{ test: file, why: "was asked for" }];
  const stem = `tests/unit/${file.replace(/^src\//, "").replace(/\.tsx?$/, "")}`;
  const folder = stem.replace(/[^/]*$/, "");
  const mutants = tree.mutants.filter((mutant) => mutant.file === file);
  const near = [
    ...tests.filter((test) => test.startsWith(`${stem}_`)).map((test): Near => ({ test, why: `mirrors ${file}` })),
    ...[...new Set(mutants.flatMap(({ tests }) => tests))].map((test) => {
      return { test, named: mutants.filter(({ tests }) => tests.includes(test)) };
    }).sort((a, b) => b.named.length - a.named.length).map(({ test, named }): Near => {
      const only = named.map(({ only }) => only ?? "");
      const why = `must see ${named.length === 1 ? "a flaw" : `${named.length} flaws`} in ${file}`;
      return { test, why, only: only.includes("") ? undefined : [...new Set(only)] };
    }),
  ];
  if (near.length > 0) return near.filter(({ test }, at) => near.findIndex((each) => each.test === test) === at);
  // A support file or a script has neither: the tests that import it are near.
  const end = `/${file.split("/").at(-1)}"`;
  const importers = tests.filter((test) => !file.startsWith("src/") && tree.read(test).includes(end));
  if (importers.length > 0) return importers.map((test) => ({ test, why: `imports ${file}` }));
  return file.startsWith("tests/") ? [] : tests.filter((test) => test.startsWith(folder) && folder !== "tests/unit/")
    .map((test) => ({ test, why: `is in the folder that mirrors that of ${file}` }));
}

/** Chooses the tests for several files, each once. */
export function nearToAll(files: readonly string[], tree: Tree): Near[] {
  const near = files.flatMap((file) => nearTo(file, tree));
  return [...Map.groupBy(near, ({ test }) => test)].map(([test, each]) => ({
    test,
    why: each.slice(0, 2).map(({ why }) => why).join(", ") + (each.length > 2 ? ` and ${each.length - 2} more` : ""),
    only: each.some(({ only }) => !only) ? undefined : [...new Set(each.flatMap(({ only }) => only ?? []))],
  }));
}

/** What `deno test` is told for these tests. */
export function argsOf({ test, only }: Near): string[] {
  const names = only?.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  return ["test", "--no-check", "--allow-all", ...(names ? ["--filter", `/${names}/`] : []), test];
}

async function changedFiles(tree: Tree): Promise<string[]> {
  const run = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await new Deno.Command("git", { args }).output();
    return new TextDecoder().decode(stdout).split("\n");
  };
  const changed = await Promise.all([
    run("diff", "--name-only", "--diff-filter=d", "HEAD"),
    run("ls-files", "--others", "--exclude-standard"),
  ]);
  return changed.flat().filter((path) => tree.files.includes(path));
}

async function main(args: readonly string[]): Promise<number> {
  const tree = readTree();
  const files = args.length > 0 ? filesOf(args, tree) : await changedFiles(tree);
  const near = nearToAll(files, tree);
  if (near.length === 0) {
    printLine(files.length > 0 ? `No test is near to ${files.join(", ")}` : "No source or test has changed");
    return args.length > 0 ? 1 : 0;
  }
  const queue = [...near];
  let failed = 0;
  // A process for each file, so that the nearest tell their result at once.
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, async () => {
    for (let each = queue.shift(); each; each = queue.shift()) if (!await run(each)) failed++;
  }));
  printLine(
    failed > 0
      ? `${failed} of ${near.length} files FAILED`
      : `passed: ${near.length} ${near.length === 1 ? "file" : "files"}`,
  );
  return failed > 0 ? 1 : 0;
}

async function run(near: Near): Promise<boolean> {
  const begun = performance.now();
  const options = { args: argsOf(near), env: { NO_COLOR: "1" }, stdin: "null" } as const;
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), options).output();
  const [output, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  const count = readSummary(output ?? "");
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const tests = count ? `${count.passed + count.failed} tests` : "no tests";
  printLine(`${success ? "passed" : "FAILED"} ${near.test}: ${tests} in ${seconds} s; it ${near.why}`);
  const news = newsOf(output + (success ? "" : errors ?? ""), success);
  if (news) printLine(news.length > MOST_NEWS ? `${news.slice(0, MOST_NEWS)}\n… see the rest with deno test -A` : news);
  return success;
}

if (import.meta.main) {
  try {
    Deno.exit(await main(Deno.args));
  } catch (error) {
    printLine(error instanceof Error ? error.message : String(error));
    Deno.exit(1);
  }
}
