/**
 * Buckets in memory: as many as fit, and of those the ones that owe most.
 *
 * @module
 */
import type { Bucket } from "./adapter.ts";
import { answersOf, type Asked, askedOf, timeAfter } from "./buckets.ts";

/** The most buckets. */
const MOST = 100_000;

/** Buckets whose time has come that each new one removes: more than one, so that removal keeps up. */
const SWEPT = 2;

/** Milliseconds that a bucket is kept after its time: a clock may be set back. */
const GRACE = 60 * 1000;

interface Entry {
  readonly key: string;
  readonly every: number;
  /** Its time, in milliseconds since 1970. */
  time: number;
  /** Where it is in its queue. */
  at: number;
}

/**
 * Makes buckets in memory. Those whose time has come are removed. If there are too many others, the one that owes the
 * fewest tokens makes room: a stranger who brings a million new keys loses those first, and each of them owes less than a
 * bucket that somebody has used more than once.
 *
 * @param most The most buckets. @default {100000}
 * @returns What takes from them, as `take` of an adapter does.
 */
export function bucketsInMemory(most = MOST): (buckets: readonly Bucket[], now: Date) => readonly (Date | null)[] {
  const entries = new Map<string, Entry>();
  // One queue for each `every`: within it, whoever has the earlier time owes fewer tokens, now and later.
  const queues = new Map<number, Queue>();
  const remove = (entry: Entry) => {
    const queue = queues.get(entry.every);
    queue?.remove(entry);
    if (queue?.first === undefined) queues.delete(entry.every);
    entries.delete(entry.key);
  };
  const leastIndebted = (now: number): Entry | undefined => {
    const owed = ({ time, every }: Entry) => (time - now) / every;
    let least: Entry | undefined;
    for (const { first } of queues.values()) if (first && (!least || owed(first) < owed(least))) least = first;
    return least;
  };
  const makeRoom = (now: number) => {
    for (let swept = 0; swept < SWEPT; swept += 1) {
      const least = leastIndebted(now);
      if (!least || (least.time > now - GRACE && entries.size < most)) return;
      remove(least);
    }
  };
  const put = ({ key, every }: Asked, time: number, now: number) => {
    const known = entries.get(key);
    if (known?.every === every) {
      known.time = time;
      return queues.get(every)?.moved(known);
    }
    if (known) remove(known);
    makeRoom(now);
    const entry = { key, every, time, at: 0 };
    const queue = queues.get(every) ?? new Queue();
    queue.add(entry);
    queues.set(every, queue);
    entries.set(key, entry);
  };
  return (buckets, now) => {
    const refused = new Map<string, number>();
    for (const asked of askedOf(buckets, now)) {
      const time = entries.get(asked.key)?.time ?? 0;
      const after = timeAfter(time, asked);
      if (after === null) refused.set(asked.key, time);
      else if (after !== time) put(asked, after, now.getTime());
    }
    return answersOf(buckets, now, refused);
  };
}

/** Entries by their times, as a binary heap. */
class Queue {
  readonly #heap: Entry[] = [];

  /** The entry of the earliest time. */
  get first(): Entry | undefined {
    return this.#heap[0];
  }

  add(entry: Entry): void {
    this.#set(this.#heap.length, entry);
    this.moved(entry);
  }

  remove(entry: Entry): void {
    const last = this.#heap.pop();
    if (!last || last === entry) return;
    this.#set(entry.at, last);
    this.moved(last);
  }

  /** Puts an entry in its place after its time has changed. */
  moved(entry: Entry): void {
    for (let above = this.#above(entry); above && above.time > entry.time; above = this.#above(entry)) {
      this.#swap(entry, above);
    }
    for (let below = this.#below(entry); below && below.time < entry.time; below = this.#below(entry)) {
      this.#swap(entry, below);
    }
  }

  #above({ at }: Entry): Entry | undefined {
    return at === 0 ? undefined : this.#heap[(at - 1) >> 1];
  }

  /** The earlier of the two below. */
  #below({ at }: Entry): Entry | undefined {
    const [left, right] = [this.#heap[2 * at + 1], this.#heap[2 * at + 2]];
    return left && right && right.time < left.time ? right : left;
  }

  #swap(one: Entry, other: Entry): void {
    const { at } = one;
    this.#set(other.at, one);
    this.#set(at, other);
  }

  #set(at: number, entry: Entry): void {
    this.#heap[at] = entry;
    entry.at = at;
  }
}
