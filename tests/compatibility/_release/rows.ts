/**
 * Rows in the form that adapters are given them: as the operations that stored them.
 *
 * @module
 */
import type { Adapter } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";

/** An operation that changed storage, and what it was given. */
export type Step = readonly [operation: string, ...args: readonly unknown[]];

type Operations = Record<string, (...args: readonly unknown[]) => unknown>;

/** A storage that records what changes it. Without plans, so that each row is an operation that every adapter has. */
export function recordingAdapter(): { adapter: Adapter; steps: Step[] } {
  const { commit: _commit, once: _once, ...operations } = memoryAdapter();
  const steps: Step[] = [];
  const adapter = Object.fromEntries(
    Object.entries(operations as unknown as Operations).map(([name, operation]) => [name, (...args: unknown[]) => {
      if (!/^(?:get|list)/.test(name)) steps.push([name, ...args]);
      return operation(...args);
    }]),
  );
  return { adapter: adapter as Adapter, steps };
}

/** A storage in which the same was done. */
export async function replayed(steps: readonly Step[], now: () => number): Promise<Adapter> {
  const { commit: _commit, once: _once, ...adapter } = memoryAdapter({ now });
  for (const [name, ...args] of steps) {
    const operation = (adapter as unknown as Operations)[name];
    if (!operation) throw new Error(`The adapter has no operation "${name}"`);
    await operation(...args.map(withDates));
  }
  return adapter;
}

function withDates(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, member) => isDate(member) ? new Date(member) : member);
}

function isDate(value: unknown): value is string {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
}
