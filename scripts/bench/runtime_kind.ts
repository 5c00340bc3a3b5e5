/**
 * The runtimes that are measured.
 *
 * @module
 */

/** The runtimes, in the order of the tables. */
export const RUNTIME_KINDS = ["deno", "node", "bun"] as const;

/** A runtime. */
export type RuntimeKind = typeof RUNTIME_KINDS[number];

/** The runtime that this program runs on. */
export function thisRuntime(): RuntimeKind {
  if ("Deno" in globalThis) return "deno";
  return "Bun" in globalThis ? "bun" : "node";
}
