/**
 * Compares this library with `@auth/core` and `better-auth`, in one run.
 *
 * All libraries answer the same questions in turns, so that a slow machine slows all of them. Every answer is checked
 * before it is measured. Medians and ratios are printed as Markdown on standard output, progress on standard error.
 *
 * @example Usage
 * ```sh
 * deno task bench                      # everything but passwords, connections, size and memory
 * deno task bench --only=session,csrf  # some topics
 * deno task bench --on=deno,node       # some runtimes
 * deno task bench --busy               # also callbacks while the other cores are busy
 * deno task bench --quick              # fewer and shorter rounds: a rough idea
 * deno task bench --write              # also into BENCHMARKS.md
 * ```
 *
 * @module
 */
import { parseArgs } from "node:util";
import { findPostgres, type PostgresServer, startPostgres } from "../../tests/_support/postgres.ts";
import { printLine } from "../print.ts";
import { ANSWER_TOPICS, compareAnswers } from "./answers_tables.ts";
import { compareBundles } from "./bundles.ts";
import { compareConnections } from "./connections.ts";
import { compareFootprints } from "./footprint.ts";
import { type InstalledLibraries, installLibraries } from "./installed.ts";
import { compareLimits } from "./limits.ts";
import { compareServers } from "./loopback.ts";
import { compareMemory } from "./memory.ts";
import { measurePasswords } from "./passwords.ts";
import { describeMachine, type Progress, saveReport, startProgress } from "./report.ts";
import { RUNTIME_KINDS, type RuntimeKind } from "./runtime_kind.ts";
import { type BenchRuntime, prepareRuntimes } from "./runtimes.ts";
import { DATABASE } from "./sides/stores.ts";
import { compareSizes } from "./size.ts";
import { compareStarts } from "./start.ts";

const FULL = {
  answers: { rounds: 15, turn: 25, warmUp: 600 },
  loopback: { rounds: 15, turn: 400 },
  starts: 15,
  passwords: { timing: { rounds: 15, turn: 25, warmUp: 600 }, samples: 100 },
  connections: { rounds: 15, turn: 150, warmUp: 600 },
  size: { rounds: 15, turn: 150, warmUp: 300, few: 1000, many: 1_000_000, manyInKv: 200_000 },
  memory: { sessions: 1_000_000, hosts: 10_000, tenants: 1000 },
};

const QUICK: typeof FULL = {
  answers: { rounds: 5, turn: 20, warmUp: 150 },
  loopback: { rounds: 3, turn: 200 },
  starts: 3,
  passwords: { timing: { rounds: 5, turn: 20, warmUp: 150 }, samples: 20 },
  connections: { rounds: 3, turn: 50, warmUp: 150 },
  size: { rounds: 3, turn: 50, warmUp: 50, few: 100, many: 10_000, manyInKv: 2000 },
  memory: { sessions: 10_000, hosts: 1000, tenants: 100 },
};

/** What a table is measured with. */
interface Run {
  readonly topics: ReadonlySet<string>;
  readonly durations: typeof FULL;
  readonly busy: boolean;
  /** Installs the libraries with npm, the first time it is called. */
  readonly installed: () => Promise<InstalledLibraries>;
  /** Makes the runtimes ready that were asked for, the first time it is called. */
  readonly runtimes: () => Promise<readonly BenchRuntime[]>;
  /** Starts PostgreSQL, the first time it is called, and tells programs where it is. */
  readonly database: () => Promise<Readonly<Record<string, string>>>;
  readonly progress: Progress;
}

type Compare = (run: Run) => Promise<string | readonly string[]>;

/** The tables of the report, in order, and the topics that ask for each. */
const TABLES: readonly (readonly [topics: readonly string[], compare: Compare])[] = [
  [ANSWER_TOPICS, async ({ topics, durations, busy, runtimes, database, progress }) => {
    const env = topics.has("postgres") ? await database() : {};
    return await compareAnswers(await runtimes(), { topics, timing: durations.answers, busy, env }, progress);
  }],
  [["http"], async ({ durations, runtimes, progress }) => {
    return await compareServers(await runtimes(), durations.loopback, progress);
  }],
  [["start"], async ({ installed, durations, progress }) => {
    return await compareStarts(await installed(), durations.starts, progress);
  }],
  [["bundle"], async ({ installed, progress }) => await compareBundles(await installed(), progress)],
  [["install"], async ({ installed }) => await compareFootprints(await installed())],
  [["connections"], async ({ durations, progress }) => await compareConnections(durations.connections, progress)],
  [["limits"], async ({ durations, database, progress }) => {
    return await compareLimits(durations.answers, await database(), progress);
  }],
  [["passwords"], async ({ durations, runtimes, progress }) => {
    return await measurePasswords(await runtimes(), durations.passwords, progress);
  }],
  [["size"], async ({ durations, database, progress }) => {
    return await compareSizes(durations.size, await database(), progress);
  }],
  [["memory"], async ({ durations, runtimes, progress }) => {
    return await compareMemory(await runtimes(), durations.memory, progress);
  }],
];

const TOPICS: readonly string[] = TABLES.flatMap(([topics]) => topics);

/** Topics that take long, and are measured only if they are asked for. */
const ON_DEMAND: ReadonlySet<string> = new Set(["passwords", "connections", "size", "memory"]);

/** The options of the command line. */
export interface Options {
  readonly topics: ReadonlySet<string>;
  readonly kinds: ReadonlySet<RuntimeKind>;
  readonly busy: boolean;
  readonly quick: boolean;
  readonly write: boolean;
}

/** Reads the options of the command line. @throws {TypeError} for a topic or runtime that does not exist. */
export function readOptions(args: readonly string[]): Options {
  const flag = { type: "boolean" } as const;
  const { values: { only, on, busy = false, quick = false, write = false } } = parseArgs({
    args: [...args],
    options: { only: { type: "string" }, on: { type: "string" }, busy: flag, quick: flag, write: flag },
  });
  const topics = chosen("topic", only, TOPICS, TOPICS.filter((topic) => !ON_DEMAND.has(topic)));
  const missing = ANSWER_TOPICS.filter((topic) => !topics.has(topic));
  if (write && missing.length > 0 && missing.length < ANSWER_TOPICS.length) {
    throw new TypeError(`Cannot write a part of a table. Its other topics are ${missing.join(", ")}`);
  }
  return {
    topics,
    kinds: chosen("runtime", on, RUNTIME_KINDS, RUNTIME_KINDS),
    busy,
    quick,
    write,
  };
}

function chosen<T extends string>(what: string, list: string | undefined, all: readonly T[], usual: readonly T[]) {
  return new Set(
    list?.split(",").map((name) => {
      const found = all.find((each) => each === name);
      if (!found) throw new TypeError(`There is no ${what} "${name}". Choose from ${all.join(", ")}`);
      return found;
    }) ?? usual,
  );
}

/** Measures the tables that were asked for, and gives each as soon as it is there. */
async function* compareAll({ topics, kinds, busy, quick }: Options, progress: Progress): AsyncGenerator<string> {
  let libraries: Promise<InstalledLibraries> | undefined;
  let ready: Promise<BenchRuntime[]> | undefined;
  let server: Promise<PostgresServer> | undefined;
  const installed = (): Promise<InstalledLibraries> => libraries ??= installLibraries(progress);
  const runtimes = (): Promise<BenchRuntime[]> => ready ??= prepareRuntimes(kinds, installed, progress);
  const database: Run["database"] = async () => ({
    [DATABASE]: (await (server ??= startPostgres(findPostgres()))).url,
  });
  const run: Run = { topics, durations: quick ? QUICK : FULL, busy, installed, runtimes, database, progress };
  try {
    for (const [asked, compare] of TABLES) {
      if (asked.some((topic) => topics.has(topic))) yield* [await compare(run)].flat();
    }
  } finally {
    await (await server)?.stop();
    await (await libraries)?.remove();
  }
}

if (import.meta.main) {
  const options = readOptions(Deno.args);
  const progress = startProgress();
  const report = [describeMachine(options.quick)];
  printLine(report.join());
  // A table is printed at once: a later one may fail.
  for await (const table of compareAll(options, progress)) {
    report.push(table);
    printLine(`\n${table}`);
  }
  if (options.write) await saveReport(report.join("\n\n"));
  progress("done");
}
