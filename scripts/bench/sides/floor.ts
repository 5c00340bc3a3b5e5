/**
 * The floor: the least that an answer with our headers can cost. It reads the cookie header and answers `null`.
 *
 * @module
 */
import { answersWith, authRequest, type Side } from "./side.ts";

/** Makes the service. @param headers The headers of its answers. */
export function floor(headers: Iterable<[string, string]>): Side {
  // A clone costs less than a new response with these headers.
  const template = new Response("null", { headers: new Headers([...headers]) });
  const answer = (request: Request): Response => {
    request.headers.get("cookie");
    return template.clone();
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
