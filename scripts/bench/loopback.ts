/**
 * Compares servers over HTTP on this machine.
 *
 * @module
 */
import { type Comparison, writeTable } from "./comparison.ts";
import { load } from "./packages.ts";
import { type Announcement, LOOPBACK_QUESTIONS, type LoopbackRequest } from "./loopback_server.ts";
import { collectGarbage, inTurns } from "./measure.ts";
import type { Progress } from "./report.ts";
import { ourHeaders } from "./sides/mod.ts";
import { NAMES, type QuestionName, type SideName } from "./sides/side.ts";

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
const TITLE = `Requests per second over loopback HTTP, ${CONNECTIONS} connections`;
const LABELS: Readonly<Record<typeof LOOPBACK_QUESTIONS[number], string>> = {
  "session-none": "GET session, no cookie",
  "session-known": "GET session, cookie seen before",
  "csrf-known": "GET csrf, its cookie comes along",
};

/** Compares the requests per second of servers. */
export async function compareServers(timing: LoopbackTiming, progress: Progress): Promise<string> {
  const headers = JSON.stringify(await ourHeaders());
  const servers: Server[] = [];
  try {
    for (const name of NAMES) servers.push(await startServer(name, headers));
    const rows: Comparison[] = [];
    for (const question of LOOPBACK_QUESTIONS) {
      progress(`${LABELS[question]}, over HTTP`);
      rows.push(await compare(servers, question, timing));
    }
    return writeTable({ title: TITLE, rows, show: (rate) => rate.toFixed(0), moreIsBetter: true });
  } finally {
    for (const { process } of servers) await stop(process);
  }
}

interface Server {
  readonly name: SideName;
  readonly process: Deno.ChildProcess;
  readonly announced: Announcement;
}

async function startServer(name: SideName, headers: string): Promise<Server> {
  const script = new URL("./loopback_server.ts", import.meta.url).pathname;
  const flags = ["run", "--no-check", "--no-lock", "--no-prompt", "--allow-net", "--allow-env", "--allow-read"];
  const args = [...flags, script, name, headers];
  const process = new Deno.Command(Deno.execPath(), { args, stdin: "null", stdout: "piped" }).spawn();
  let text = "";
  for await (const part of process.stdout.pipeThrough(new TextDecoderStream()).values({ preventCancel: true })) {
    text += part;
    if (text.includes("\n")) return { name, process, announced: JSON.parse(text) as Announcement };
  }
  throw new Error(`Cannot compare servers: the one of ${name} did not start`);
}

async function stop(process: Deno.ChildProcess): Promise<void> {
  process.kill();
  await process.status;
}

async function compare(
  servers: readonly Server[],
  question: QuestionName,
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
  return {
    name: LABELS[question as keyof typeof LABELS],
    rounds: results,
    notes: results.has("floor") ? ["floor"] : [],
  };
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
