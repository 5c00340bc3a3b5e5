/**
 * The handler of an engine.
 *
 * @module
 */
import type { Handler } from "../contract/handler.ts";
import { answersDirectly } from "../http/asked.ts";
import type { Engine } from "./engine.ts";
import { respond, written } from "./respond.ts";

/** Makes the handler. A server without `Request` and `Response` may ask the engine itself. */
export function handlerOf(engine: Engine): Handler {
  const handler: Handler = async (request, info) => await respond(await engine.run(request, info));
  return answersDirectly(handler, async (asked) => await written(await engine.run(asked)));
}
