/**
 * Calls functions of the application, so that what they throw is logged with their name.
 *
 * @module
 */
import { AuthError, CallbackRouteError } from "./errors.ts";
import type { Awaitable } from "./model.ts";

/**
 * Calls a callback of the configuration.
 *
 * @param name Its name in `callbacks`.
 * @throws {CallbackRouteError} with the code `callback-threw` if it throws anything but an error of the service.
 */
export async function callBack<T>(name: string, call: () => Awaitable<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof AuthError) throw cause;
    throw new CallbackRouteError(`\`callbacks.${name}\` failed`, { cause, logCode: "callback-threw" });
  }
}
