/**
 * Which sealed sessions this process has looked up, and which it knows to be revoked, so that most requests read no row.
 *
 * @module
 */
import { BoundedMap } from "../kernel/bounded_map.ts";

/** The most sessions, and the most users, that are remembered. A session that was dropped is looked up again. */
const CAPACITY = 10_000;

/** A session that was ended: its user, and when. */
interface Ended {
  readonly userId: string;
  readonly time: number;
}

/** The look-ups of the sealed sessions in one storage. Times are in milliseconds since 1970. */
export class RevocationCache {
  readonly #found = new BoundedMap<string, number>(CAPACITY);
  readonly #ended = new Map<string, Ended>();
  readonly #users = new Map<string, number>();
  #everybody = 0;

  /** When the last look-up began that found a session; 0 if none is remembered, `null` if the session was ended. */
  lastFound(key: string): number | null {
    return this.#ended.has(key) ? null : this.#found.get(key) ?? 0;
  }

  /** Notes that a look-up which began at this time found a session. A session that was ended meanwhile stays ended. */
  noteFound(key: string, time: number): void {
    if (!this.#ended.has(key)) this.#found.set(key, time);
  }

  /** Notes that a session was ended. Its id is never used again. */
  noteEnded(key: string, userId: string | undefined, time: number): void {
    this.#found.delete(key);
    this.#ended.set(key, { userId: userId ?? "", time });
    const oldest = overflow(this.#ended);
    if (oldest) this.invalidateBefore(oldest.userId, oldest.time);
  }

  /** The time after which a look-up of a session of this user must have begun to be valid. */
  validAfter(userId: string): number {
    return Math.max(this.#users.get(userId) ?? 0, this.#everybody);
  }

  /** Invalidates all look-ups of the sessions of a user up to this time. */
  invalidateBefore(userId: string, time: number): void {
    const before = this.#users.get(userId) ?? 0;
    this.#users.delete(userId);
    this.#users.set(userId, Math.max(before, time));
    // Once a user is dropped, all users are looked up again.
    this.#everybody = Math.max(this.#everybody, overflow(this.#users) ?? 0);
  }
}

/** Removes the oldest entry of a map that holds too many, and returns its value. */
function overflow<Value>(map: Map<string, Value>): Value | undefined {
  const [oldest] = map.size > CAPACITY ? map : [];
  if (!oldest) return undefined;
  map.delete(oldest[0]);
  return oldest[1];
}
