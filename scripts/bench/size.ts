/**
 * Compares what storage costs with few users and with many.
 *
 * @module
 */
import { markdownTable, showRatio } from "./comparison.ts";
import { CONCLUSIONS } from "./conclusions.ts";
import { ratio, summarize, type Timing } from "./measure.ts";
import type { Progress } from "./report.ts";
import { prepareRuntimes, runProgram } from "./runtimes.ts";

/** How much is stored, and how long to measure. */
export interface SizeTiming extends Timing {
  readonly few: number;
  readonly many: number;
  /** Deno KV has no fast way to store a lot. */
  readonly manyInKv: number;
}

/** A place to store in. */
export type SizedStoreName = "SQLite" | "PostgreSQL" | "Deno KV";

/** One row of the table. Times are those of one answer, in milliseconds. */
export interface MeasuredSize {
  readonly store: SizedStoreName;
  readonly operation: string;
  readonly counts: readonly [few: number, many: number];
  readonly few: readonly number[];
  readonly many: readonly number[];
}

/** Compares each kind of storage on Deno. */
export async function compareSizes(
  timing: SizeTiming,
  env: Readonly<Record<string, string>>,
  progress: Progress,
): Promise<string> {
  const [deno] = await prepareRuntimes(new Set(["deno"]), () => Promise.reject(new Error("not needed")), progress);
  if (!deno) throw new Error("Cannot measure without Deno");
  return sizeTable(await runProgram<MeasuredSize[]>(deno, "size_program.ts", timing, progress, env));
}

/** Writes the table. */
export function sizeTable(measured: readonly MeasuredSize[]): string {
  const rows = measured.map(({ store, operation, counts, few, many }) => [
    `${store}: ${operation}`,
    ...counts.map((count) => count.toLocaleString("en")),
    ...[few, many].map((times) => (summarize(times).median * 1000).toFixed(0)),
    showRatio(ratio(many, few)),
  ]);
  return [
    "### Time that storage takes for one answer, with few and with many users and sessions, in microseconds",
    "",
    CONCLUSIONS.size,
    "",
    ...markdownTable(["", "few", "many", "with few", "with many", "growth"], rows),
  ].join("\n");
}
