/**
 * Tells what is limited: one event and one line of the log for a bucket and a while, not for each request.
 *
 * @module
 */
import { BoundedMap } from "../kernel/bounded_map.ts";
import type { RequestContext } from "../request/context.ts";
import { tell } from "../request/events.ts";
import type { Act, Standing } from "./acts.ts";
import type { Refusal } from "./ledger.ts";

/** Milliseconds in which a bucket is told once. */
const WINDOW = 15 * 60 * 1000;

/** The most buckets that are told in that time: strangers choose how many there are. */
const MOST = 30;

/** What was told. */
export class Told {
  readonly #last = new BoundedMap<string, number>(1000);
  #began = -Infinity;
  #count = 0;

  /** Whether a bucket is to be told now. */
  isNew(key: string, now: number): boolean {
    if (now - this.#began >= WINDOW) [this.#began, this.#count] = [now, 0];
    const last = this.#last.get(key);
    if ((last !== undefined && now - last < WINDOW) || this.#count >= MOST) return false;
    this.#last.set(key, now);
    this.#count += 1;
    return true;
  }
}

interface Limited {
  readonly act: Act;
  readonly provider: string;
  readonly refused: readonly Refusal<Standing>[];
  readonly told: Told;
}

const NAMES: Readonly<Record<Act, string>> = {
  code: "guesses at codes",
  credentials: "attempts with credentials",
  password: "guesses at passwords",
  factor: "guesses at second factors",
  registration: "registrations",
  logout: "logout tokens that are not valid",
  mail: "emails",
};

/** Tells that something is limited, unless it was told a while ago. Neither says whose account or address it is. */
export async function tellLimited(ctx: RequestContext, { act, provider, refused, told }: Limited): Promise<void> {
  const now = ctx.config.runtime.now();
  for (const { bucket: { key, name }, until } of refused) {
    if (!told.isNew(key, now)) continue;
    const seconds = Math.max(1, Math.ceil((until - now) / 1000));
    const message = `There were too many ${NAMES[act]}: the bucket "${name}" (${key.slice(0, 8)}) is empty for ` +
      `${seconds} seconds`;
    ctx.config.logger.warn("too-many-attempts", message, ctx);
    const make = () => ({ act, by: name, provider });
    await tell(ctx.config, { type: "limited", event: make, message: make }, ctx);
  }
}
