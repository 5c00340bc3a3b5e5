/**
 * Compares this library with `@auth/core` and `better-auth`, in one run.
 *
 * All libraries answer the same questions in turns, so that a slow machine slows all of them. Every answer is checked
 * before it is measured. Medians and ratios are printed as Markdown on standard output, progress on standard error.
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
import { printLine } from "../print.ts";
import { ANSWER_TOPICS, compareAnswers, compareProviderCounts } from "./answers.ts";
import { compareBundles } from "./bundles.ts";
import { compareFootprints } from "./footprint.ts";
import { compareServers } from "./loopback.ts";
import { type Progress, saveReport, startProgress, writeReport } from "./report.ts";
import { compareStarts } from "./start.ts";
import { type InstalledLibraries, installLibraries } from "./installed.ts";

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

/** What a table is measured with. */
interface Run {
  readonly topics: ReadonlySet<string>;
  readonly durations: typeof FULL;
  /** Installs the libraries with npm, the first time it is called. */
  readonly installed: () => Promise<InstalledLibraries>;
  readonly progress: Progress;
}

/** The tables of the report, in order, and the topics that ask for each. */
const TABLES: readonly (readonly [topics: readonly string[], compare: (run: Run) => Promise<string>])[] = [
  [ANSWER_TOPICS, ({ topics, durations, progress }) => compareAnswers(topics, durations.answers, progress)],
  [["flat"], ({ durations, progress }) => compareProviderCounts(durations.answers, progress)],
  [["http"], ({ durations, progress }) => compareServers(durations.loopback, progress)],
  [["start"], async ({ installed, durations, progress }) => {
    return await compareStarts(await installed(), durations.starts, progress);
  }],
  [["bundle"], async ({ installed, progress }) => await compareBundles(await installed(), progress)],
  [["install"], async ({ installed }) => await compareFootprints(await installed())],
];

const TOPICS: readonly string[] = TABLES.flatMap(([topics]) => topics);

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
    if (!TOPICS.includes(topic)) throw new TypeError(`There is no topic "${topic}". Choose from ${TOPICS.join(", ")}`);
  }
  return { topics, quick: values.quick ?? false, write: values.write ?? false };
}

async function compareAll({ topics, quick }: Options, progress: Progress): Promise<string[]> {
  let libraries: Promise<InstalledLibraries> | undefined;
  const installed = (): Promise<InstalledLibraries> => libraries ??= installLibraries(progress);
  const run: Run = { topics, durations: quick ? QUICK : FULL, installed, progress };
  const tables: string[] = [];
  try {
    for (const [asked, compare] of TABLES) {
      if (asked.some((topic) => topics.has(topic))) tables.push(await compare(run));
    }
    return tables;
  } finally {
    await (await libraries)?.remove();
  }
}

if (import.meta.main) {
  const options = readOptions(Deno.args);
  const progress = startProgress();
  const report = writeReport(await compareAll(options, progress), options.quick);
  printLine(report);
  if (options.write) await saveReport(report);
  progress("done");
}
