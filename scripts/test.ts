/**
 * Runs the quick tests: those on Deno, as many files at once as the machine has cores, and beside them those of the npm
 * package on Node. Prints what failed, and a summary.
 *
 * `deno test --parallel` does not say which test has begun, so it cannot be seen which one hangs. Here each part has
 * its own process, which runs its tests one after the other, and `watch_tests.ts` stops a test that hangs.
 *
 * @example Usage
 * ```sh
 * deno run --allow-read --allow-run scripts/test.ts
 * ```
 *
 * @module
 */
import { printLine } from "./print.ts";
import { sourcesBelow } from "./source_files.ts";
import { runTests } from "./watch_tests.ts";

/** Seconds that one test may take. */
const LIMIT = 300;

/** What is tested elsewhere: it takes longer, or more than a machine has by itself. */
const ELSEWHERE = /^tests\/(?:long|frameworks)\//;

/** Bytes of tests that one process is started for. A process costs half a second. */
const SIZE = 60_000;

/** Folders whose tests take longer than their size tells, the longest first. They would be the tail of a run. */
const LONGEST: readonly string[] = ["tests/e2e", "tests/unit/adapters"];

/** Test files that one process runs. */
export interface Part {
  readonly name: string;
  readonly files: readonly string[];
}

/**
 * Divides test files into parts. Those that take longest come first, each file in a browser alone.
 *
 * @param files The files, with their size in bytes.
 */
export function partsOf(files: readonly (readonly [path: string, size: number])[]): Part[] {
  const parts: { name: string; files: string[]; size: number }[] = [];
  for (const [path, size] of files) {
    const folder = path.replace(/\/[^/]*$/, "");
    const last = parts.at(-1);
    const isAlone = folder === "tests/e2e";
    if (last && last.name === folder && !isAlone && last.size + size <= SIZE) {
      last.files.push(path);
      last.size += size;
    } else {
      parts.push({ name: folder, files: [path], size });
    }
  }
  const rank = ({ name }: Part): number => LONGEST.includes(name) ? LONGEST.indexOf(name) : LONGEST.length;
  return parts.sort((a, b) => rank(a) - rank(b) || b.size - a.size).map(({ files }) => ({
    name: nameOf(files),
    files,
  }));
}

function nameOf(files: readonly string[]): string {
  const [first = ""] = files;
  return files.length === 1 ? first : `${first.replace(/\/[^/]*$/, "")} (${files.length} files)`;
}

/** How many tests and steps passed and failed. */
export interface Count {
  readonly passed: number;
  readonly steps: number;
  readonly failed: number;
  readonly ignored: number;
}

/** Reads the last line of a run of `deno test`. `null` if there is none: the run ended before its end. */
export function readSummary(output: string): Count | null {
  const lines = output.match(/^(?:ok|FAILED) \| \d+ passed.*$/gm);
  const line = lines?.at(-1);
  if (!line) return null;
  const of = (what: string): number => Number(new RegExp(`(\\d+) ${what}`).exec(line)?.[1] ?? 0);
  return {
    passed: of("passed"),
    steps: Number(/passed \((\d+) steps?\)/.exec(line)?.[1] ?? 0),
    failed: of("failed"),
    ignored: of("ignored"),
  };
}

/** Finds in the output of a run what somebody has to read: what failed, and what says that it did not run. */
export function newsOf(output: string, success: boolean): string {
  // What needs a program that is not there says so with stars.
  if (success) return (output.match(/^\*\*\* .*$/gm) ?? []).join("\n");
  const at = output.indexOf("\n ERRORS \n");
  return at >= 0 ? output.slice(at) : output.slice(-8000);
}

async function runPart({ name, files }: Part): Promise<Count> {
  const begun = performance.now();
  const args = ["test", "--frozen", "--no-check", "--allow-all", ...files];
  const env = { NO_COLOR: "1" };
  const { success, output } = await runTests({ runner: "deno", command: Deno.execPath(), args, limit: LIMIT, env });
  const summary = readSummary(output) ?? { passed: 0, steps: 0, failed: 1, ignored: 0 };
  const count = success || summary.failed > 0 ? summary : { ...summary, failed: 1 };
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  const news = newsOf(output, success);
  printLine(`${success ? "passed" : "FAILED"} ${name}: ${count.passed} in ${seconds} s${news && `\n${news}`}`);
  return count;
}

/** Runs the tests of the npm package, which print what failed and summaries of their own. */
async function runPackage(): Promise<boolean> {
  const args = ["run", "--allow-all", "scripts/test_npm.ts"];
  const { success } = await new Deno.Command(Deno.execPath(), { args, stdin: "null" }).spawn().status;
  return success;
}

/** Writes the line that ends a run of `deno test`, for all parts together. */
export function summaryOf(counts: readonly Count[], seconds: number): string {
  const sum = (of: keyof Count): number => counts.reduce((total, count) => total + count[of], 0);
  const state = `${sum("passed")} passed (${sum("steps")} steps) | ${sum("failed")} failed | ${sum("ignored")} ignored`;
  return `${sum("failed") > 0 ? "FAILED" : "ok"} | ${state} (${seconds.toFixed(0)}s)`;
}

if (import.meta.main) {
  const begun = performance.now();
  const paths = sourcesBelow("tests").filter((path) => path.endsWith("_test.ts") && !ELSEWHERE.test(path)).sort();
  const parts = partsOf(paths.map((path) => [path, Deno.statSync(path).size]));
  const counts: Count[] = [];
  const packages: boolean[] = [];
  // The first of the lanes begins with the package, whose tests take longer than any part.
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, async (_, lane) => {
    if (lane === 0) packages.push(await runPackage());
    for (let part = parts.shift(); part; part = parts.shift()) counts.push(await runPart(part));
  }));
  printLine(summaryOf(counts, (performance.now() - begun) / 1000));
  if (packages.includes(false)) printLine("FAILED: the npm package, see above");
  if (packages.includes(false) || counts.some(({ failed }) => failed > 0)) Deno.exit(1);
}
