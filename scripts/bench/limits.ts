/**
 * Compares the service with limits and without them.
 *
 * @module
 */
import { markdownTable, showRatio } from "./comparison.ts";
import { CONCLUSIONS } from "./conclusions.ts";
import { ratio, summarize, type Timing } from "./measure.ts";
import type { Progress } from "./report.ts";
import { prepareRuntimes, runProgram } from "./runtimes.ts";

/** What one side needs. */
export interface MeasuredSide {
  /** Milliseconds of an answer, in each round. */
  readonly times: readonly number[];
  /** Statements that an answer sends to the database. */
  readonly statements: number;
}

/** One row of the table. */
export interface MeasuredLimits {
  readonly name: string;
  readonly without: MeasuredSide;
  readonly limited: MeasuredSide;
}

/** Compares them on Deno. @param env Tells where PostgreSQL is. */
export async function compareLimits(
  timing: Timing,
  env: Readonly<Record<string, string>>,
  progress: Progress,
): Promise<string> {
  const [deno] = await prepareRuntimes(new Set(["deno"]), () => Promise.reject(new Error("not needed")), progress);
  if (!deno) throw new Error("Cannot measure without Deno");
  return limitsTable(await runProgram<MeasuredLimits[]>(deno, "limits_program.ts", timing, progress, env));
}

/** Writes the table. */
export function limitsTable(measured: readonly MeasuredLimits[]): string {
  const cells = ({ times, statements }: MeasuredSide) => [
    (summarize(times).median * 1000).toFixed(1),
    String(statements),
  ];
  const rows = measured.map(({ name, without, limited }) => [
    name,
    ...cells(without),
    ...cells(limited),
    showRatio(ratio(without.times, limited.times)),
  ]);
  const head = ["", "without", "statements", "with `limits()`", "statements", "ratio"];
  return [
    "### One answer with and without `limits()` on Deno, in microseconds",
    "",
    CONCLUSIONS.limits,
    "",
    ...markdownTable(head, rows),
  ].join("\n");
}
