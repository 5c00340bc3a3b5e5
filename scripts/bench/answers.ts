/**
 * The comparison of answers in one process.
 *
 * @module
 */
import { type Comparison, grid, showRatio, type Table, writeTable } from "./comparison.ts";
import { type Contender, type Pace, ratio, summarize, takeTurns } from "./measure.ts";
import { withoutNetwork } from "./network.ts";
import type { Progress } from "./progress.ts";
import { FEW_AND_MANY, FLAT_SCENARIOS, FLAT_SIDES, type Scenario, SCENARIOS } from "./scenarios.ts";
import { makeSide, ourHeaders } from "./sides/mod.ts";
import { type Ask, NAMES, type Question, type Setup, type Side } from "./sides/side.ts";

/** The topics of the first table. */
export const ANSWER_TOPICS: readonly string[] = [...new Set(SCENARIOS.map(({ topic }) => topic))];

/** Compares the answers of some topics. */
export async function compareAnswers(topics: ReadonlySet<string>, pace: Pace, progress: Progress): Promise<string> {
  const rows: Comparison[] = [];
  for (const scenario of SCENARIOS.filter(({ topic }) => topics.has(topic))) {
    progress(scenario.name);
    rows.push(await withoutNetwork(() => compare(scenario, pace)));
  }
  return writeTable({ ...TABLE, rows });
}

const TABLE: Omit<Table, "rows"> = {
  title: "One answer in process, in microseconds",
  show: (milliseconds) => microseconds(milliseconds),
};

async function compare({ name, ask, setup, notes }: Scenario, pace: Pace): Promise<Comparison> {
  const headers = await ourHeaders();
  const contenders: Contender[] = [];
  for (const side of NAMES) {
    const contender = await contenderOf(await makeSide(side, setup, headers), ask);
    if (contender) contenders.push(contender);
  }
  const rounds = await takeTurns(contenders, pace);
  return { name, rounds, notes: rounds.has("floor") ? [...notes, "floor"] : notes };
}

/** Compares few providers with many. */
export async function compareProviderCounts(pace: Pace, progress: Progress): Promise<string> {
  const rows: string[][] = [];
  for (const { name, ask } of FLAT_SCENARIOS) {
    progress(`${name}, ${FEW_AND_MANY.join(" and ")} providers`);
    rows.push([name, ...await withoutNetwork(() => fewAndMany(ask, pace))]);
  }
  const head = FLAT_SIDES.flatMap((side) => [...FEW_AND_MANY.map((count) => `${side}, ${count}`), "growth"]);
  return [
    `### One answer with ${FEW_AND_MANY.join(" and with ")} providers, in microseconds`,
    "",
    ...grid(["", ...head], rows),
  ].join("\n");
}

async function fewAndMany(ask: Ask, pace: Pace): Promise<string[]> {
  const contenders: Contender[] = [];
  for (const name of FLAT_SIDES) {
    for (const count of FEW_AND_MANY) {
      const setup: Setup = { kind: "github", count };
      const contender = await contenderOf(await makeSide(name, setup, []), ask, `${name}, ${count}`);
      if (contender) contenders.push(contender);
    }
  }
  const rounds = await takeTurns(contenders, pace);
  return FLAT_SIDES.flatMap((name) => {
    const [few = [], many = []] = FEW_AND_MANY.map((count) => rounds.get(`${name}, ${count}`));
    return [...[few, many].map((times) => microseconds(summarize(times).median)), showRatio(ratio(many, few))];
  });
}

async function contenderOf(side: Side, ask: Ask, name: string = side.name): Promise<Contender | null> {
  const question = await side.asks[ask]?.();
  if (!question) return null;
  for (const index of [0, 1]) await prove(side, question, index);
  return { name, run: (times) => answerTimes(side, question, times), reset: side.reset };
}

async function prove(side: Side, { request, status, fault }: Question, index: number): Promise<void> {
  const response = await side.answer(request(index));
  const problem = response.status === status ? await fault(response) : `has status ${response.status}`;
  if (problem) throw new Error(`Cannot compare: the answer of ${side.name} to ${request(index).url} ${problem}`);
}

let asked = 0;

/** Requests that are kept at a time: more of them would be moved about by every collection of garbage. */
const AT_A_TIME = 100;

/** Answers requests one after the other. They are made before, with the clock at rest, and their answers read to the end. */
async function answerTimes({ name, answer }: Side, { request, status }: Question, times: number): Promise<number> {
  let others = 0;
  let milliseconds = 0;
  for (let left = times; left > 0; left -= AT_A_TIME) {
    const requests = Array.from({ length: Math.min(left, AT_A_TIME) }, () => request(asked++));
    const start = performance.now();
    for (const each of requests) {
      const response = await answer(each);
      await response.text();
      if (response.status !== status) others++;
    }
    milliseconds += performance.now() - start;
  }
  if (others > 0) throw new Error(`Cannot compare: ${others} of ${times} answers of ${name} have another status`);
  return milliseconds;
}

function microseconds(milliseconds: number): string {
  const value = milliseconds * 1000;
  return value.toFixed(value < 100 ? 1 : 0);
}
