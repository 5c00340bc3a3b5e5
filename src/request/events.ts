/**
 * Tells what happened: the handlers of `events`, and the features.
 *
 * @module
 */
import type { Events } from "../contract/config.ts";
import { type Deadline, withDeadline } from "../kernel/deadline.ts";
import { EventError } from "../kernel/errors.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import type { Awaitable } from "../kernel/model.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { AuthEvent, Details } from "./happened.ts";
import { pointsOf } from "./points.ts";

/** The handlers that are told, by what they are told of. */
const HANDLERS = {
  signIn: "signIn",
  signOut: "signOut",
  userCreated: "createUser",
  userChanged: "updateUser",
  userDeleted: "deleteUser",
  accountLinked: "linkAccount",
  passkeyAdded: "linkAccount",
  accountUnlinked: "unlinkAccount",
  passkeyRemoved: "unlinkAccount",
  sessionRead: "session",
  limited: "limited",
} as const satisfies Partial<Record<Told, keyof Events>>;

/** What can be told. A session that is read changes nothing, so features are not told of it. */
type Told = AuthEvent["type"] | "sessionRead";

type Message<Name extends keyof Events> = Parameters<NonNullable<Events[Name]>>[0];

/** Something that happened. Nothing of it is made unless somebody listens. */
export interface Happening<Type extends Told> {
  readonly type: Type;
  /** Makes what features are told. `null` if it is nothing to them. */
  readonly event: Type extends AuthEvent["type"] ? (() => Awaitable<Details<Type>>) | null : null;
  /** Makes what the handler of `events` is told. It may hold secrets, so features never get it. */
  readonly message: Type extends keyof typeof HANDLERS ? () => Message<typeof HANDLERS[Type]> : null;
}

/** The request that it happened in, with the deadline of its answer. */
export interface EventSubject extends LogSubject {
  readonly deadline?: Pick<Deadline, "left"> | undefined;
}

/**
 * Tells what has happened, once it is stored. Everything that happened is told here.
 *
 * What listeners return is ignored. An error or a timeout is logged as `EventError` and changes nothing else.
 */
export async function tell<Type extends Told>(
  config: ResolvedConfig,
  { type, event, message }: Happening<Type>,
  subject?: EventSubject,
): Promise<void> {
  const name = (HANDLERS as Partial<Record<Told, keyof Events>>)[type];
  await Promise.all([
    name && message && config.events[name] && emit(config, name, message(), subject),
    event && config.actsAt.has("changed") && tellFeatures(config, type, event, subject),
  ]);
}

/** Events that come when the answer is decided: it does not depend on their handlers. */
const DECIDED: ReadonlySet<keyof Events> = new Set(
  ["deleteUser", "unlinkAccount", "signIn", "signOut", "session", "limited"] as const,
);

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

/**
 * Tells the features, each for at most `timeouts.event`. The answer waits for less than what is left of its time: then it
 * is sent, and they go on.
 */
async function tellFeatures(
  config: ResolvedConfig,
  type: Told,
  make: () => Awaitable<object>,
  subject: EventSubject | undefined,
): Promise<void> {
  const { features, runtime, timeouts, logger } = config;
  const time = new Date(runtime.now());
  const fail = (cause: unknown): void => {
    logger.error(new EventError(`Cannot tell a feature of "${type}"`, { cause }), subject);
  };
  const tellAll = async (): Promise<void> => {
    const [all, details] = await Promise.all([pointsOf({ features }), make()]);
    const event = Object.freeze({ type, time, ...details }) as AuthEvent;
    await Promise.all(all.map(({ changed }) => {
      return changed &&
        withDeadline(runtime, timeouts.event, "a feature", () => changed(config, event, subject)).catch(fail);
    }));
  };
  const left = subject?.deadline?.left ?? timeouts.total;
  let stop = (): void => {};
  const enough = new Promise<void>((resolve) => stop = runtime.timer(left * SHARE, resolve));
  await Promise.race([tellAll().catch(fail), enough]);
  stop();
}
