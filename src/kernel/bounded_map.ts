/**
 * A map that forgets what was not used for long, so that a cache cannot grow without end.
 *
 * @module
 */

/**
 * A map of at most `capacity` entries. Whatever is among the last `capacity / 2` that were used is still there.
 *
 * Entries are young or old. What is used becomes young; when half the capacity is young, the old are forgotten and the
 * young become old. So reading an entry that is young, which most readings are, changes nothing. The design is that of
 * Dominic Tarr's hashlru.
 */
export class BoundedMap<K, V> {
  readonly #half: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  constructor(capacity: number) {
    this.#half = Math.max(1, capacity >> 1);
  }

  /** How many entries there are. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Reads an entry and counts it as used. */
  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** Writes an entry, and counts that as use. */
  set(key: K, value: V): void {
    this.#old.delete(key);
    this.#young.set(key, value);
    if (this.#young.size < this.#half) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  /** Removes an entry. */
  delete(key: K): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
