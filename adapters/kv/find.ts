/**
 * Reads records, without those that have ended.
 *
 * @module
 */
import type { AdapterUser, SessionAndUser } from "../../src/contract/adapter.ts";
import { BoundedMap } from "../../src/kernel/bounded_map.ts";
import { type Epochs, type Stamp, UNSTAMPED, UNSTAMPED_USER } from "./epoch.ts";
import type { KvKey } from "./kv_like.ts";
import { type Ending, type Owned, ownedKey, SESSION, userKey } from "./layout.ts";
import { type KvStore, read, readEntries } from "./store.ts";

/** A user as stored. Former versions stored no epochs. */
export type StoredUser = AdapterUser | readonly [user: AdapterUser, epochs: Epochs];

/** A record of a user as stored. Former versions stored no stamp. */
export type StoredRow<Row extends Owned> = Row | readonly [row: Row, stamp: Stamp];

/** A user, and which of their records have ended. */
export interface Owner {
  readonly user: AdapterUser;
  readonly epochs: Epochs;
}

/** Reads records, within a transaction or outside. */
export interface Reader {
  get<T>(key: KvKey): Promise<T | null>;
}

/** Makes a reader of records outside of transactions. */
export function reader(store: KvStore): Reader {
  return { get: (key) => read(store, key) };
}

export async function findUser(reader: Reader, id: string): Promise<Owner | null> {
  const stored = await reader.get<StoredUser>(userKey(id));
  if (stored === null) return null;
  const [user, epochs] = isPair(stored) ? stored : [stored, UNSTAMPED_USER];
  return { user, epochs };
}

/** Finds a record of a user, unless it has ended. */
export async function findOwned<Row extends Owned>(
  reader: Reader,
  kind: Ending<Row>,
  id: KvKey,
): Promise<{ readonly row: Row; readonly owner: Owner } | null> {
  const stored = await reader.get<StoredRow<Row>>(ownedKey(kind, id));
  if (stored === null) return null;
  // The owner is read last: what has ended by then stays ended, and a deleted user has no records.
  const owner = await findUser(reader, rowOf(stored).userId);
  return owner && isLive(kind, stored, owner) ? { row: rowOf(stored), owner } : null;
}

/** Gives the record without its stamp. */
export function rowOf<Row extends Owned>(stored: StoredRow<Row>): Row {
  return isPair(stored) ? stored[0] : stored;
}

/** Whether a record has not ended. A record that has ended never comes back. */
export function isLive<Row extends Owned>(kind: Ending<Row>, stored: StoredRow<Row>, { epochs }: Owner): boolean {
  const [row, { life, epoch }] = isPair(stored) ? stored : [stored, UNSTAMPED];
  return life === epochs.life && !kind.hasEnded(row, epoch, epochs);
}

// Records are objects, never arrays.
function isPair<Plain, Pair extends readonly unknown[]>(stored: Plain | Pair): stored is Pair {
  return Array.isArray(stored);
}

/** The most sessions whose owner is remembered. Others take a second read. */
const MOST_OWNERS = 10_000;

/**
 * The sessions of one store. A session and its user are read in one round trip.
 *
 * The session contains the key of its user. So the adapter remembers the owners of sessions that it found, and reads a
 * session and its owner at once. Both are read each time: the memory decides only what is read ahead, and only tokens that
 * storage knows are remembered.
 */
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
