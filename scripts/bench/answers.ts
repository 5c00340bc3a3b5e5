/**
 * Measures how long an answer takes, in one process, on any runtime.
 *
 * @module
 */
import { withBusyCores } from "./busy.ts";
import type { FootnoteName } from "./footnotes.ts";
import { type Contender, measureInTurns, type Timing } from "./measure.ts";
import { withoutNetwork } from "./network.ts";
import { thisRuntime } from "./runtime_kind.ts";
import { type Scenario, scenariosFor } from "./scenarios.ts";
import { makeSide, ourHeaders } from "./sides/mod.ts";
import { NAMES, type Question, type QuestionName, type Side } from "./sides/side.ts";

/** What to measure. */
export interface AnswersInput {
  readonly topics: readonly string[];
  readonly timing: Timing;
  /** Whether some scenarios are measured a second time while the other cores are busy. */
  readonly busy: boolean;
}

/** The rows of a table, as JSON can hold them. */
export type MeasuredAnswers = readonly {
  readonly name: string;
  readonly rounds: readonly (readonly [side: string, times: readonly number[]])[];
  readonly notes: readonly FootnoteName[];
}[];

/** Measures the scenarios of some topics. */
export async function measureAnswers(
  topics: ReadonlySet<string>,
  timing: Timing,
  busy: boolean,
  tell: (what: string) => void,
): Promise<MeasuredAnswers> {
  const rows: MeasuredAnswers[number][] = [];
  for (const scenario of scenariosFor(topics, thisRuntime(), busy)) {
    tell(scenario.name);
    const measure = (): Promise<MeasuredAnswers[number]> => withoutNetwork(() => measureScenario(scenario, timing));
    rows.push(await (scenario.busy ? withBusyCores(measure) : measure()));
  }
  return rows;
}

async function measureScenario(
  { name, question, setup, notes }: Scenario,
  timing: Timing,
): Promise<MeasuredAnswers[number]> {
  const headers = await ourHeaders();
  const contenders: Contender[] = [];
  for (const side of NAMES) {
    const contender = await contenderOf(await makeSide(side, setup, headers), question);
    if (contender) contenders.push(contender);
  }
  const rounds = await measureInTurns(contenders, timing);
  return {
    name,
    rounds: [...rounds],
    notes: rounds.has("floor") ? [...notes, setup.store ? "floorRow" : "floor"] : notes,
  };
}

/** Checks the answers of a side to a question, and makes it a contender; `null` if it cannot answer. */
export async function contenderOf(
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
  const asked = await request(index);
  const response = await side.answer(asked);
  const problem = response.status === status ? await problemOf(response) : `has status ${response.status}`;
  if (problem) throw new Error(`Cannot compare: the answer of ${side.name} to ${asked.url} ${problem}`);
}

let madeRequests = 0;

/** Requests that are made at a time: garbage collection would copy a longer list again and again. */
const AT_A_TIME = 100;

/** Measures how long requests take, one after the other. Making them does not count, reading the answers does. */
async function answerTimes({ name, answer }: Side, { request, status }: Question, times: number): Promise<number> {
  let others = 0;
  let milliseconds = 0;
  for (let left = times; left > 0; left -= AT_A_TIME) {
    const requests: Request[] = [];
    while (requests.length < Math.min(left, AT_A_TIME)) requests.push(await request(madeRequests++));
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
