/**
 * Compares the memory of a process that served many with that of one that served one.
 *
 * @module
 */
import { markdownTable } from "./comparison.ts";
import { CONCLUSIONS } from "./conclusions.ts";
import type { Progress } from "./report.ts";
import { type BenchRuntime, runProgram } from "./runtimes.ts";

/** How many of each are served. */
export interface MemoryCounts {
  readonly sessions: number;
  readonly hosts: number;
  readonly tenants: number;
}

/** What a process serves before its memory is measured. */
export interface MemoryInput extends MemoryCounts {
  /** How often the first session asks. */
  readonly again: number;
  /** Different sessions that are stored, in storage that takes no memory. */
  readonly stored: number;
}

/** The memory of a process in bytes, after garbage was collected. */
export interface MeasuredMemory {
  readonly heap: number;
  readonly resident: number;
}

/** One row of a table. */
export type MemoryRow = readonly [name: string, measured: MeasuredMemory];

/** Measures processes on each runtime. */
export async function compareMemory(
  runtimes: readonly BenchRuntime[],
  counts: MemoryCounts,
  progress: Progress,
): Promise<string[]> {
  const tables: string[] = [];
  for (const runtime of runtimes) {
    const rows: MemoryRow[] = [];
    for (const [name, input] of processesFor(counts)) {
      progress(`${runtime.name}: memory, ${name}`);
      rows.push([name, await runProgram<MeasuredMemory>(runtime, "memory_program.ts", input, progress)]);
    }
    tables.push(memoryTable(runtime.name, rows));
  }
  return tables;
}

/** Lists the processes to measure. All others are compared with the first. */
export function processesFor(
  { sessions, hosts, tenants }: MemoryCounts,
): (readonly [name: string, input: MemoryInput])[] {
  const one: MemoryInput = { again: 1, sessions: 0, stored: 0, hosts: 0, tenants: 0 };
  const many = (count: number): string => count.toLocaleString("en");
  return [
    ["one session, once", one],
    [`one session, ${many(sessions)} times`, { ...one, again: sessions }],
    [`${many(sessions)} sealed sessions`, { ...one, sessions }],
    [`${many(sessions)} stored sessions`, { ...one, stored: sessions }],
    [`${many(hosts)} hosts`, { ...one, hosts }],
    [`${many(tenants)} tenants`, { ...one, tenants }],
    ["all of these", { again: 1, sessions, stored: sessions, hosts, tenants }],
  ];
}

/** Writes a table. */
export function memoryTable(runtime: string, rows: readonly MemoryRow[]): string {
  const one = rows[0]?.[1];
  const cells = rows.map(([name, { heap, resident }]) => [
    name,
    ...[[heap, one?.heap ?? heap], [resident, one?.resident ?? resident]].flatMap(([now = 0, before = 0]) => [
      mebibytes(now),
      now === before ? "–" : `**${mebibytes(now - before)}**`,
    ]),
  ]);
  return [
    `### Memory of a process on ${runtime} after it served, in MiB`,
    "",
    CONCLUSIONS.memory,
    "",
    ...markdownTable(["served", "heap", "more than one", "resident", "more than one"], cells),
  ].join("\n");
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
