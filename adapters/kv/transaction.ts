/**
 * Transactions: reads and writes that are atomic, and are retried until they are written, but never written twice.
 *
 * @module
 */
import { ConstraintViolation } from "../../src/contract/commit.ts";
import { randomText } from "../../src/crypto/random.ts";
import { pause } from "../../src/kernel/deadline.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import type { KvAtomic, KvEntry, KvKey } from "./kv_like.ts";
import {
  bytesOf,
  callKv,
  fullKey,
  isStorableKey,
  type KvStore,
  listBelow,
  read,
  readEntry,
  TransientKvError,
} from "./store.ts";

/** Milliseconds that entries stay after their end, because clocks differ. Reads check the end. */
const GRACE = 60 * 60 * 1000;

/** An entry that proves that a transaction was written, in case the response is lost. */
interface Receipt {
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
  readonly #store: KvStore;
  readonly #reads = new Map<string, KvEntry<unknown> & { readonly key: KvKey }>();
  readonly #writes = new Map<string, Write>();

  constructor(store: KvStore) {
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

/** Seconds before the second attempt, and at most. Each wait is twice as long as the one before. */
const PAUSES = { first: 0.0005, most: 0.032 };

/**
 * Runs a function with a transaction and commits it. After a conflict the function runs again, so it must change nothing
 * else.
 *
 * @throws {ConstraintViolation} if the function throws it. Nothing is written then.
 * @throws {AdapterError} if Deno KV cannot store what was written, or retries take too long.
 */
export async function transact<T>(store: KvStore, run: (tx: Transaction) => Promise<T>): Promise<T> {
  const receipt = ["receipt", randomText(systemRuntime, 16)];
  const end = systemRuntime.now() + store.retryTimeout * 1000;
  const answers: (() => T)[] = [];
  let failure: TransientKvError | undefined;
  for (let attempt = 0; attempt === 0 || systemRuntime.now() < end; attempt++) {
    try {
      // An attempt whose response was lost may have been written: its receipt tells.
      const written = failure === undefined ? null : await read<number>(store, receipt);
      const known = answers[written ?? -1];
      if (known) return known();
      const tx = new Transaction(store);
      const answer = await answerOf(tx, run);
      answers[attempt] = answer;
      if (await tx.commit({ key: receipt, attempt })) return answer();
    } catch (error) {
      if (!(error instanceof TransientKvError)) throw error;
      failure = error;
    }
    await pause(systemRuntime, Math.min(PAUSES.first * 2 ** attempt, PAUSES.most));
  }
  const reason = failure === undefined
    ? "other writers kept changing the same records"
    : "all attempts failed, and one of them may have been written";
  throw new AdapterError(`Cannot write to Deno KV: for ${store.retryTimeout} s ${reason}`, { cause: failure });
}

async function answerOf<T>(tx: Transaction, run: (tx: Transaction) => Promise<T>): Promise<() => T> {
  try {
    const value = await run(tx);
    return () => value;
  } catch (error) {
    if (!(error instanceof ConstraintViolation)) throw error;
    // A refusal is valid only if its reads still hold: commit the checks without writes.
    tx.dropWrites();
    return () => {
      throw error;
    };
  }
}
