/**
 * Compares this library with `@auth/core` and `better-auth`, in one run.
 *
 * Everybody gets the same questions in turns, so that whatever slows the machine down slows all; every answer is
 * checked before it is measured. Medians and ratios of all rounds are printed as Markdown on standard output, progress
 * on standard error.
 *
 * @example Usage
 * ```sh
 * deno task bench                      # everything
 * deno task bench --only=session,csrf  # some topics
 * deno task bench --quick              # fewer and shorter rounds: a rough idea
 * deno task bench --write              # also into BENCHMARKS.md
 * ```
 *
 * @module
 */
import { parseArgs } from "node:util";
import { say } from "../say.ts";
import { ANSWER_TOPICS, compareAnswers, compareProviderCounts } from "./answers.ts";
import { compareBundles } from "./bundles.ts";
import { compareFootprints } from "./footprint.ts";
import { compareServers } from "./loopback.ts";
import { type Progress, startProgress } from "./progress.ts";
import { keepReport, writeReport } from "./report.ts";
import { compareStarts } from "./start.ts";
import { openWorkshop } from "./workshop.ts";

const FULL = {
  answers: { rounds: 15, turn: 25, warmUp: 600 },
  loopback: { rounds: 15, turn: 400 },
  starts: 15,
};

const QUICK: typeof FULL = {
  answers: { rounds: 5, turn: 20, warmUp: 150 },
  loopback: { rounds: 3, turn: 200 },
  starts: 3,
};

const TOPICS: readonly string[] = [...ANSWER_TOPICS, "flat", "http", "start", "bundle", "install"];

interface Options {
  readonly topics: ReadonlySet<string>;
  readonly quick: boolean;
  readonly write: boolean;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: "string" }, quick: { type: "boolean" }, write: { type: "boolean" } },
  });
  const topics = new Set(values.only?.split(",") ?? TOPICS);
  for (const topic of topics) {
    if (!TOPICS.includes(topic)) throw new TypeError(`Cannot compare "${topic}": choose of ${TOPICS.join(", ")}`);
  }
  return { topics, quick: values.quick ?? false, write: values.write ?? false };
}

async function compare({ topics, quick }: Options, progress: Progress): Promise<string[]> {
  const { answers, loopback, starts } = quick ? QUICK : FULL;
  const tables: string[] = [];
  if (ANSWER_TOPICS.some((topic) => topics.has(topic))) tables.push(await compareAnswers(topics, answers, progress));
  if (topics.has("flat")) tables.push(await compareProviderCounts(answers, progress));
  if (topics.has("http")) tables.push(await compareServers(loopback, progress));
  if (!["start", "bundle", "install"].some((topic) => topics.has(topic))) return tables;
  const workshop = await openWorkshop(progress);
  try {
    if (topics.has("start")) tables.push(await compareStarts(workshop, starts, progress));
    if (topics.has("bundle")) tables.push(await compareBundles(workshop, progress));
    if (topics.has("install")) tables.push(await compareFootprints(workshop));
    return tables;
  } finally {
    await workshop.remove();
  }
}

if (import.meta.main) {
  const options = readOptions(Deno.args);
  const progress = startProgress();
  const report = writeReport(await compare(options, progress), options.quick);
  say(report);
  if (options.write) await keepReport(report);
  progress("done");
}
