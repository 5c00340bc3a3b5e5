/**
 * Loads what answers failures. Most programs never need it.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { AuthError, CallbackRouteError } from "../kernel/errors.ts";
import { type Load, once } from "../kernel/load.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import { printPlainly } from "../kernel/plain_log.ts";

/** What answers failures. */
export const failures: Load<typeof import("./error_outcomes.ts")> = once(() => import("./error_outcomes.ts"));

/** Loads what answers failures. If that fails as well, the log has at least the first error. */
export async function failuresFor(
  { logger }: Pick<ResolvedConfig, "logger">,
  subject: LogSubject,
  thrown: unknown,
): ReturnType<typeof failures> {
  try {
    return await failures();
  } catch {
    const error = thrown instanceof AuthError ? thrown : new CallbackRouteError(UNEXPECTED, { cause: thrown });
    logger.error(error, subject);
    throw error;
  }
}

/** Makes an error of what was thrown where even the log may fail to load. The query of a URL may hold secrets. */
export function unloaded(thrown: unknown): AuthError {
  const [reason = ""] = thrown instanceof Error ? String(thrown.message).split("?") : [];
  printPlainly("callback-route-error", `${UNEXPECTED}: ${JSON.stringify(reason.slice(0, 500))}`);
  return new CallbackRouteError(UNEXPECTED, { cause: thrown });
}

const UNEXPECTED = "Cannot answer: something failed unexpectedly";
