/**
 * Flips operators in the lines of a change, one at a time in a copy of this project, and reports the flips that no near
 * test sees (scripts/test_near.ts). Such a flip is a missing test, or code that makes no difference.
 *
 * @example Usage
 * ```sh
 * deno task test:flips # lines that differ from main
 * deno task test:flips --since=HEAD~3 --count=100 --seed=2
 * deno task test:flips src/http/redirect_url.ts
 * ```
 *
 * @module
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { inCopies, makeCopies, runIn } from "../tests/mutants/_copies.ts";
import { printLine } from "./print.ts";
import { argsOf, filesOf, type Near, nearTo, readTree } from "./test_near.ts";

/** Seconds that one file of tests may take. A flip that makes tests hang is seen. */
const DEADLINE = 60;

/** Files of tests that are run for one flip, the nearest first. */
const MOST_TESTS = 5;

/** One operator, and what is written in its place. */
export interface Flip {
  readonly at: number;
  readonly line: number;
  readonly old: string;
  readonly new: string;
}

/** What is flipped, where it stands in formatted code: a type has no spaces around its angle brackets. */
const RULES: readonly (readonly [find: RegExp, replace: (found: string) => string])[] = [
  [/(?<= )(?:[=!]==)(?= |$)/gm, (found) => found === "===" ? "!==" : "==="],
  [/(?<= )[<>]=?(?= )/g, (found) => found.endsWith("=") ? found.slice(0, 1) : `${found}=`],
  [/(?<= )(?:&&|\|\|)(?= |$)/gm, (found) => found === "&&" ? "||" : "&&"],
  [/(?<=[\w)\]] )[-+*/%](?= [\w(])/g, (found) => ({ "+": "-", "-": "+", "*": "/", "/": "*" })[found] ?? "*"],
  [/(?<![\w)\]!])!(?=[\w(])/g, () => ""],
  [/\bawait (?!using\b)/g, () => ""],
  [/(?<=(?:\breturn|=>|=|\?|:) )(?:true|false)\b(?!;?\s*\|)/g, (found) => found === "true" ? "false" : "true"],
  [/(?<=\breturn )(?=[\w.]+;)/g, () => "!"],
  [/(?<=\bif \()(?=[\w.]+(?:\([\w., ]*\))?\))/g, () => "!"],
  [/(?<!\| |[\w.$"'#])\d[\d_]*(?![\w.]|\s*\|)/g, (found) => String(Number(found.replaceAll("_", "")) + 1)],
];

// Comments, texts and patterns. A slash after a value divides.
const NO_CODE =
  /\/\/.*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<![\w)\]] ?)\/(?![*/ ])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;

/** Finds all flips in a source, in the order of their places. */
export function flipsIn(source: string): Flip[] {
  const code = source.replace(NO_CODE, (text) => text.replace(/[^\n]/g, "_"));
  return RULES.flatMap(([find, replace]) =>
    [...code.matchAll(find)].map(({ 0: old, index: at }): Flip => {
      return { at, line: code.slice(0, at).split("\n").length, old, new: replace(old) };
    })
  ).sort((a, b) => a.at - b.at);
}

/** Chooses some of a list: always the same ones for a seed. */
export function sample<T>(list: readonly T[], count: number, seed: number): T[] {
  const rest = [...list];
  let state = seed;
  const chosen: T[] = [];
  while (rest.length > 0 && chosen.length < count) {
    state = (state * 48_271 + 11) % 2_147_483_647;
    chosen.push(...rest.splice(state % rest.length, 1));
  }
  return chosen;
}

/** Reads which lines are new or changed from `git diff --unified=0`. */
export function changedLines(diff: string): Map<string, Set<number>> {
  const files = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const text of diff.split("\n")) {
    const [, file] = /^\+\+\+ b\/(.+)$/.exec(text) ?? [];
    if (file) files.set(file, lines = new Set());
    const [, first = "", count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(text) ?? [];
    for (let at = 0; first && at < Number(count); at++) lines.add(Number(first) + at);
  }
  return files;
}

const FOLDERS = ["src", "adapters", "bindings", "cli", "client", "migrate"];

async function linesOf(since: string): Promise<Map<string, Set<number>>> {
  const args = ["diff", "--unified=0", "--merge-base", since, "--", ...FOLDERS];
  const { success, stdout, stderr } = await new Deno.Command("git", { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr).trim());
  return changedLines(new TextDecoder().decode(stdout));
}

/** Runs tests one after the other, and returns the one that failed. */
async function redIn(copy: string, tests: readonly Near[]): Promise<string | null> {
  for (const near of tests) {
    const { code } = await runIn(copy, argsOf(near).slice(argsOf(near).indexOf("--allow-all") + 1), DEADLINE);
    if (code !== 0) return near.test;
  }
  return null;
}

async function main(): Promise<number> {
  const text = (fallback: string) => ({ type: "string", default: fallback }) as const;
  const options = { since: text("main"), count: text("40"), seed: text("1") };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const tree = readTree();
  const lines = positionals.length > 0 ? null : await linesOf(values.since);
  const isOurs = (file: string): boolean => FOLDERS.some((folder) => file.startsWith(`${folder}/`));
  const files = lines ? [...lines.keys()].filter((file) => tree.files.includes(file)) : filesOf(positionals, tree);
  const all = files.filter(isOurs).flatMap((file) => {
    const flips = flipsIn(tree.read(file)).filter(({ line }) => lines?.get(file)?.has(line) ?? true);
    return flips.map((flip) => ({ file, flip, tests: nearTo(file, tree).slice(0, MOST_TESTS) }));
  });
  const chosen = sample(all, Number(values.count), Number(values.seed));
  printLine(`${chosen.length} of ${all.length} flips in ${files.length} files`);
  const copies = await makeCopies(navigator.hardwareConcurrency);
  const survivors: string[] = [];
  try {
    const needed = new Map(chosen.flatMap(({ tests }) => tests.map((near) => [argsOf(near).join(" "), near])));
    await inCopies(copies, [...needed.values()], async (copy, near) => {
      if (await redIn(copy, [near])) throw new Error(`${near.test} fails without a flip`);
    });
    await inCopies(copies, chosen, async (copy, { file, flip, tests }) => {
      const source = await readFile(join(copy, file), "utf8");
      await writeFile(join(copy, file), source.slice(0, flip.at) + flip.new + source.slice(flip.at + flip.old.length));
      const red = await redIn(copy, tests);
      await writeFile(join(copy, file), source);
      const place = `${file}:${flip.line}: "${flip.old}" as "${flip.new}"`;
      printLine(`${place}: ${red ? `seen by ${red}` : "SURVIVES"}`);
      if (!red) survivors.push(`${place} in: ${source.split("\n")[flip.line - 1]?.trim()}`);
    });
  } finally {
    await rm(copies.base, { recursive: true, force: true });
  }
  printLine(`\n${survivors.length} of ${chosen.length} flips survive`);
  for (const survivor of survivors.sort()) printLine(survivor);
  return survivors.length > 0 ? 1 : 0;
}

if (import.meta.main) {
  try {
    Deno.exit(await main());
  } catch (error) {
    printLine(error instanceof Error ? error.message : String(error));
    Deno.exit(1);
  }
}
