/**
 * Compares how long an answer takes, in one process.
 *
 * @module
 */
import { contenderOf, type MeasuredAnswers } from "./answers.ts";
import { markdownTable, showRatio, writeTable } from "./comparison.ts";
import { CONCLUSIONS } from "./conclusions.ts";
import { type Contender, measureInTurns, ratio, summarize, type Timing } from "./measure.ts";
import { withoutNetwork } from "./network.ts";
import type { Progress } from "./report.ts";
import { type BenchRuntime, runProgram } from "./runtimes.ts";
import { FEW_AND_MANY, FLAT_SCENARIOS, FLAT_SIDES, SCENARIOS, scenariosFor } from "./scenarios.ts";
import { makeSide } from "./sides/mod.ts";
import type { QuestionName, Setup } from "./sides/side.ts";

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

/** Compares a service with few providers and one with many. */
export async function compareProviderCounts(timing: Timing, progress: Progress): Promise<string> {
  const rows: string[][] = [];
  for (const { name, question } of FLAT_SCENARIOS) {
    progress(`${name}, ${FEW_AND_MANY.join(" and ")} providers`);
    rows.push([name, ...await withoutNetwork(() => fewAndMany(question, timing))]);
  }
  const head = FLAT_SIDES.flatMap((side) => [...FEW_AND_MANY.map((count) => `${side}, ${count}`), "growth"]);
  return [
    `### One answer with ${FEW_AND_MANY.join(" and with ")} providers, in microseconds`,
    "",
    CONCLUSIONS.flat,
    "",
    ...markdownTable(["", ...head], rows),
  ].join("\n");
}

async function fewAndMany(question: QuestionName, timing: Timing): Promise<string[]> {
  const contenders: Contender[] = [];
  for (const name of FLAT_SIDES) {
    for (const count of FEW_AND_MANY) {
      const setup: Setup = { kind: "github", count };
      const contender = await contenderOf(await makeSide(name, setup, []), question, `${name}, ${count}`);
      if (contender) contenders.push(contender);
    }
  }
  const rounds = await measureInTurns(contenders, timing);
  return FLAT_SIDES.flatMap((name) => {
    const [few = [], many = []] = FEW_AND_MANY.map((count) => rounds.get(`${name}, ${count}`));
    return [...[few, many].map((times) => microseconds(summarize(times).median)), showRatio(ratio(many, few))];
  });
}

function microseconds(milliseconds: number): string {
  const value = milliseconds * 1000;
  return value.toFixed(value < 100 ? 1 : 0);
}
