/**
 * What is used of a key-value store: the shape of `Deno.Kv`.
 *
 * @module
 */

/** A key. Its parts are never joined, so no part can look like two. */
export type KvKey = readonly string[];

/** What a key leads to; both members are `null` if there is nothing. */
export interface KvEntry<T> {
  /** The value. */
  readonly value: T | null;
  /** Changes whenever the value is written. */
  readonly versionstamp: string | null;
}

/** An entry of a list. */
export interface KvListed {
  /** Where the entry is. */
  readonly key: readonly unknown[];
}

/** Demands that an entry is still the one that was read. */
export interface KvCheck {
  /** Where the entry is. */
  readonly key: KvKey;
  /** The version that was read; `null` if there was nothing. */
  readonly versionstamp: string | null;
}

/** Writes that happen together or not at all. */
export interface KvAtomic {
  /** Adds conditions. */
  check(...checks: KvCheck[]): KvAtomic;
  /** Writes an entry, which goes by itself after some milliseconds. */
  set(key: KvKey, value: unknown, options?: { expireIn?: number }): KvAtomic;
  /** Removes an entry. */
  delete(key: KvKey): KvAtomic;
  /** Writes, unless a condition does not hold. */
  commit(): Promise<{ readonly ok: boolean }>;
}

/** A key-value store: `Deno.Kv`, or anything that behaves as it does. */
export interface KvLike {
  /** Reads an entry, strongly consistent. */
  get<T>(key: KvKey): Promise<KvEntry<T>>;
  /** Reads up to ten entries at once, strongly consistent. Without it they are read one by one. */
  getMany?(keys: readonly KvKey[]): Promise<readonly KvEntry<unknown>[]>;
  /** Reads all entries whose keys begin alike, from one of them on if it is given, strongly consistent. */
  list(selector: { prefix: KvKey; start?: KvKey }): AsyncIterable<KvListed>;
  /** Begins to collect writes. */
  atomic(): KvAtomic;
}
