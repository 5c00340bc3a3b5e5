/**
 * Compares how long an answer takes, in one process.
 *
 * @module
 */
import { type Comparison, markdownTable, showRatio, type Table, writeTable } from "./comparison.ts";
import { type Contender, measureInTurns, ratio, summarize, type Timing } from "./measure.ts";
import { withoutNetwork } from "./network.ts";
import type { Progress } from "./report.ts";
import { FEW_AND_MANY, FLAT_SCENARIOS, FLAT_SIDES, type Scenario, SCENARIOS } from "./scenarios.ts";
import { makeSide, ourHeaders } from "./sides/mod.ts";
import { NAMES, type Question, type QuestionName, type Setup, type Side } from "./sides/side.ts";

/** The topics of the table of answers. */
export const ANSWER_TOPICS: readonly string[] = [...new Set(SCENARIOS.map(({ topic }) => topic))];

/** Compares the scenarios of some topics. */
export async function compareAnswers(topics: ReadonlySet<string>, timing: Timing, progress: Progress): Promise<string> {
  const rows: Comparison[] = [];
  for (const scenario of SCENARIOS.filter(({ topic }) => topics.has(topic))) {
    progress(scenario.name);
    rows.push(await withoutNetwork(() => compare(scenario, timing)));
  }
  return writeTable({ ...TABLE, rows });
}

const TABLE: Omit<Table, "rows"> = {
  title: "One answer in process, in microseconds",
  show: (milliseconds) => microseconds(milliseconds),
};

async function compare({ name, question, setup, notes }: Scenario, timing: Timing): Promise<Comparison> {
  const headers = await ourHeaders();
  const contenders: Contender[] = [];
  for (const side of NAMES) {
    const contender = await contenderOf(await makeSide(side, setup, headers), question);
    if (contender) contenders.push(contender);
  }
  const rounds = await measureInTurns(contenders, timing);
  return { name, rounds, notes: rounds.has("floor") ? [...notes, "floor"] : notes };
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

async function contenderOf(
  side: Side,
  questionName: QuestionName,
  name: string = side.name,
): Promise<Contender | null> {
  const question = await side.questions[questionName]?.();
  if (!question) return null;
  for (const index of [0, 1]) await checkAnswer(side, question, index);
  return { name, run: (times) => answerTimes(side, question, times), reset: side.reset };
}

async function checkAnswer(side: Side, { request, status, problemOf }: Question, index: number): Promise<void> {
  const response = await side.answer(request(index));
  const problem = response.status === status ? await problemOf(response) : `has status ${response.status}`;
  if (problem) throw new Error(`Cannot compare: the answer of ${side.name} to ${request(index).url} ${problem}`);
}

let madeRequests = 0;

/** Requests that are made at a time: garbage collection would copy a longer list again and again. */
const AT_A_TIME = 100;

/** Measures how long requests take, one after the other. Making them does not count, reading the answers does. */
async function answerTimes({ name, answer }: Side, { request, status }: Question, times: number): Promise<number> {
  let others = 0;
  let milliseconds = 0;
  for (let left = times; left > 0; left -= AT_A_TIME) {
    const requests = Array.from({ length: Math.min(left, AT_A_TIME) }, () => request(madeRequests++));
    const start = performance.now();
    for (const each of requests) {
      const response = await answer(each);
      await response.text();
      if (response.status !== status) others++;
    }
    milliseconds += performance.now() - start;
  }
  if (others > 0) {
    throw new Error(`Cannot compare: ${others} of ${times} answers of ${name} do not have status ${status}`);
  }
  return milliseconds;
}

function microseconds(milliseconds: number): string {
  const value = milliseconds * 1000;
  return value.toFixed(value < 100 ? 1 : 0);
}
