/**
 * Compares how long an answer takes, in one process.
 *
 * @module
 */
import type { MeasuredAnswers } from "./answers.ts";
import { writeTable } from "./comparison.ts";
import { CONCLUSIONS } from "./conclusions.ts";
import type { Timing } from "./measure.ts";
import type { Progress } from "./report.ts";
import { type BenchRuntime, runProgram } from "./runtimes.ts";
import { SCENARIOS, scenariosFor } from "./scenarios.ts";

/** The topics of the tables of answers. */
export const ANSWER_TOPICS: readonly string[] = [...new Set(SCENARIOS.map(({ topic }) => topic))];

/** How to compare answers. */
export interface AnswersRun {
  readonly topics: ReadonlySet<string>;
  readonly timing: Timing;
  readonly busy: boolean;
  readonly env: Readonly<Record<string, string>>;
}

/** Compares the scenarios of some topics on each runtime. */
export async function compareAnswers(
  runtimes: readonly BenchRuntime[],
  { topics, timing, busy, env }: AnswersRun,
  progress: Progress,
): Promise<string[]> {
  const tables: string[] = [];
  for (const runtime of runtimes) {
    if (scenariosFor(topics, runtime.kind, busy).length === 0) continue;
    const input = { topics: [...topics], timing, busy };
    const measured = await runProgram<MeasuredAnswers>(runtime, "answers_program.ts", input, progress, env);
    const rows = measured.map((row) => ({ ...row, rounds: new Map(row.rounds) }));
    const title = `One answer in process on ${runtime.name}, in microseconds`;
    tables.push(writeTable({ title, rows, show: microseconds, conclusion: CONCLUSIONS.answers[runtime.kind] }));
  }
  return tables;
}

function microseconds(milliseconds: number): string {
  const value = milliseconds * 1000;
  return value.toFixed(value < 100 ? 1 : 0);
}
