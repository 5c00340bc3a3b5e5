/**
 * Removes records that have ended, a few at a time.
 *
 * Nothing depends on it, because records that have ended are not found. So a failure is ignored, and the removal is not
 * part of the transaction of an operation.
 *
 * @module
 */
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { findUser, isLive, reader, rowOf, type StoredRow } from "./find.ts";
import type { KvAtomic, KvKey } from "./kv_like.ts";
import { ENDED, endedKey, type Ending, KINDS, type Owned, ownedKey, ownerKey } from "./layout.ts";
import { BATCH_LIMIT, callKv, fullKey, type KvStore, listBelow, readEntries, readEntry } from "./store.ts";

/** The most records that one sweep looks at. */
const RECORDS_PER_SWEEP = 100;

/** Seconds after which a sweep starts no other batch. */
const SWEEP_SECONDS = 0.05;

/** One in this many sign-ins sweeps records that earlier sweeps left. */
const SIGN_INS_PER_SWEEP = 16;

/** One of this many users is chosen at random, so that a user whose records cannot be removed does not block the others. */
const USERS_TO_CHOOSE_FROM = 16;

/** Records that are removed at once. One more check is for the progress. */
const BATCH_SIZE = BATCH_LIMIT - 1;

interface Candidate {
  readonly kind: Ending<Owned>;
  readonly id: KvKey;
}

/** Where the next sweep continues. */
interface Progress {
  /** Nothing if all records were looked at. */
  readonly next: Candidate | undefined;
  /** Version of the entry that said where to start. */
  readonly versionstamp: string | null;
}

/** Removes some records of a user that have ended. */
export async function sweepUser(store: KvStore, userId: string): Promise<void> {
  try {
    await sweep(store, userId);
  } catch {
    // Ignored: the next sweep continues.
  }
}

/** Once in a while, removes some records that have ended, of any user. */
export async function sweepAnybody(store: KvStore): Promise<void> {
  const [chance = 0, choice = 0] = systemRuntime.random(new Uint8Array(2));
  // At random, because a count would start again with each process.
  if (chance % SIGN_INS_PER_SWEEP !== 0) return;
  try {
    const users = await listBelow(store, ENDED, { most: USERS_TO_CHOOSE_FROM });
    const [userId] = users[choice % users.length] ?? [];
    if (userId !== undefined) await sweep(store, userId);
  } catch {
    // The next sweep continues.
  }
}

async function sweep(store: KvStore, userId: string): Promise<void> {
  const end = systemRuntime.now() + SWEEP_SECONDS * 1000;
  const { value: from, versionstamp } = await readEntry<KvKey>(store, endedKey(userId));
  if (from === null) return;
  const places = await listCandidates(store, userId, from);
  const continueAt = (at: number) => ({ next: places[at], versionstamp });
  const most = Math.min(places.length, RECORDS_PER_SWEEP);
  let done = 0;
  while (done + BATCH_SIZE < most && systemRuntime.now() < end) {
    if (!await remove(store, userId, places.slice(done, done + BATCH_SIZE))) break;
    done += BATCH_SIZE;
  }
  const isLast = done + BATCH_SIZE >= most;
  if (isLast && await remove(store, userId, places.slice(done, most), continueAt(most))) return;
  await remove(store, userId, [], continueAt(done));
}

/** Lists records of a user from where the last sweep stopped, and one more, where the next one continues. */
async function listCandidates(store: KvStore, userId: string, [name, ...id]: KvKey): Promise<Candidate[]> {
  const places: Candidate[] = [];
  const first = Math.max(0, KINDS.findIndex((kind) => kind.name === name));
  for (const [at, kind] of KINDS.slice(first).entries()) {
    const from = at === 0 ? id : [];
    const ids = await listBelow(store, ownerKey(kind, userId), { from, most: RECORDS_PER_SWEEP + 1 - places.length });
    places.push(...ids.map((id) => ({ kind, id })));
  }
  return places;
}

/** Removes those of the candidates that have ended. @returns Whether it was written. */
async function remove(store: KvStore, userId: string, places: readonly Candidate[], end?: Progress): Promise<boolean> {
  const entries = await readEntries<StoredRow<Owned>>(store, places.map(({ kind, id }) => ownedKey(kind, id)));
  // Read last: what has ended by now stays ended. A new user under this id has ended nothing of their own.
  const owner = await findUser(reader(store), userId);
  const atomic = store.kv.atomic();
  let found = 0;
  for (const [at, { kind, id }] of places.entries()) {
    const { value = null, versionstamp = null } = entries[at] ?? {};
    if (value && (rowOf(value).userId !== userId || (owner && isLive(kind, value, owner)))) continue;
    const place = fullKey(store, ownedKey(kind, id));
    atomic.check({ key: place, versionstamp }).delete(place).delete(fullKey(store, ownerKey(kind, userId, id)));
    for (const other of value ? kind.placesOf?.(rowOf(value)) ?? [] : []) atomic.delete(fullKey(store, other));
    found++;
  }
  if (end) recordProgress(atomic, fullKey(store, endedKey(userId)), end);
  return (found === 0 && !end) || (await callKv(() => atomic.commit())).ok;
}

function recordProgress(atomic: KvAtomic, key: KvKey, { next, versionstamp }: Progress): void {
  // If more records ended meanwhile, the next sweep starts over.
  atomic.check({ key, versionstamp });
  if (next) atomic.set(key, [next.kind.name, ...next.id]);
  else atomic.delete(key);
}
