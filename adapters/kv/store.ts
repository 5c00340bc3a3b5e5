/**
 * Access to the part of a key-value store below one prefix.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import type { KvEntry, KvKey, KvLike } from "./kv_like.ts";

/** The most bytes of a key, in Deno and in npm:@deno/kv. */
const LONGEST_KEY = 2048;

/** The most entries that are read or checked at once: the limit of npm:@deno/kv. */
export const BATCH_LIMIT = 10;

/** Batches that are read at the same time: a user may have thousands of sessions. */
const BATCHES_AT_ONCE = 8;

/** An error that may pass. The operation may have happened nevertheless. */
export class TransientKvError extends AdapterError {}

/** The key-value store and how it is used. Functions take keys without the prefix. */
export interface KvStore {
  readonly kv: KvLike;
  /** What every key begins with. */
  readonly prefix: KvKey;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Seconds to retry after conflicts and errors that may pass. */
  readonly retryTimeout: number;
}

/** Adds the prefix to a key. */
export function fullKey({ prefix }: KvStore, key: KvKey): KvKey {
  return [...prefix, ...key];
}

/** Reads an entry. A key that cannot be stored has none. */
export async function readEntry<T>(store: KvStore, key: KvKey): Promise<KvEntry<T>> {
  if (!isStorableKey(store, key)) return { value: null, versionstamp: null };
  return await callKv(() => store.kv.get<T>(fullKey(store, key)));
}

export async function read<T>(store: KvStore, key: KvKey): Promise<T | null> {
  return (await readEntry<T>(store, key)).value;
}

/** Reads entries, as many at once as the store takes. All of the keys must be storable. */
export async function readEntries<T>(store: KvStore, keys: readonly KvKey[]): Promise<KvEntry<T>[]> {
  const { kv } = store;
  const places = keys.map((key) => fullKey(store, key));
  const found: KvEntry<T>[] = [];
  const readBatch = async (at: number): Promise<readonly KvEntry<T>[]> => {
    const some = places.slice(at, at + BATCH_LIMIT);
    const read = () => kv.getMany?.(some) ?? Promise.all(some.map((place) => kv.get<unknown>(place)));
    // The caller knows what this package stores under a key.
    return await callKv(read) as readonly KvEntry<T>[];
  };
  const size = BATCH_LIMIT * BATCHES_AT_ONCE;
  for (let first = 0; first < places.length; first += size) {
    const starts = places.slice(first, first + size).flatMap((_, at) => at % BATCH_LIMIT === 0 ? [first + at] : []);
    found.push(...(await Promise.all(starts.map(readBatch))).flat());
  }
  return found;
}

/** Which part of a list to read. */
export interface Selection {
  /** The first key, without what all of them begin with. */
  readonly from?: KvKey;
  readonly most?: number;
}

/** Lists the keys that begin with `key`, each without that beginning. */
export async function listBelow(
  store: KvStore,
  key: KvKey,
  { from = [], most = Infinity }: Selection = {},
): Promise<KvKey[]> {
  if (!isStorableKey(store, key) || most <= 0) return [];
  const prefix = fullKey(store, key);
  return await callKv(async () => {
    const found: KvKey[] = [];
    for await (const entry of store.kv.list(from.length === 0 ? { prefix } : { prefix, start: [...prefix, ...from] })) {
      found.push(entry.key.slice(prefix.length).map(String));
      if (found.length >= most) break;
    }
    return found;
  });
}

interface PermanentError {
  /** The source of the error, and the version in which it was seen. */
  readonly vendor: string;
  /** Name and message of the error. Neither vendor has codes, and in Deno limits and a locked file are both a TypeError. */
  readonly text: RegExp;
}

/** Errors that the same request always gets. Any other may pass. */
const PERMANENT_ERRORS: readonly PermanentError[] = [
  { vendor: "Deno 2.9: closed", text: /^BadResource: / },
  { vendor: "Deno 2.9: limits of sizes", text: /: (?:Key|Value|Total mutation size|Total key size) too large\b/ },
  { vendor: "Deno 2.9: limits of numbers", text: /: Too many (?:checks|mutations|ranges)\b/ },
  { vendor: "npm:@deno/kv 0.14: closed", text: /: Cannot call '.+' after '\.close' is called/ },
  { vendor: "npm:@deno/kv 0.14: limits of sizes", text: /: (?:KeyTooLong|ValueTooLong|AtomicWriteTooLarge)/ },
  { vendor: "npm:@deno/kv 0.14: limits of numbers", text: /: TooMany(?:Checks|Mutations|ReadRanges)/ },
  { vendor: "V8: structured clone", text: /could not be cloned/ },
];

/**
 * Calls Deno KV and sorts its errors.
 *
 * @throws {TransientKvError} if it fails in a way that may pass.
 * @throws {AdapterError} if it would fail each time.
 */
export async function callKv<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    const { name, message } = cause instanceof Error ? cause : new Error(String(cause));
    const isPermanent = PERMANENT_ERRORS.some(({ text }) => text.test(`${name}: ${message}`));
    // The package for Node adds a trace below the message.
    throw new (isPermanent ? AdapterError : TransientKvError)(`Cannot use Deno KV: ${message.split("\n", 1)}`, {
      cause,
    });
  }
}

/** Whether a key can be stored and read back the same. */
export function isStorableKey(store: KvStore, key: KvKey): boolean {
  // UTF-8 turns every half of a surrogate pair into the same character.
  if (!key.every((part) => part.isWellFormed())) return false;
  return fullKey(store, key).reduce((sum, part) => sum + sizeOf(part), 0) <= LONGEST_KEY;
}

function sizeOf(part: string): number {
  // Each part has a byte before and after it, and NUL is written as two bytes.
  return new TextEncoder().encode(part.replaceAll("\0", "\0\0")).length + 2;
}

/** An upper bound of the bytes of a value without its content: a tag, a length, a number, a date. */
const FRAME = 12;

/** Estimates how many bytes a value takes at most, in the format of structured clones. */
export function bytesOf(value: unknown, seen: Set<unknown> = new Set()): number {
  // V8 writes a string with two bytes per character if one character needs them.
  if (typeof value === "string") return FRAME + value.length * (/[\u0100-\uffff]/.test(value) ? 2 : 1);
  if (typeof value === "bigint") return FRAME + value.toString(16).length;
  if (ArrayBuffer.isView(value)) return FRAME + value.byteLength;
  // A structured clone refers to what it holds already.
  if (typeof value !== "object" || value === null || seen.has(value)) return FRAME;
  seen.add(value);
  const parts = value instanceof Map || value instanceof Set ? [...value].flat() : Object.entries(value).flat();
  return parts.reduce((sum: number, part) => sum + bytesOf(part, seen), FRAME);
}
