/**
 * Waiting for a SQLite file that another connection has locked.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import { pause, type PauseRuntime } from "../../src/kernel/deadline.ts";
import type { Runtime } from "../../src/kernel/runtime.ts";

/** How long to wait for a file, and by which clock. */
export interface LockSettings {
  readonly runtime: PauseRuntime & Pick<Runtime, "now">;
  /** Milliseconds to wait in all. */
  readonly busyTimeout: number;
}

/** What is done to a file. */
export interface Access<Result> {
  /** The path of the file, or what its operations share instead; `null` if no other connection can lock it. */
  readonly path: string | object | null;
  readonly readOnly: boolean;
  /** Does it, as often as it takes: what fails because the file is locked has done nothing. */
  readonly attempt: () => Promise<Result>;
}

/** The operations of this process that wait for one file. */
interface Queue {
  /** When the event loop was last free for anything else. */
  readonly yielded: { at: number };
  readonly end: Promise<void>;
}

type Queues = Map<string | object, Queue>;

const readers: Queues = new Map();
const writers: Queues = new Map();

/**
 * Accesses a file as soon as it is not locked.
 *
 * Writers of this process take turns: only the first of them asks for the lock, whichever adapters they come from.
 * Readers go ahead, because no writer blocks them. They queue up, separately, behind the first reader that finds the
 * file locked for readers too.
 *
 * @throws {AdapterError} if it stays locked.
 */
export async function withFile<Result>(settings: LockSettings, access: Access<Result>): Promise<Result> {
  const { path, readOnly, attempt } = access;
  if (path === null) return await attempt();
  if (!readOnly) return await queueUp(settings, writers, { path, attempt });
  try {
    return await attempt();
  } catch (error) {
    if (!isLocked(error)) throw error;
    return await queueUp(settings, readers, { path, attempt });
  }
}

/** Milliseconds of turns in a row, after which requests get a chance that need nothing of the file. */
const LONGEST_ROW = 10;

async function queueUp<Result>(
  settings: LockSettings,
  queues: Queues,
  { path, attempt }: { readonly path: string | object; readonly attempt: () => Promise<Result> },
): Promise<Result> {
  const { runtime } = settings;
  const before = queues.get(path);
  const yielded = before?.yielded ?? { at: runtime.now() };
  const take = async (): Promise<Result> => {
    if (!before) return await untilUnlocked(settings, attempt);
    const timeout = startTimeout(settings);
    try {
      await before.end;
      if (Math.abs(runtime.now() - yielded.at) >= LONGEST_ROW) {
        await pause(runtime, 0);
        yielded.at = runtime.now();
      }
      return await untilUnlocked(settings, attempt, timeout);
    } finally {
      timeout.stop();
    }
  };
  const turn = take();
  const queue = { yielded, end: turn.then(ignore, ignore) };
  queues.set(path, queue);
  try {
    return await turn;
  } finally {
    if (queues.get(path) === queue) queues.delete(path);
  }
}

function ignore(): void {}

/** Seconds between two tries: at first, and at most. */
const PAUSES = { first: 0.001, most: 0.016 };

/** Tries until the file is not locked or the time is up, without blocking the event loop. */
export async function untilUnlocked<Result>(
  settings: LockSettings,
  attempt: () => Result | Promise<Result>,
  given?: Timeout,
): Promise<Result> {
  let timeout = given;
  try {
    for (let tries = 0;; tries += 1) {
      // Who queued for too long does not try even once: a hundred of them would ask in a row.
      if (timeout?.isOver()) throw new AdapterError(LOCKED);
      try {
        return await attempt();
      } catch (error) {
        if (!isLocked(error)) throw error;
        if (timeout?.isOver()) throw new AdapterError(LOCKED, { cause: error });
      }
      timeout ??= startTimeout(settings);
      await pause(settings.runtime, Math.min(PAUSES.most, PAUSES.first * 2 ** tries));
    }
  } finally {
    if (!given) timeout?.stop();
  }
}

const LOCKED = "Cannot use storage: the database is locked by another process for longer than `busyTimeout`";

interface Timeout {
  readonly isOver: () => boolean;
  readonly stop: () => void;
}

function startTimeout({ runtime, busyTimeout }: LockSettings): Timeout {
  let over = false;
  const stop = runtime.timer(busyTimeout / 1000, () => over = true);
  return { isOver: () => over, stop };
}

// The text is SQLite's own, or Prisma's. The codes beside it are spelled differently by every driver, or missing. Over
// libSQL a statement that found the file locked stays in progress for a moment, and then nothing can be committed.
function isLocked(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AdapterError) return false;
  return /database (?:table |schema )?is locked|locking protocol|SQL statements in progress|Operation has timed out/
    .test(error.message);
}
