/**
 * Which services have a guard. Without one, `protect` protects nothing.
 *
 * @module
 */
import type { AuthConfigSource } from "../contract/config.ts";
import type { Warning } from "../config/warning.ts";

const guarded = new WeakSet<object>();

/** Notes that somebody guards with a configuration. */
export function noteGuard(source: AuthConfigSource): void {
  // What is no configuration is refused at the first request.
  if (Object(source) === source) guarded.add(source);
}

/** Whether somebody guards with a configuration. */
export function hasGuard(source: AuthConfigSource): boolean {
  return guarded.has(source);
}

/** What is said where nobody does. */
export const UNGUARDED: Warning = [
  "guard-missing",
  "`protect` is set, and nothing guards with it: serve the handler that `auth(handler)` makes, or use the `middleware` " +
  "of your framework's binding",
];
