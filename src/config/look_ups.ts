/**
 * What a process remembers of the look-ups of sealed sessions, so that most requests need none.
 *
 * @module
 */
import { BoundedMap } from "../kernel/bounded_map.ts";
import { perAdapter } from "./per_adapter.ts";

/** The most sessions, and the most users, that are remembered. What is forgotten is looked up again. */
const CAPACITY = 10_000;

/** Marks a session that was ended. Its id is never used again. */
const ENDED = -1;

/** The look-ups of the sealed sessions in one storage. Times are in milliseconds since 1970. */
export class LookUps {
  readonly #sessions = new BoundedMap<string, number>(CAPACITY);
  readonly #users = new BoundedMap<string, number>(CAPACITY);

  /** When the last look-up began that found a session; 0 if that is not remembered, `null` if it was ended. */
  lastOf(key: string): number | null {
    const time = this.#sessions.get(key) ?? 0;
    return time === ENDED ? null : time;
  }

  /** Notes that a look-up which began at this time found a session. A session that was ended meanwhile stays ended. */
  note(key: string, time: number): void {
    if (this.#sessions.get(key) !== ENDED) this.#sessions.set(key, time);
  }

  /** Notes that a session was ended. */
  end(key: string): void {
    this.#sessions.set(key, ENDED);
  }

  /** Since when look-ups of the sessions of a user count. */
  sinceOf(userId: string): number {
    return this.#users.get(userId) ?? 0;
  }

  /** Makes all look-ups of the sessions of a user up to this time count no longer. */
  distrust(userId: string, time: number): void {
    this.#users.set(userId, time);
  }
}

/** Gives what this process remembers for an adapter. */
export const lookUpsOf = perAdapter(() => new LookUps());
