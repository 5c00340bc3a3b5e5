/**
 * What can be used once: by a mark in storage, or in the memory of this process where there is none.
 *
 * @module
 */
import { AdapterError } from "../kernel/errors.ts";
import type { RequestContext } from "../request/context.ts";

/** The most marks in memory. To set as many, somebody has to solve as many challenges within minutes. */
const MOST_MARKS = 100_000;

/** Marks in memory, and when each of them ends, in milliseconds since 1970. The oldest goes first. */
const marks = new Map<string, number>();

/** What it depends on. */
export type SpendContext = Pick<RequestContext, "config">;

/**
 * Uses something up.
 *
 * @param key What it is. It holds no secret and no address: storage keeps it.
 * @param expires When nobody can use it any more.
 * @returns `true` to the first caller only.
 */
export async function spend(ctx: SpendContext, key: string, expires: Date): Promise<boolean> {
  const { storage, logger, runtime } = ctx.config;
  if (storage?.once) {
    try {
      return await storage.once(key, expires);
    } catch (error) {
      // Whoever is asked for a challenge can still sign in while storage is down, as everybody else can.
      if (!(error instanceof AdapterError)) throw error;
      logger.error(error);
    }
  }
  return spendInMemory(key, expires.getTime(), runtime.now());
}

function spendInMemory(key: string, expires: number, now: number): boolean {
  for (const [old, end] of marks) {
    if (end > now) break;
    marks.delete(old);
  }
  // A mark that is forgotten too early could be set again, so nothing is forgotten and nothing more is accepted.
  if (marks.has(key) || marks.size >= MOST_MARKS) return false;
  marks.set(key, expires);
  return true;
}
