/**
 * Waiting for a database that somebody else uses.
 *
 * @module
 */
import { pause } from "../../src/kernel/deadline.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import type { Runtime } from "../../src/kernel/runtime.ts";

/** What waiting needs: a timer, and chance, so that those who wait do not meet again. */
export type Waiting = Pick<Runtime, "random" | "timer">;

/** What standing in line needs beside that. */
export type LineRuntime = Waiting & Pick<Runtime, "now">;

/** How long somebody waits for a file. */
export interface Patience {
  /** Clock, timer and chance. */
  readonly waiting: LineRuntime;
  /** Milliseconds, in all. */
  readonly busyTimeout: number;
}

/** What is done to a file, and how. */
export interface Turn<Result> {
  /** Names the file; `null` if nobody else can lock it. */
  readonly place: string | null;
  /** Whether it only reads. */
  readonly reads: boolean;
  /** Does it, as often as it takes: what fails because the file is locked has done nothing. */
  readonly attempt: () => Promise<Result>;
}

/** Those who wait for one file. */
interface Line {
  /** When the program was last free for anything else. */
  readonly free: { since: number };
  readonly end: Promise<void>;
}

type Lines = Map<string, Line>;

const readers: Lines = new Map();
const writers: Lines = new Map();

/**
 * Does something to a file as soon as it is not locked.
 *
 * Writers of this process take turns: only the first of them asks for the lock, whichever adapters they come from.
 * Readers go ahead, because nobody who writes is in their way; they form a line of their own behind the first that
 * finds the file locked for readers too.
 *
 * @throws {AdapterError} if it stays locked.
 */
export async function inTurn<Result>(patience: Patience, { place, reads, attempt }: Turn<Result>): Promise<Result> {
  if (place === null) return await attempt();
  if (!reads) return await lineUp(patience, writers, { place, attempt });
  try {
    return await attempt();
  } catch (error) {
    if (!isLocked(error)) throw error;
    return await lineUp(patience, readers, { place, attempt });
  }
}

/** Milliseconds of turns in a row, after which requests get a chance that need nothing of the file. */
const LONGEST_ROW = 10;

async function lineUp<Result>(
  patience: Patience,
  lines: Lines,
  { place, attempt }: { readonly place: string; readonly attempt: () => Promise<Result> },
): Promise<Result> {
  const { waiting } = patience;
  const before = lines.get(place);
  const free = before?.free ?? { since: waiting.now() };
  const take = async (): Promise<Result> => {
    if (!before) return await untilFree(patience, attempt);
    const time = startTime(patience);
    try {
      await before.end;
      if (Math.abs(waiting.now() - free.since) >= LONGEST_ROW) {
        await pause(waiting, 0);
        free.since = waiting.now();
      }
      return await untilFree(patience, attempt, time);
    } finally {
      time.stop();
    }
  };
  const turn = take();
  const line = { free, end: turn.then(ignore, ignore) };
  lines.set(place, line);
  try {
    return await turn;
  } finally {
    if (lines.get(place) === line) lines.delete(place);
  }
}

function ignore(): void {}

/** Seconds between two tries: at first, and at most. */
const PAUSES = { first: 0.001, most: 0.016 };

/** Tries until the file is free or the time is up, and lets everything else go on meanwhile. */
export async function untilFree<Result>(
  patience: Patience,
  attempt: () => Result | Promise<Result>,
  given?: Time,
): Promise<Result> {
  let time = given;
  try {
    for (let tries = 0;; tries += 1) {
      // Nobody who waited in line for too long asks once more: a hundred of them would ask in a row.
      if (time?.isUp()) throw new AdapterError(LOCKED);
      try {
        return await attempt();
      } catch (error) {
        if (!isLocked(error)) throw error;
        if (time?.isUp()) throw new AdapterError(LOCKED, { cause: error });
      }
      time ??= startTime(patience);
      await pause(patience.waiting, Math.min(PAUSES.most, PAUSES.first * 2 ** tries));
    }
  } finally {
    if (!given) time?.stop();
  }
}

const LOCKED = "Cannot use storage: the database is locked by another process for longer than `busyTimeout`";

interface Time {
  readonly isUp: () => boolean;
  readonly stop: () => void;
}

function startTime({ waiting, busyTimeout }: Patience): Time {
  let up = false;
  const stop = waiting.timer(busyTimeout / 1000, () => up = true);
  return { isUp: () => up, stop };
}

// The text is SQLite's own; the codes beside it are spelled differently by every driver, or missing.
function isLocked(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AdapterError) return false;
  return /database (?:table |schema )?is locked|locking protocol/.test(error.message);
}
