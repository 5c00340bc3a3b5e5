/**
 * Changes of records, each together with what finds it.
 *
 * @module
 */
import type { AdapterUser, Changes } from "../adapter.ts";
import type { KvKey } from "./kv_like.ts";
import { addressKey, type Kind, KINDS, type Owned, ownedKey, ownerKey, rosterKey, SESSION, userKey } from "./layout.ts";
import { Refused, type Transaction } from "./transaction.ts";

/** Adds a user. @throws {Refused} if the id or the address is taken. */
export async function addUser(tx: Transaction, user: AdapterUser): Promise<AdapterUser> {
  if (await tx.get(userKey(user.id))) throw new Refused("Cannot store user: the id is taken");
  return await putUser(tx, user, null);
}

/** Changes a user. @throws {Refused} if there is none, or the new address is taken. */
export async function changeUser(tx: Transaction, changes: Changes<AdapterUser, "id">): Promise<AdapterUser> {
  const before = present(await tx.get<AdapterUser>(userKey(changes.id)), "user");
  return await putUser(tx, merge(before, changes), before.email);
}

/** Removes a user and all that is theirs. */
export async function removeUser(tx: Transaction, userId: string): Promise<AdapterUser | null> {
  const user = await tx.get<AdapterUser>(userKey(userId));
  if (!user) return null;
  for (const kind of KINDS) await removeAll(tx, kind, userId);
  tx.delete(rosterKey(userId));
  tx.delete(userKey(userId));
  if (user.email) tx.delete(addressKey(user.email));
  return user;
}

/** Adds what belongs to a user. @throws {Refused} if it exists or the user does not. */
export async function addOwned<Row extends Owned>(tx: Transaction, kind: Kind<Row, Row>, row: Row): Promise<Row> {
  const [owner, other] = await Promise.all([
    tx.get(userKey(row.userId)),
    tx.get(ownedKey(kind, kind.idOf(row))),
  ]);
  present(owner, "user");
  if (other) throw new Refused(`Cannot store ${kind.name}: it exists`);
  tx.set(rosterKey(row.userId), true);
  return putOwned(tx, kind, row);
}

/** Changes what belongs to a user; `null` if it is not there. @throws {Refused} if it moves to nobody. */
export async function changeOwned<Row extends Owned, Id>(
  tx: Transaction,
  kind: Kind<Row, Row> & Kind<Row, Id>,
  changes: Partial<Row> & Id,
): Promise<Row | null> {
  const before = await tx.get<Row>(ownedKey(kind, kind.idOf(changes)));
  if (!before) return null;
  const after = merge(before, changes);
  if (after.userId !== before.userId) {
    present(await tx.get(userKey(after.userId)), "user");
    tx.delete(ownerKey(kind, before.userId, kind.idOf(before)));
    for (const userId of [before.userId, after.userId]) tx.set(rosterKey(userId), true);
  }
  return putOwned(tx, kind, after);
}

/** Removes what belongs to a user, if it is there and fits. */
export async function removeOwned<Row extends Owned>(
  tx: Transaction,
  { kind, id, fits = () => true }: {
    readonly kind: Kind<Row, never>;
    readonly id: KvKey;
    readonly fits?: (row: Row) => boolean;
  },
): Promise<Row | null> {
  const row = await tx.get<Row>(ownedKey(kind, id));
  if (!row || !fits(row)) return null;
  tx.delete(ownedKey(kind, id));
  tx.delete(ownerKey(kind, row.userId, id));
  tx.set(rosterKey(row.userId), true);
  return row;
}

/** Removes all sessions of a user. */
export async function removeSessions(tx: Transaction, userId: string): Promise<void> {
  const removed = await removeAll(tx, SESSION, userId);
  if (removed > 0) tx.set(rosterKey(userId), true);
}

/** Gives a record that must be there. @throws {Refused} if it is not. */
export function present<T>(record: T | null, what: string): T {
  if (record === null) throw new Refused(`Cannot find ${what}: there is none`);
  return record;
}

async function putUser(tx: Transaction, user: AdapterUser, formerly: string | null): Promise<AdapterUser> {
  if (user.email !== formerly) {
    if (user.email && await tx.get(addressKey(user.email))) {
      throw new Refused("Cannot store user: the address is taken");
    }
    if (formerly) tx.delete(addressKey(formerly));
    if (user.email) tx.set(addressKey(user.email), user.id);
  }
  tx.set(userKey(user.id), user);
  return user;
}

function putOwned<Row extends Owned>(tx: Transaction, kind: Kind<Row, Row>, row: Row): Row {
  const id = kind.idOf(row);
  const end = kind.endOf?.(row);
  tx.set(ownedKey(kind, id), row, end);
  tx.set(ownerKey(kind, row.userId, id), true, end);
  return row;
}

async function removeAll(tx: Transaction, kind: { readonly name: string }, userId: string): Promise<number> {
  const ids = await tx.list(ownerKey(kind, userId), rosterKey(userId));
  for (const id of ids) {
    tx.delete(ownedKey(kind, id));
    tx.delete(ownerKey(kind, userId, id));
  }
  return ids.length;
}

function merge<Row extends object>(record: Row, changes: object): Row {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.assign({ ...record }, Object.fromEntries(given));
}
