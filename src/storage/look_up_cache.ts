/**
 * What a process remembers of the look-ups of sealed sessions, so that most requests need none.
 *
 * @module
 */
import { BoundedMap } from "../kernel/bounded_map.ts";
import { perAdapter } from "./per_adapter.ts";

/** The most sessions, and the most users, that are remembered. What is forgotten is looked up again. */
const CAPACITY = 10_000;

/** A session that was ended: whose it was, and when. */
interface Ended {
  readonly userId: string;
  readonly time: number;
}

/** The look-ups of the sealed sessions in one storage. Times are in milliseconds since 1970. */
export class LookUps {
  readonly #found = new BoundedMap<string, number>(CAPACITY);
  readonly #ended = new Map<string, Ended>();
  readonly #users = new Map<string, number>();
  #everybody = 0;

  /** When the last look-up began that found a session; 0 if that is not remembered, `null` if it was ended. */
  lastOf(key: string): number | null {
    return this.#ended.has(key) ? null : this.#found.get(key) ?? 0;
  }

  /** Notes that a look-up which began at this time found a session. A session that was ended meanwhile stays ended. */
  note(key: string, time: number): void {
    if (!this.#ended.has(key)) this.#found.set(key, time);
  }

  /** Notes that a session was ended. Its id is never used again. */
  end(key: string, userId: string | undefined, time: number): void {
    this.#found.delete(key);
    this.#ended.set(key, { userId: userId ?? "", time });
    if (this.#ended.size <= CAPACITY) return;
    // The oldest. What is known of one session less is known of the user from now on.
    for (const [oldest, ended] of this.#ended) {
      this.#ended.delete(oldest);
      this.distrust(ended.userId, ended.time);
      break;
    }
  }

  /** Since when look-ups of the sessions of a user count. */
  sinceOf(userId: string): number {
    return Math.max(this.#users.get(userId) ?? 0, this.#everybody);
  }

  /** Makes all look-ups of the sessions of a user up to this time count no longer. */
  distrust(userId: string, time: number): void {
    const before = this.#users.get(userId) ?? 0;
    this.#users.delete(userId);
    this.#users.set(userId, Math.max(before, time));
    if (this.#users.size <= CAPACITY) return;
    // What is known of one user less counts for everybody, who is looked up once more.
    for (const [oldest, since] of this.#users) {
      this.#users.delete(oldest);
      this.#everybody = Math.max(this.#everybody, since);
      break;
    }
  }
}

/** Gives what this process remembers for an adapter. */
export const lookUpsOf = perAdapter(() => new LookUps());
