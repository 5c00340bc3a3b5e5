/**
 * Calls into the developer's code.
 *
 * @module
 */
import { withDeadline } from "../kernel/deadline.ts";
import type { Awaitable } from "../kernel/model.ts";
import type { RequestContext } from "./context.ts";

/**
 * Runs a callback of the developer within `timeouts.request` seconds.
 *
 * @param ctx The request.
 * @param what The callback, for the error of one that takes longer.
 * @param run Calls it.
 * @param wrap Makes the error of whatever it throws, or of the {@linkcode Timeout}.
 */
export async function callUser<T>(
  { config: { runtime, timeouts } }: Pick<RequestContext, "config">,
  what: string,
  run: () => Awaitable<T>,
  wrap: (error: unknown) => Error,
): Promise<T> {
  try {
    return await withDeadline(runtime, timeouts.request, what, run);
  } catch (error) {
    throw wrap(error);
  }
}
