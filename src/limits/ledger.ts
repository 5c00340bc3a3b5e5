/**
 * Takes from buckets, and keeps what one process knows of them: which refuse, and what is to be given back.
 *
 * @module
 */
import type { Bucket } from "../contract/adapter.ts";
import { bucketsInMemory } from "../contract/buckets_in_memory.ts";
import { BoundedMap } from "../kernel/bounded_map.ts";
import type { Awaitable } from "../kernel/model.ts";

/** What takes from buckets, see `take` of an adapter. */
export type Take = (buckets: readonly Bucket[], now: Date) => Awaitable<readonly (Date | null)[]>;

/** A bucket that refused. */
export interface Refusal<B extends Bucket = Bucket> {
  readonly bucket: B;
  /** When it has room, in milliseconds since 1970. */
  readonly until: number;
  /** How often it has refused since it last had room. */
  readonly times: number;
}

/** What came of taking from buckets. */
export interface Taken<B extends Bucket = Bucket> {
  readonly refused: readonly Refusal<B>[];
  readonly taken: readonly B[];
}

/** The most buckets that a process knows to refuse. */
const MOST_REFUSING = 10_000;

/** The most tokens that are to be given back. What is forgotten comes back with time. */
const MOST_OWED = 1000;

/** The most tokens that go back with one call. */
const MOST_AT_ONCE = 16;

/** What is to be given back to a bucket. */
interface Owed {
  readonly bucket: Bucket;
  readonly tokens: number;
  /** When the first of them was given back, in milliseconds since 1970. */
  readonly since: number;
}

/** What one process knows of buckets, wherever they are stored. */
export class Ledger {
  readonly #memory = bucketsInMemory();
  readonly #refusing = new BoundedMap<string, { readonly until: number; readonly times: number }>(MOST_REFUSING);
  readonly #owed = new Map<string, Owed>();

  /** Takes from buckets in the memory of this process. */
  readonly inMemory: Take = (buckets, now) => this.#memory(buckets, now);

  /** Tells which of these buckets are known to refuse, without a look at storage. */
  refusing<B extends Bucket>(buckets: readonly B[], now: number): readonly Refusal<B>[] {
    return buckets.flatMap((bucket) => {
      const known = this.#refusing.get(bucket.key);
      if (!known || known.until <= now) return [];
      const counted = { until: known.until, times: known.times + 1 };
      this.#refusing.set(bucket.key, counted);
      return [{ bucket, ...counted }];
    });
  }

  /**
   * Takes a token from each bucket. If one that is not soft is known to refuse, nothing is taken.
   *
   * Storage is asked once. What is to be given back goes along with the call; and who is owed a token pays with that.
   */
  async take<B extends Bucket & { readonly isSoft?: boolean }>(
    take: Take,
    buckets: readonly B[],
    now: Date,
  ): Promise<Taken<B>> {
    const known = this.refusing(buckets, now.getTime());
    if (known.some(({ bucket }) => !bucket.isSoft)) return { refused: known, taken: [] };
    const open = buckets.filter((bucket) => !known.some((refusal) => refusal.bucket === bucket));
    const asked = open.filter(({ key }) => !this.#pay(key, now.getTime()));
    const refused = [...known, ...asked.length === 0 ? [] : await this.#ask(take, asked, now)];
    return { refused, taken: open.filter((bucket) => !refused.some((refusal) => refusal.bucket === bucket)) };
  }

  /** Gives back what was taken from buckets, with the next call of storage. */
  giveBack(buckets: readonly Bucket[], now: number): void {
    for (const bucket of buckets) {
      const { tokens = 0, since = now } = this.#owed.get(bucket.key) ?? {};
      this.#owed.set(bucket.key, { bucket, tokens: Math.min(tokens + 1, bucket.burst), since });
      const [oldest] = this.#owed.keys();
      if (this.#owed.size > MOST_OWED && oldest !== undefined) this.#owed.delete(oldest);
    }
  }

  async #ask<B extends Bucket>(take: Take, asked: readonly B[], now: Date): Promise<Refusal<B>[]> {
    // If the call fails, nobody knows what was done. Tokens come back with time.
    const answers = await take([...asked.map(bare), ...this.#returned(asked)], now);
    return asked.flatMap((bucket, at) => {
      const until = answers[at]?.getTime();
      if (until === undefined) return [];
      const refusal = { until, times: 1 };
      this.#refusing.set(bucket.key, refusal);
      return [{ bucket, ...refusal }];
    });
  }

  #pay(key: string, now: number): boolean {
    const owed = this.#owed.get(key);
    // By then the bucket may be full again, and only storage knows.
    if (!owed || now - owed.since >= owed.bucket.every) return false;
    if (owed.tokens === 1) this.#owed.delete(key);
    else this.#owed.set(key, { ...owed, tokens: owed.tokens - 1 });
    return true;
  }

  // Storage takes from each bucket once in a call.
  #returned(asked: readonly Bucket[]): Bucket[] {
    const keys = new Set(asked.map(({ key }) => key));
    const some = [...this.#owed.entries()].filter(([key]) => !keys.has(key)).slice(0, MOST_AT_ONCE);
    for (const [key] of some) this.#owed.delete(key);
    return some.map(([, { bucket, tokens }]) => ({ ...bare(bucket), cost: -tokens }));
  }
}

function bare({ key, every, burst }: Bucket): Bucket {
  return { key, every, burst };
}
