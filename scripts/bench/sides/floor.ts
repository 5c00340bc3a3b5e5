/**
 * The floor: the least that an answer with these headers can cost. It reads the cookie header and answers `null`.
 *
 * @module
 */
import { ask, says, type Side } from "./side.ts";

/** Makes the service from the headers that it should answer with. */
export function floor(headers: Iterable<[string, string]>): Side {
  // A copy of a response costs less than a response with these headers.
  const template = new Response("null", { headers: new Headers([...headers]) });
  const answer = (request: Request): Response => {
    request.headers.get("cookie");
    return template.clone();
  };
  const asks = (cookie?: string) => () => {
    return Promise.resolve({ request: () => ask("session", cookie), status: 200, fault: says(/^null$/) });
  };
  return {
    name: "floor",
    answer,
    asks: { "session-none": asks(), "session-known": asks("authjs.session-token=eyJ") },
  };
}
