/**
 * Serves one side in a process of its own. Its input is a {@linkcode ServerInput}; the first line of its output is an
 * `Announcement`.
 *
 * @module
 */
import { printLine } from "../print.ts";
import type { LoopbackQuestion } from "./loopback_questions.ts";
import { LOOPBACK_QUESTIONS } from "./loopback_questions.ts";
import { readInput } from "./program.ts";
import { type FloorHeaders, listen, type ServerName } from "./serving.ts";
import { makeSide } from "./sides/mod.ts";
import type { Setup, Side, SideName } from "./sides/side.ts";

/** What to serve. */
export interface ServerInput {
  readonly side: SideName;
  readonly server: ServerName;
  /** The headers of the floor. */
  readonly headers: FloorHeaders;
}

/** A request to send, and the beginning of the expected answer. */
export interface LoopbackRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly begin: string;
}

/** Where the server listens, and what to ask it. */
export interface Announcement {
  readonly port: number;
  readonly requests: Readonly<Partial<Record<LoopbackQuestion, LoopbackRequest>>>;
}

const SETUP: Setup = { kind: "github" };

async function serve({ side: name, server, headers }: ServerInput): Promise<void> {
  const side = await makeSide(name, SETUP, headers.map(([key, value]) => [key, value]));
  const requests = await requestsFor(side);
  const port = await listen(server, side, SETUP, headers);
  printLine(JSON.stringify({ port, requests } satisfies Announcement));
}

async function requestsFor({ name: side, answer, questions }: Side): Promise<Announcement["requests"]> {
  const requests: Partial<Record<LoopbackQuestion, LoopbackRequest>> = {};
  for (const name of LOOPBACK_QUESTIONS) {
    const question = await questions[name]?.();
    if (!question) continue;
    const request = await question.request(0);
    const response = await answer(request);
    const text = await response.clone().text();
    const problem = response.status === question.status ? await question.problemOf(response) : `has ${response.status}`;
    if (problem) throw new Error(`Cannot serve: the answer of ${side} ${problem}`);
    const { pathname, search } = new URL(request.url);
    // Each answer has another time at which the session expires, but the same beginning.
    requests[name] = { path: pathname + search, headers: Object.fromEntries(request.headers), begin: text.slice(0, 8) };
  }
  return requests;
}

await serve(readInput<ServerInput>());
