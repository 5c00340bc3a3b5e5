/**
 * Reads and writes that happen as if nothing else happened between them.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import type { KvAtomic, KvEntry, KvKey } from "./kv_like.ts";
import { bytesOf, callKv, fullKey, isStorableKey, listBelow, read, readEntry, type Store } from "./store.ts";

/** Milliseconds that entries stay after their end, because clocks differ. Whoever reads them checks the end. */
const GRACE = 60 * 60 * 1000;

/** An entry that proves that a transaction was written, in case the response is lost. */
export interface Receipt {
  readonly key: KvKey;
  /** Which attempt was written. */
  readonly attempt: number;
}

interface Write {
  readonly key: KvKey;
  /** `null` removes the entry. */
  readonly value: unknown;
  readonly expires?: Date | undefined;
}

/** Collects the entries that were read and those to write. */
export class Transaction {
  readonly #store: Store;
  readonly #reads = new Map<string, KvEntry<unknown> & { readonly key: KvKey }>();
  readonly #writes = new Map<string, Write>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads a record, with the writes of this transaction. The commit checks that the entry has not changed. */
  async get<T>(key: KvKey): Promise<T | null> {
    const name = JSON.stringify(key);
    const seen = this.#writes.get(name) ?? this.#reads.get(name) ?? await this.#read(name, key);
    // The caller knows what this package stores under a key.
    return seen.value as T | null;
  }

  /** Reads a record without a check at the commit. */
  peek<T>(key: KvKey): Promise<T | null> {
    return read<T>(this.#store, key);
  }

  /** Lists the keys that begin with `key`, without the writes of this transaction and without a check at the commit. */
  list(key: KvKey): Promise<KvKey[]> {
    return listBelow(this.#store, key);
  }

  /** Writes a record. With `expires` the store removes it some time after. */
  set(key: KvKey, value: unknown, expires?: Date): void {
    if (!isStorableKey(this.#store, key)) {
      throw new AdapterError(
        `Cannot store ${kindOf(key)}: its key is longer than 2048 bytes or contains half of a surrogate pair`,
      );
    }
    this.#writes.set(JSON.stringify(key), { key, value, expires });
  }

  delete(key: KvKey): void {
    this.#writes.set(JSON.stringify(key), { key, value: null });
  }

  /** Drops the writes. The commit still checks the reads. */
  dropWrites(): void {
    this.#writes.clear();
  }

  /**
   * Writes everything if the entries that were read have not changed and no earlier attempt was written.
   *
   * @returns Whether it was written.
   * @throws {TransientKvError} if it may have been written or not.
   * @throws {AdapterError} if Deno KV cannot store it.
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
    const { kv, now, retryTimeout } = this.#store;
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
    // Longer than any attempt reads it.
    const expireIn = Math.ceil(retryTimeout * 1000) + GRACE;
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
    return new AdapterError(`Cannot store ${kindOf(largest?.key)}: it is larger than 64 KiB, the limit of Deno KV`, {
      cause,
    });
  }
}

// The rest of a key stays out of errors: it may be a token.
function kindOf([kind = "record"]: KvKey = []): string {
  return kind;
}
