/**
 * Reads a session and its user in one round trip.
 *
 * The session contains the key of its user. So the adapter remembers the owners of sessions that it found, and reads a
 * session and its owner at once. Both are read each time: the memory decides only what is read ahead, and only tokens that
 * storage knows are remembered.
 *
 * @module
 */
import type { SessionAndUser } from "../../src/contract/adapter.ts";
import { BoundedMap } from "../../src/kernel/bounded_map.ts";
import { findOwned, type Reader, reader } from "./find.ts";
import type { KvKey } from "./kv_like.ts";
import { ownedKey, SESSION, userKey } from "./layout.ts";
import { type KvStore, readEntries } from "./store.ts";

/** The most sessions whose owner is remembered. Others take a second read. */
const MOST_OWNERS = 10_000;

/** The sessions of one store. */
export class Sessions {
  readonly #store: KvStore;
  readonly #owners = new BoundedMap<string, string>(MOST_OWNERS);

  constructor(store: KvStore) {
    this.#store = store;
  }

  /** Finds a session and its user, unless it has ended. */
  async find(token: string): Promise<SessionAndUser | null> {
    const found = await findOwned(await this.#reader(token), SESSION, [token]);
    if (!found) {
      this.forget(token);
      return null;
    }
    const { row, owner } = found;
    if (this.#owners.get(token) !== row.userId) this.#owners.set(token, row.userId);
    return { session: row, user: owner.user };
  }

  /** Forgets whose session this is. */
  forget(token: string): void {
    this.#owners.delete(token);
  }

  async #reader(token: string): Promise<Reader> {
    const userId = this.#owners.get(token);
    if (userId === undefined) return reader(this.#store);
    return await readerAhead(this.#store, [ownedKey(SESSION, [token]), userKey(userId)]);
  }
}

/** Makes a reader that has read some entries already, all at once. It reads others when it is asked. */
async function readerAhead(store: KvStore, keys: readonly KvKey[]): Promise<Reader> {
  const entries = await readEntries(store, keys);
  const ahead = new Map(keys.map((key, at) => [JSON.stringify(key), entries[at]?.value]));
  return {
    get: async <T>(key: KvKey) => {
      const value = ahead.get(JSON.stringify(key));
      // The caller knows what this package stores under a key.
      return value === undefined ? await reader(store).get<T>(key) : value as T | null;
    },
  };
}
