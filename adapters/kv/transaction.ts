/**
 * Reads and writes that happen as if nothing happened between them.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import type { KvAtomic, KvEntry, KvKey } from "./kv_like.ts";
import { bytesOf } from "./size.ts";
import { callKv, fullKey, isStorableKey, listBelow, read, readEntry, type Store } from "./store.ts";

/** Milliseconds that entries stay after their end: clocks differ, and who reads them checks the end itself. */
const GRACE = 60 * 60 * 1000;

/** Proof that a transaction was written, for those who did not get the answer. */
export interface Receipt {
  /** Where it is. */
  readonly key: KvKey;
  /** Which of several attempts it proves. */
  readonly attempt: number;
}

interface Write {
  readonly key: KvKey;
  /** `null` removes the entry. */
  readonly value: unknown;
  /** When the entry has ended. */
  readonly expires?: Date | undefined;
}

/** Collects what is read and what is to be written. */
export class Transaction {
  readonly #store: Store;
  readonly #reads = new Map<string, KvEntry<unknown> & { readonly key: KvKey }>();
  readonly #writes = new Map<string, Write>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads a record as this transaction leaves it. */
  async get<T>(key: KvKey): Promise<T | null> {
    const name = JSON.stringify(key);
    const seen = this.#writes.get(name) ?? this.#reads.get(name) ?? await this.#read(name, key);
    // Whoever names a key knows what this package stores there.
    return seen.value as T | null;
  }

  /** Reads a record as it was. That it stays so is not checked. */
  peek<T>(key: KvKey): Promise<T | null> {
    return read<T>(this.#store, key);
  }

  /** Lists the keys that begin like this, as they were before. That none of them comes or goes is not checked. */
  list(key: KvKey): Promise<KvKey[]> {
    return listBelow(this.#store, key);
  }

  /** Writes a record, which goes by itself some time after it has ended. */
  set(key: KvKey, value: unknown, expires?: Date): void {
    if (!isStorableKey(this.#store, key)) {
      throw new AdapterError(
        `Cannot store ${kindOf(key)}: Deno KV does not take its key, which is too long or no text`,
      );
    }
    this.#writes.set(JSON.stringify(key), { key, value, expires });
  }

  /** Removes a record. */
  delete(key: KvKey): void {
    this.#writes.set(JSON.stringify(key), { key, value: null });
  }

  /** Forgets what was to be written. What was read stays a condition. */
  forget(): void {
    this.#writes.clear();
  }

  /**
   * Writes everything, if what was read is still so and no attempt was written before.
   *
   * @returns Whether it was written.
   * @throws {KvFailure} if it is not known whether it was written.
   * @throws {AdapterError} if Deno KV cannot take it.
   */
  async commit(receipt: Receipt): Promise<boolean> {
    const atomic = this.#atomic(receipt);
    try {
      return (await callKv(() => atomic.commit())).ok;
    } catch (error) {
      throw error instanceof Error && /value ?too ?(large|long)/i.test(error.message) ? this.#tooLarge(error) : error;
    }
  }

  #atomic(receipt: Receipt): KvAtomic {
    const { kv, now, retryTimeout: patience } = this.#store;
    const atomic = kv.atomic().check({ key: fullKey(this.#store, receipt.key), versionstamp: null });
    for (const { key, versionstamp } of this.#reads.values()) {
      atomic.check({ key: fullKey(this.#store, key), versionstamp });
    }
    for (const { key, value, expires } of this.#writes.values()) {
      const place = fullKey(this.#store, key);
      if (value === null) atomic.delete(place);
      else if (!expires) atomic.set(place, value);
      else atomic.set(place, value, { expireIn: Math.ceil(Math.max(0, expires.getTime() - now())) + GRACE });
    }
    // Kept for longer than anybody asks for it.
    const expireIn = Math.ceil(patience * 1000) + GRACE;
    if (this.#writes.size > 0) atomic.set(fullKey(this.#store, receipt.key), receipt.attempt, { expireIn });
    return atomic;
  }

  async #read(name: string, key: KvKey): Promise<KvEntry<unknown>> {
    const entry = await readEntry<unknown>(this.#store, key);
    if (isStorableKey(this.#store, key)) this.#reads.set(name, { ...entry, key });
    return entry;
  }

  #tooLarge(cause: Error): AdapterError {
    const [largest] = [...this.#writes.values()].sort((a, b) => bytesOf(b.value) - bytesOf(a.value));
    return new AdapterError(`Cannot store ${kindOf(largest?.key)}: it is larger than Deno KV takes (64 KiB)`, {
      cause,
    });
  }
}

// What follows in a key is not told: it may be a token.
function kindOf([kind = "record"]: KvKey = []): string {
  return kind;
}
