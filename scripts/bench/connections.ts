/**
 * Compares sessions and sign-ins through connections that applications already have: this library with its own adapter,
 * and Auth.js with its adapter for the same connection.
 *
 * @module
 */
import { ADAPTERS_FOLDER, installAdapters } from "../../tests/_support/adapters_project.ts";
import { markdownTable, showRatio } from "./comparison.ts";
import { CONCLUSIONS } from "./conclusions.ts";
import { ratio, summarize, type Timing } from "./measure.ts";
import type { Progress } from "./report.ts";
import { prepareRuntimes, runProgram } from "./runtimes.ts";

/** One row of the table. Times are those of one answer or sign-in, in milliseconds. */
export interface MeasuredConnection {
  readonly connection: string;
  readonly operation: string;
  /** This library with its adapter. */
  readonly ours: readonly number[];
  /** Auth.js with its adapter. */
  readonly theirs: readonly number[];
  /** This library with the adapter of Auth.js. */
  readonly mixed: readonly number[];
}

/** Compares them on Deno. @throws {Error} if the packages cannot be installed. */
export async function compareConnections(timing: Timing, progress: Progress): Promise<string> {
  progress("installing the adapters of Auth.js");
  const problem = await installAdapters();
  if (problem) throw new Error(`Cannot install the adapters of Auth.js: ${problem}`);
  const [deno] = await prepareRuntimes(new Set(["deno"]), () => Promise.reject(new Error("not needed")), progress);
  if (!deno) throw new Error("Cannot measure without Deno");
  const runtime = { ...deno, args: ["run", "--frozen", ...deno.args.slice(1).filter((flag) => flag !== "--no-lock")] };
  const file = "connections_program.ts";
  const measured = await runProgram<MeasuredConnection[]>(
    { ...runtime, folder: ADAPTERS_FOLDER, programs: "." },
    file,
    timing,
    progress,
  );
  return connectionsTable(measured);
}

/** Writes the table. */
export function connectionsTable(measured: readonly MeasuredConnection[]): string {
  const microseconds = (times: readonly number[]) => (summarize(times).median * 1000).toFixed(0);
  const rows = measured.map(({ connection, operation, ours, theirs, mixed }) => [
    `${connection}: ${operation}`,
    microseconds(ours),
    ...[theirs, mixed].flatMap((times) => [microseconds(times), showRatio(ratio(times, ours))]),
  ]);
  const head = ["", "@x/auth", "Auth.js", "ratio", "@x/auth with the adapter of Auth.js", "ratio"];
  return [
    "### One answer over the connection that an application has, in microseconds",
    "",
    CONCLUSIONS.connections,
    "",
    ...markdownTable(head, rows),
  ].join("\n");
}
