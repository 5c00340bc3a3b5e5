/**
 * The floor: the least that an answer with our headers can cost. It reads the cookie header, and where sessions are stored
 * one row, and answers `null`.
 *
 * @module
 */
import { thisRuntime } from "../runtime_kind.ts";
import { floorRead } from "./floor_reads.ts";
import { answersWith, authRequest, type Question, type Setup, type Side } from "./side.ts";

/** Makes the service. @param headers The headers of its answers. */
export async function floor({ store }: Setup, headers: Iterable<[string, string]>): Promise<Side> {
  const init = { headers: new Headers([...headers]) };
  const template = new Response("null", init);
  // On Deno a clone costs less than a new response with these headers; elsewhere it costs more.
  const make = thisRuntime() === "deno" ? () => template.clone() : () => new Response("null", init);
  const answer = (request: Request): Response => {
    request.headers.get("cookie");
    return make();
  };
  const read = store && await floorRead(store);
  if (!read) {
    const questions = store ? {} : { "session-none": question(), "session-known": question(COOKIE) };
    return { name: "floor", answer, questions };
  }
  const readAndAnswer = async (request: Request): Promise<Response> => {
    await read();
    return answer(request);
  };
  return { name: "floor", answer: readAndAnswer, questions: { "session-stored": question(COOKIE) } };
}

const COOKIE = "authjs.session-token=eyJ";

function question(cookie?: string): () => Promise<Question> {
  const request = (): Request => authRequest("session", cookie);
  return () => Promise.resolve({ request, status: 200, problemOf: answersWith(/^null$/) });
}
