/**
 * Writes records together with the entries by which they are found.
 *
 * @module
 */
import type { AdapterSession, AdapterUser, Changes, VerificationToken } from "../../src/contract/adapter.ts";
import { applyChanges, ConstraintViolation, existing } from "../../src/contract/commit.ts";
import { endRecordOf } from "../../src/contract/ended.ts";
import { randomText } from "../../src/crypto/random.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { endSessions, type Epochs, newLife, type Stamp } from "./epoch.ts";
import { findOwned, findUser, isLive, type Owner, rowOf, type StoredRow, type StoredUser } from "./find.ts";
import type { KvKey } from "./kv_like.ts";
import {
  addressKey,
  countKey,
  CREDENTIAL,
  endedKey,
  type Kind,
  type Owned,
  ownedKey,
  ownerKey,
  ownershipVersionKey,
  SESSION,
  tokenKey,
  userKey,
} from "./layout.ts";
import { bytesOf, isStorableKey, type KvStore } from "./store.ts";
import type { Transaction } from "./transaction.ts";

/** The most bytes of a user. A verification and revocations must still fit into the 64 KiB of a value. */
const LARGEST_USER = 60 * 1024;

/** Bytes of a change that is allowed for a user of any size, such as a verification. */
const SMALL_CHANGE = 1024;

/** Adds a user. @throws {ConstraintViolation} if the id or the address is taken. */
export async function addUser(tx: Transaction, user: AdapterUser): Promise<AdapterUser> {
  assertFits(user, user);
  if (await tx.get(userKey(user.id))) throw new ConstraintViolation("Cannot store user: the id is taken");
  // Records of a deleted user with this id may be left. Another life keeps them apart.
  return await putUser(tx, { user, epochs: newLife(randomText(systemRuntime, 9)) }, null);
}

/** Changes a user. @throws {ConstraintViolation} if the user does not exist, or the new address is taken. */
export async function changeUser(tx: Transaction, changes: Changes<AdapterUser, "id">): Promise<AdapterUser> {
  const { user: before, epochs } = existing(await findUser(tx, changes.id), "user");
  const user = applyChanges(before, changes);
  assertFits(user, changes);
  return await putUser(tx, { user, epochs }, before.email);
}

/** Removes a user, which ends all their records. The records are still to be removed. */
export async function removeUser(tx: Transaction, userId: string): Promise<AdapterUser | null> {
  const owner = await findUser(tx, userId);
  if (!owner) return null;
  const { user } = owner;
  for (const key of [userKey(userId), countKey(userId), ownershipVersionKey(userId)]) tx.delete(key);
  if (user.email) tx.delete(addressKey(user.email));
  tx.set(endedKey(userId), []);
  return user;
}

/** Ends records of a user, if the user exists. The records are still to be removed. */
export async function startEpoch(tx: Transaction, userId: string, next: (epochs: Epochs) => Epochs): Promise<void> {
  const owner = await findUser(tx, userId);
  if (!owner) return;
  saveUser(tx, { ...owner, epochs: next(owner.epochs) });
  tx.set(endedKey(userId), []);
}

/** Ends all sessions of a user but one, which is written again in the new epoch. */
export async function endOtherSessions(
  tx: Transaction,
  { userId, sessionToken }: Pick<AdapterSession, "userId" | "sessionToken">,
): Promise<void> {
  const kept = await findOwned(tx, SESSION, [sessionToken]);
  await startEpoch(tx, userId, endSessions);
  const owner = await findUser(tx, userId);
  if (owner && kept?.row.userId === userId) putOwned(tx, { kind: SESSION, row: kept.row, owner });
}

/** Records when sessions of a user were ended. A record of a later time stays. */
export async function recordEnd(tx: Transaction, store: KvStore, userId: string): Promise<void> {
  const record = endRecordOf(userId, store.now());
  const key = tokenKey(record);
  // No such user can be stored, nor a record.
  if (!isStorableKey(store, key)) return;
  const known = await tx.get<VerificationToken>(key);
  if (!known || known.expires < record.expires) tx.set(key, record, record.expires);
}

/** Adds a record of a user. @throws {ConstraintViolation} if it exists or the user does not. */
export async function addOwned<Row extends Owned>(tx: Transaction, kind: Kind<Row, Row>, row: Row): Promise<Row> {
  const [owner, other] = await Promise.all([
    findUser(tx, row.userId),
    tx.get<StoredRow<Row>>(ownedKey(kind, kind.idOf(row))),
  ]);
  const theirs = existing(owner, "user");
  if (other) await removeEnded(tx, kind, other);
  if (kind.isCounted) await changeCount(tx, theirs, 1);
  return putOwned(tx, { kind, row, owner: theirs });
}

/** Changes a record of a user; `null` if there is none. @throws {ConstraintViolation} if its new user does not exist. */
export async function changeOwned<Row extends Owned, Id>(
  tx: Transaction,
  kind: Kind<Row, Row> & Kind<Row, Id>,
  changes: Partial<Row> & Id,
): Promise<Row | null> {
  const found = await findOwned(tx, kind, kind.idOf(changes));
  if (!found) return null;
  const row = applyChanges(found.row, changes);
  for (const place of kind.placesOf?.(found.row) ?? []) tx.delete(place);
  const { userId } = found.row;
  if (row.userId === userId) return putOwned(tx, { kind, row, owner: found.owner });
  const owner = existing(await findUser(tx, row.userId), "user");
  tx.delete(ownerKey(kind, userId, kind.idOf(row)));
  if (kind.isCounted) await changeCount(tx, found.owner, -1);
  if (kind.isCounted) await changeCount(tx, owner, 1);
  return putOwned(tx, { kind, row, owner });
}

/** Removes a record of a user, and gives it; `null` if there is none. */
export async function removeOwned<Row extends Owned>(
  tx: Transaction,
  kind: Kind<Row, never>,
  id: KvKey,
): Promise<Row | null> {
  const found = await findOwned(tx, kind, id);
  if (!found) return null;
  tx.delete(ownedKey(kind, id));
  tx.delete(ownerKey(kind, found.row.userId, id));
  for (const place of kind.placesOf?.(found.row) ?? []) tx.delete(place);
  if (kind.isCounted) await changeCount(tx, found.owner, -1);
  return found.row;
}

interface Count extends Stamp {
  readonly count: number;
}

/** Counts the credentials of a user. The number is exact even if several are added at once. */
export async function countCredentials(tx: Transaction, { user: { id }, epochs }: Owner): Promise<number> {
  const stored = await tx.get<Count>(countKey(id));
  if (stored?.life === epochs.life && stored.epoch >= epochs.credentials) return stored.count;
  // Former versions did not count. Listing is safe: who adds or removes a credential writes the count, which is checked.
  if (epochs.life === "" && epochs.credentials === 0) return (await tx.list(ownerKey(CREDENTIAL, id))).length;
  return 0;
}

async function changeCount(tx: Transaction, owner: Owner, by: number): Promise<void> {
  const count = await countCredentials(tx, owner) + by;
  const { life, epoch } = owner.epochs;
  tx.set(countKey(owner.user.id), { life, epoch, count } satisfies Count);
}

// Epochs are stored with the user: if the user filled the value to its last byte, nothing could be revoked any more.
function assertFits(user: AdapterUser, changes: object): void {
  if (bytesOf(changes) <= SMALL_CHANGE || bytesOf(user) <= LARGEST_USER) return;
  throw new AdapterError("Cannot store user: it is larger than 60 KiB");
}

async function putUser(tx: Transaction, owner: Owner, formerly: string | null): Promise<AdapterUser> {
  const { user } = owner;
  if (user.email !== formerly) {
    if (user.email && await tx.get(addressKey(user.email))) {
      throw new ConstraintViolation("Cannot store user: another user has the address");
    }
    if (formerly) tx.delete(addressKey(formerly));
    if (user.email) tx.set(addressKey(user.email), user.id);
  }
  saveUser(tx, owner);
  return user;
}

function saveUser(tx: Transaction, { user, epochs }: Owner): void {
  tx.set(userKey(user.id), [user, epochs] satisfies StoredUser);
}

async function removeEnded<Row extends Owned>(
  tx: Transaction,
  kind: Kind<Row, Row>,
  stored: StoredRow<Row>,
): Promise<void> {
  const row = rowOf(stored);
  const owner = await findUser(tx, row.userId);
  if (owner && isLive(kind, stored, owner)) throw new ConstraintViolation(`Cannot store ${kind.name}: it exists`);
  tx.delete(ownerKey(kind, row.userId, kind.idOf(row)));
  for (const place of kind.placesOf?.(row) ?? []) tx.delete(place);
}

interface Put<Row extends Owned> {
  readonly kind: Kind<Row, Row>;
  readonly row: Row;
  readonly owner: Owner;
}

// Stamped with the current epoch, so that earlier revocations do not apply to a record that was changed since.
function putOwned<Row extends Owned>(tx: Transaction, { kind, row, owner }: Put<Row>): Row {
  const id = kind.idOf(row);
  const end = kind.endOf?.(row);
  const { life, epoch } = owner.epochs;
  tx.set(ownedKey(kind, id), [row, { life, epoch }] satisfies StoredRow<Row>, end);
  tx.set(ownerKey(kind, row.userId, id), true, end);
  for (const place of kind.placesOf?.(row) ?? []) tx.set(place, true, end);
  return row;
}
