/**
 * The floor: the least that an answer with our headers can cost. It reads the cookie header and answers `null`.
 *
 * @module
 */
import { thisRuntime } from "../runtime_kind.ts";
import { answersWith, authRequest, type Side } from "./side.ts";

/** Makes the service. @param headers The headers of its answers. */
export function floor(headers: Iterable<[string, string]>): Side {
  const init = { headers: new Headers([...headers]) };
  const template = new Response("null", init);
  // On Deno a clone costs less than a new response with these headers; elsewhere it costs more.
  const make = thisRuntime() === "deno" ? () => template.clone() : () => new Response("null", init);
  const answer = (request: Request): Response => {
    request.headers.get("cookie");
    return make();
  };
  const question = (cookie?: string) => () => {
    return Promise.resolve({
      request: () => authRequest("session", cookie),
      status: 200,
      problemOf: answersWith(/^null$/),
    });
  };
  return {
    name: "floor",
    answer,
    questions: { "session-none": question(), "session-known": question("authjs.session-token=eyJ") },
  };
}
