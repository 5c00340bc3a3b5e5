/**
 * The names of all variables of the environment. They are for a line of the log, so this is not part of the runtime, which
 * every program loads.
 *
 * @module
 */
import { systemRuntime } from "./runtime.ts";

interface Host {
  readonly Deno?: {
    readonly env: { toObject(): object };
    readonly permissions: { querySync(descriptor: { name: "env" }): { state: string } };
  };
  readonly process?: { readonly env?: object };
}

/**
 * Lists the names of variables.
 *
 * @param readEnv What reads a variable. Of an environment that is not the system's no names are known.
 * @returns Nothing without permission to read all variables.
 */
export function variableNames(readEnv: (name: string) => string | undefined): readonly string[] {
  if (readEnv !== systemRuntime.env) return [];
  const { Deno, process } = globalThis as unknown as Host;
  if (!Deno) return Object.keys(process?.env ?? {});
  return Deno.permissions.querySync({ name: "env" }).state === "granted" ? Object.keys(Deno.env.toObject()) : [];
}
