/**
 * A map of limited size, for caches.
 *
 * @module
 */

/** A map of at most `capacity` entries. The entry that was not used for the longest time goes first. */
export class BoundedMap<K, V> {
  readonly #capacity: number;
  /** A `Map` keeps the order of insertion: what is used is inserted again. */
  readonly #entries = new Map<K, V>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** How many entries there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** Reads an entry and counts it as used. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  /** Writes an entry, and counts that as use. */
  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return;
    const [oldest = key] = this.#entries.keys();
    this.#entries.delete(oldest);
  }

  /** Removes an entry. */
  delete(key: K): void {
    this.#entries.delete(key);
  }
}
