/**
 * A map that forgets what was used least recently, so that a cache cannot grow without end.
 *
 * @module
 */

/** A map of at most `capacity` entries. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #capacity: number;

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
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Writes an entry; the one used least recently makes room for it. */
  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }

  /** Removes an entry. */
  delete(key: K): void {
    this.#entries.delete(key);
  }
}
