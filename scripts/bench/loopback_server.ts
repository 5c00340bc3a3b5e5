/**
 * Serves one side in a process of its own. Its arguments are the name of the side and the headers of the floor; the
 * first line of its output is an `Announcement`.
 *
 * @module
 */
import { printLine } from "../print.ts";
import { makeSide } from "./sides/mod.ts";
import { NAMES, type QuestionName } from "./sides/side.ts";

/** The questions that are asked over HTTP. */
export const LOOPBACK_QUESTIONS = [
  "session-none",
  "session-known",
  "csrf-known",
] as const satisfies readonly QuestionName[];

/** A request to send, and the beginning of the expected answer. */
export interface LoopbackRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly begin: string;
}

/** Where the server listens, and what to ask it. */
export interface Announcement {
  readonly port: number;
  readonly requests: Readonly<Partial<Record<QuestionName, LoopbackRequest>>>;
}

async function serve(given: string | undefined, headers: Iterable<[string, string]>): Promise<void> {
  const side = NAMES.find((each) => each === given);
  if (!side) throw new TypeError(`There is no side "${given}"`);
  const { answer, questions } = await makeSide(side, { kind: "github", count: 1 }, headers);
  const requests: Partial<Record<QuestionName, LoopbackRequest>> = {};
  for (const name of LOOPBACK_QUESTIONS) {
    const question = await questions[name]?.();
    if (!question) continue;
    const request = question.request(0);
    const response = await answer(request);
    const text = await response.clone().text();
    const problem = response.status === question.status ? await question.problemOf(response) : `has ${response.status}`;
    if (problem) throw new Error(`Cannot serve: the answer of ${side} ${problem}`);
    const { pathname, search } = new URL(request.url);
    // Each answer has another time at which the session expires, but the same beginning.
    requests[name] = { path: pathname + search, headers: Object.fromEntries(request.headers), begin: text.slice(0, 8) };
  }
  const onListen = ({ port }: Deno.NetAddr): void =>
    printLine(JSON.stringify({ port, requests } satisfies Announcement));
  Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, (request) => answer(request));
}

if (import.meta.main) {
  const [name, headers = "[]"] = Deno.args;
  await serve(name, JSON.parse(headers) as [string, string][]);
}
