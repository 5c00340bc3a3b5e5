/**
 * Running a suite on another runtime.
 *
 * @module
 */
import { runTests } from "../watch_tests.ts";
import type { OtherRuntime } from "./runtimes.ts";
import type { Suite } from "./suites.ts";

/** How a run ended. */
export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
  /** What was printed. */
  readonly output: string;
}

/** Milliseconds that one test may take, by the runtime's own measure; Node holds a whole `describe` to it too. */
const PATIENCE = "300000";

/** Seconds after which a run is ended in which nothing happens: a limit of the runtime's own does not end everything. */
const LIMIT = 90;

/** The arguments that make a runtime run tests. */
const ARGS: Readonly<Record<OtherRuntime["kind"], readonly string[]>> = {
  // In one process, as in the others: a process for each file takes four times as long. Node 22 knows it by this name.
  node: [
    "--import=./scripts/npm/tsx_from_package.mjs",
    "--disable-warning=ExperimentalWarning",
    "--test",
    "--experimental-test-isolation=none",
    "--test-reporter=tap",
    `--test-timeout=${PATIENCE}`,
  ],
  bun: ["test", `--timeout=${PATIENCE}`],
};

/** How a runtime is told to load something before the tests. */
const PRELOAD: Readonly<Record<OtherRuntime["kind"], string>> = { node: "import", bun: "preload" };

/** Runs a suite in its place. */
export async function runSuite(
  { kind, command }: OtherRuntime,
  { files, preload }: Suite,
  cwd: string,
): Promise<Verdict> {
  const begun = performance.now();
  const before = preload ? [`--${PRELOAD[kind]}=./${preload}`] : [];
  const [first = "", ...more] = ARGS[kind];
  const args = [first, ...before, ...more, ...files.map((file) => `./${file}`)];
  const env = { NO_COLOR: "1", TZ: "UTC" };
  const { success, output } = await runTests({ runner: kind, command, args, limit: LIMIT, cwd, env });
  const verdict = { ...countsOf(kind, output), seconds: (performance.now() - begun) / 1000, output };
  // A run that ends before its tests tells of no failure.
  return success || verdict.failed > 0 ? verdict : { ...verdict, failed: 1 };
}

/** Reads the figures that a runtime prints at the end. */
export function countsOf(kind: OtherRuntime["kind"], output: string): {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
} {
  const figure = (name: string): number => {
    const pattern = kind === "node" ? `^# ${name}(?:ped)? (\\d+)$` : `^ *(\\d+) ${name}$`;
    return Number(new RegExp(pattern, "m").exec(output)?.[1] ?? 0);
  };
  return { passed: figure("pass"), failed: figure("fail"), skipped: figure("skip") };
}

/** Picks what is worth reading when tests failed. */
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
