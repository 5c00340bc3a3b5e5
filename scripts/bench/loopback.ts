/**
 * Compares servers over HTTP on this machine.
 *
 * @module
 */
import { type Comparison, writeTable } from "./comparison.ts";
import { CONCLUSIONS } from "./conclusions.ts";
import type { FootnoteName } from "./footnotes.ts";
import { load } from "./packages.ts";
import { LOOPBACK_QUESTIONS, type LoopbackQuestion } from "./loopback_questions.ts";
import type { Announcement, LoopbackRequest, ServerInput } from "./loopback_server.ts";
import { collectGarbage, inTurns } from "./measure.ts";
import type { Progress } from "./report.ts";
import { type BenchRuntime, startProgram, textOf } from "./runtimes.ts";
import { canServe, type ServerName, SERVERS } from "./serving.ts";
import { ourHeaders } from "./sides/mod.ts";
import { NAMES, type SideName } from "./sides/side.ts";

interface Autocannon {
  readonly default: (options: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly connections: number;
    readonly amount: number;
    readonly sampleInt: number;
  }) => LoadRun;
}

interface LoadRun extends PromiseLike<{ readonly errors: number; readonly non2xx: number }> {
  on(event: "start" | "response", act: () => void): void;
}

/** How long to measure. */
export interface LoopbackTiming {
  readonly rounds: number;
  /** How long a turn lasts, in milliseconds. */
  readonly turn: number;
}

const CONNECTIONS = 10;
const LABELS: Readonly<Record<LoopbackQuestion, string>> = {
  "session-none": "GET session, no cookie",
  "session-known": "GET session, cookie seen before",
  "csrf-known": "GET csrf, its cookie comes along",
};

/** Compares the requests per second of servers on each runtime. */
export async function compareServers(
  runtimes: readonly BenchRuntime[],
  timing: LoopbackTiming,
  progress: Progress,
): Promise<string[]> {
  const tables: string[] = [];
  for (const runtime of runtimes) {
    const rows: Comparison[] = [];
    for (const server of SERVERS[runtime.kind]) rows.push(...await compareWith(runtime, server, timing, progress));
    const title = `Requests per second over loopback HTTP on ${runtime.name}, ${CONNECTIONS} connections`;
    const conclusion = CONCLUSIONS.http[runtime.kind];
    tables.push(writeTable({ title, rows, show: (rate) => rate.toFixed(0), moreIsBetter: true, conclusion }));
  }
  return tables;
}

async function compareWith(
  runtime: BenchRuntime,
  server: ServerName,
  timing: LoopbackTiming,
  progress: Progress,
): Promise<Comparison[]> {
  const headers = await ourHeaders();
  const servers: Server[] = [];
  try {
    for (const side of NAMES.filter((name) => canServe(server, name))) {
      servers.push(await startServer(runtime, { side, server, headers }));
    }
    const rows: Comparison[] = [];
    for (const question of LOOPBACK_QUESTIONS) {
      progress(`${runtime.name}: ${LABELS[question]}, over ${server}`);
      rows.push(await compare(servers, `${server}: ${LABELS[question]}`, question, timing));
    }
    return rows;
  } finally {
    for (const { process } of servers) await stop(process);
  }
}

interface Server {
  readonly name: SideName;
  readonly process: Deno.ChildProcess;
  readonly announced: Announcement;
}

async function startServer(runtime: BenchRuntime, input: ServerInput): Promise<Server> {
  const process = startProgram(runtime, "loopback_server.ts", input);
  // Read to the end, so that the server can always write.
  const errors = textOf(process.stderr, () => {});
  const announced = await new Promise<Announcement>((resolve, reject) => {
    const ended = async (): Promise<void> => {
      reject(new Error(`Cannot compare servers: the one of ${input.side} did not start. ${await errors}`));
    };
    textOf(process.stdout, (line) => resolve(JSON.parse(line) as Announcement)).then(ended, reject);
  });
  return { name: input.side, process, announced };
}

async function stop(process: Deno.ChildProcess): Promise<void> {
  process.kill();
  await process.status;
}

async function compare(
  servers: readonly Server[],
  name: string,
  question: LoopbackQuestion,
  { rounds, turn }: LoopbackTiming,
): Promise<Comparison> {
  const ready = [];
  for (const contender of servers) {
    const request = contender.announced.requests[question];
    if (!request) continue;
    const url = `http://127.0.0.1:${contender.announced.port}${request.path}`;
    await checkAnswer(contender.name, url, request);
    const warm = await measureRate(url, request, 1000);
    const rate = await measureRate(url, request, Math.ceil(warm / 2));
    ready.push({ contender, url, request, amount: Math.ceil(rate * turn / 1000) });
  }
  const results = await inTurns(ready, rounds, ({ url, request, amount }) => measureRate(url, request, amount));
  const notes: FootnoteName[] = [];
  if (name.startsWith("Express") && results.has("@auth/core")) notes.push("express");
  if (results.has("floor")) notes.push("floor");
  return { name, rounds: results, notes };
}

async function checkAnswer(name: SideName, url: string, { headers, begin }: LoopbackRequest): Promise<void> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (response.ok && text.startsWith(begin)) return;
  throw new Error(`Cannot compare servers: the one of ${name} answers ${response.status} ${text.slice(0, 200)}`);
}

/** Sends requests and returns how many were answered per second. */
async function measureRate(url: string, { headers }: LoopbackRequest, amount: number): Promise<number> {
  const { default: autocannon } = await load<Autocannon>("autocannon");
  collectGarbage();
  // autocannon notices late that it is done, so the time of the last answer counts.
  const run = autocannon({ url, headers, connections: CONNECTIONS, amount, sampleInt: 50 });
  let [start, end, answers] = [0, 0, 0];
  run.on("start", () => start = performance.now());
  run.on("response", () => {
    answers++;
    end = performance.now();
  });
  const { errors, non2xx } = await run;
  if (errors > 0 || non2xx > 0 || answers < amount) {
    throw new Error(`Cannot compare servers: requests to ${url} failed`);
  }
  return answers * 1000 / (end - start);
}
