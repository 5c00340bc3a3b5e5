/**
 * Runs a suite of tests on Node or Bun.
 *
 * @module
 */
import { runTests } from "../watch_tests.ts";
import type { OtherRuntime } from "./runtimes.ts";
import type { Suite } from "./suites.ts";

/** How a run ended. */
export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
  /** What the run printed. */
  readonly output: string;
}

/** Milliseconds that the runtime gives one test. Node applies it to a whole `describe` as well. */
const TEST_TIMEOUT = "300000";

/** Seconds without a result after which we stop a run: the timeout of the runtime cannot stop a blocked thread. */
const SILENCE_LIMIT = 90;

/** The arguments that run tests. */
const ARGS: Readonly<Record<OtherRuntime["kind"], readonly string[]>> = {
  // One process for all files, as in Deno and Bun: a process for each takes four times as long. Node 22 has only this name.
  node: [
    "--disable-warning=ExperimentalWarning",
    "--test",
    "--experimental-test-isolation=none",
    "--test-reporter=tap",
    `--test-timeout=${TEST_TIMEOUT}`,
  ],
  bun: ["test", `--timeout=${TEST_TIMEOUT}`],
};

/** The option that loads a module before the tests. */
const PRELOAD: Readonly<Record<OtherRuntime["kind"], string>> = { node: "import", bun: "preload" };

/** Runs a suite in a folder. */
export async function runSuite(
  { kind, command }: OtherRuntime,
  { files, preload }: Suite,
  cwd: string,
): Promise<SuiteResult> {
  const begun = performance.now();
  const before = preload ? [`--${PRELOAD[kind]}=./${preload}`] : [];
  const [first = "", ...more] = ARGS[kind];
  const args = [first, ...before, ...more, ...files.map((file) => `./${file}`)];
  const env = { NO_COLOR: "1", TZ: "UTC" };
  const { success, output } = await runTests({ runner: kind, command, args, limit: SILENCE_LIMIT, cwd, env });
  const result = { ...countsOf(kind, output), seconds: (performance.now() - begun) / 1000, output };
  // A run that crashes before its tests reports no failed test.
  return success || result.failed > 0 ? result : { ...result, failed: 1 };
}

/** Reads the counts that a runtime prints at the end. */
export function countsOf(kind: OtherRuntime["kind"], output: string): {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
} {
  const count = (name: string): number => {
    const pattern = kind === "node" ? `^# ${name}(?:ped)? (\\d+)$` : `^ *(\\d+) ${name}$`;
    return Number(new RegExp(pattern, "m").exec(output)?.[1] ?? 0);
  };
  return { passed: count("pass"), failed: count("fail"), skipped: count("skip") };
}

/** Picks the part of the output that explains the failures. */
export function failuresIn(kind: OtherRuntime["kind"], output: string): string {
  const lines = output.split("\n");
  if (kind === "node") {
    const starts = lines.flatMap((line, index) => /^\s*not ok /.test(line) ? [index] : []);
    const parts = starts.slice(0, 10).flatMap((start) => lines.slice(start, start + 30));
    const hanging = lines.filter((line) => /^Hangs/.test(line));
    return parts.length > 0 ? [...parts, ...hanging].join("\n") : lines.slice(-30).join("\n");
  }
  return lines.filter((line) => !/^\(pass\)|^$/.test(line)).slice(-120).join("\n");
}
