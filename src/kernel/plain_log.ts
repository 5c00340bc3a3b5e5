// deno-lint-ignore-file no-console -- the console is what this file is for
/**
 * Lines of the log without data of a request, so that nothing has to be redacted. For code that every program loads; all
 * other code uses `logger.ts`.
 *
 * @module
 */
import type { LogCode } from "./log_codes.ts";
import type { Logger } from "./logger.ts";

/** Logs a warning whose text is our own. Never throws. */
export function warnPlainly(logger: Partial<Logger> | undefined, code: LogCode, message: string): void {
  try {
    if (typeof logger?.warn !== "function") return console.warn(`[auth][warn] ${code}: ${message}`);
    const pending: unknown = logger.warn(code, message, { level: "warn", code, message });
    // A logger may be asynchronous although its type says otherwise.
    if (pending instanceof Promise) pending.catch(() => {});
  } catch {
    // The failure of a log cannot be logged.
  }
}

/** Prints an error whose text is our own. */
export function printPlainly(code: LogCode, message: string): void {
  console.error(`[auth][error] ${code}: ${message}`);
}
