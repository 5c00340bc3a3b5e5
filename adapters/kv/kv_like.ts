/**
 * The part of `Deno.Kv` that the adapter uses.
 *
 * @module
 */

/** A key. Its parts are not joined, so no part can be taken for two. */
export type KvKey = readonly string[];

/** The entry of a key. Both members are `null` if there is none. */
export interface KvEntry<T> {
  /** The value. */
  readonly value: T | null;
  /** Changes with each write. */
  readonly versionstamp: string | null;
}

/** An entry of a list. */
export interface KvListed {
  /** The key of the entry. */
  readonly key: readonly unknown[];
}

/** A condition: the entry is still the one that was read. */
export interface KvCheck {
  /** The key of the entry. */
  readonly key: KvKey;
  /** The version that was read; `null` if there was nothing. */
  readonly versionstamp: string | null;
}

/** Writes that all happen, or none. */
export interface KvAtomic {
  /** Adds conditions. */
  check(...checks: KvCheck[]): KvAtomic;
  /** Writes an entry. With `expireIn` the store removes it after that many milliseconds. */
  set(key: KvKey, value: unknown, options?: { expireIn?: number }): KvAtomic;
  /** Removes an entry. */
  delete(key: KvKey): KvAtomic;
  /** Writes everything if all conditions hold. */
  commit(): Promise<{ readonly ok: boolean }>;
}

/** A key-value store: `Deno.Kv`, or another of its shape. */
export interface KvLike {
  /** Reads an entry, strongly consistent. */
  get<T>(key: KvKey): Promise<KvEntry<T>>;
  /** Reads up to ten entries at once, strongly consistent. Without it the adapter reads them one by one. */
  getMany?(keys: readonly KvKey[]): Promise<readonly KvEntry<unknown>[]>;
  /** Lists the entries whose keys begin with `prefix`, from `start` on if it is given, strongly consistent. */
  list(selector: { prefix: KvKey; start?: KvKey }): AsyncIterable<KvListed>;
  /** Starts an atomic operation. */
  atomic(): KvAtomic;
}
