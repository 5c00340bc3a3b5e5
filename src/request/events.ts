/**
 * Calls the handlers of `events`.
 *
 * @module
 */
import type { Events } from "../contract/config.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { EventError } from "../kernel/errors.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import type { ResolvedConfig } from "../config/resolve.ts";

type Message<Name extends keyof Events> = Parameters<NonNullable<Events[Name]>>[0];

/** Events that come when the answer is decided: it does not depend on their handlers. */
const DECIDED: ReadonlySet<keyof Events> = new Set(["signIn", "signOut", "session"] as const);

/** The share of `timeouts.total` that a decided answer waits for handlers. */
const SHARE = 3 / 4;

/** Seconds that an answer waits for what does not change it. */
export function longestWait({ event, total }: ResolvedConfig["timeouts"]): number {
  return Math.min(event, total * SHARE);
}

/**
 * Calls the handler of an event and waits for it at most `timeouts.event`. If the answer is decided, it waits for less than
 * `timeouts.total`, so that the answer is sent even if a handler hangs.
 *
 * What it returns is ignored. An error or a timeout is logged as `EventError` and changes nothing else.
 */
export async function emit<Name extends keyof Events>(
  { events, runtime, timeouts, logger }: Pick<ResolvedConfig, "events" | "runtime" | "timeouts" | "logger">,
  name: Name,
  message: Message<Name>,
  subject?: LogSubject,
): Promise<void> {
  const handler = events[name] as ((message: Message<Name>) => unknown) | undefined;
  if (!handler) return;
  const limit = DECIDED.has(name) ? longestWait(timeouts) : timeouts.event;
  try {
    await withDeadline(runtime, limit, `events.${name}`, () => handler.call(events, message));
  } catch (error) {
    logger.error(new EventError(`Event handler "${name}" failed`, { cause: error }), subject);
  }
}
