/**
 * The handler of an engine.
 *
 * @module
 */
import type { Handler } from "../contract/handler.ts";
import { answersDirectly, type Incoming } from "../http/asked.ts";
import type { Engine } from "./engine.ts";
import { respond, responseAgain, written } from "./respond.ts";

/** Makes the handler. A server without `Request` and `Response` may ask the engine itself. */
export function handlerOf(engine: Engine): Handler {
  const handler: Handler = async (request, info) => {
    const known = engine.recall(request);
    return known ? responseAgain(known) : await respond(await engine.run(request, info));
  };
  const write = async (asked: Request | Incoming) => await written(await engine.run(asked));
  return answersDirectly(handler, (asked) => engine.recall(asked) ?? write(asked));
}
