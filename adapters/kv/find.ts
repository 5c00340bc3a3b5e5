/**
 * Reads records, without those that have ended.
 *
 * @module
 */
import type { AdapterUser } from "../../src/contract/adapter.ts";
import { type Epochs, type Stamp, UNSTAMPED, UNSTAMPED_USER } from "./epoch.ts";
import type { KvKey } from "./kv_like.ts";
import { type Ending, type Owned, ownedKey, userKey } from "./layout.ts";
import { type KvStore, read } from "./store.ts";

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
