/**
 * Compares the time of an answer with the same answer of `@auth/core`, in one process and without a network.
 *
 * Both sides get the same requests in turns, so that whatever slows the machine down slows both. What is compared is
 * the answer, not the work: a side that needs less work for it may be faster for that reason.
 *
 * @example Usage
 * ```sh
 * deno task bench
 * ```
 *
 * @module
 */
import { say } from "../say.ts";
import { median, millisecondsFor, type Scenario } from "./measure.ts";
import { scenarios } from "./scenarios.ts";
import { subjects } from "./subjects.ts";

/** How often the two sides take turns. */
const ROUNDS = 15;

/** How long each turn should last, in milliseconds. */
const TURN = 40;

interface Row {
  readonly ours: number;
  readonly theirs: number;
  /** The median of the ratios of all rounds: above 1 we are faster. */
  readonly ratio: number;
}

async function compare(scenario: Scenario): Promise<Row> {
  const { ours, theirs } = subjects;
  // The first turn proves the answer and warms up; the second shows how many requests fill a turn.
  for (const subject of [ours, theirs]) await scenario.prove(subject);
  for (const subject of [ours, theirs]) await millisecondsFor(subject, scenario, 50);
  const slower = Math.max(await millisecondsFor(ours, scenario, 20), await millisecondsFor(theirs, scenario, 20));
  const requests = Math.max(5, Math.min(400, Math.round(TURN / slower)));
  const times: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Whoever comes second finds the caches warm, so they change places.
    const first = round % 2 === 0 ? await millisecondsFor(ours, scenario, requests) : undefined;
    const second = await millisecondsFor(theirs, scenario, requests);
    times.push({ ours: first ?? await millisecondsFor(ours, scenario, requests), theirs: second });
  }
  return {
    ours: median(times.map((time) => time.ours)),
    theirs: median(times.map((time) => time.theirs)),
    ratio: median(times.map((time) => time.theirs / time.ours)),
  };
}

function microseconds(time: number): string {
  return (time * 1000).toFixed(1).padStart(12);
}

if (import.meta.main) {
  say(`Microseconds for one answer, medians of ${ROUNDS} rounds; Deno ${Deno.version.deno}, one after the other\n`);
  say(`${"".padEnd(32)}${"@x/auth".padStart(12)}${"@auth/core".padStart(12)}${"ratio".padStart(9)}`);
  for (const scenario of await scenarios()) {
    const { ours, theirs, ratio } = await compare(scenario);
    say(`${scenario.name.padEnd(32)}${microseconds(ours)}${microseconds(theirs)}${ratio.toFixed(1).padStart(8)}x`);
  }
}
