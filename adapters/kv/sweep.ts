/**
 * Removal of what has ended, a little at a time.
 *
 * Nothing depends on it: what has ended is not found any more, removed or not. So it never fails whoever does it beside
 * something else, and it takes part in no transaction.
 *
 * @module
 */
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { findUser, isLive, rowOf, type StoredRow } from "./find.ts";
import type { KvAtomic, KvKey } from "./kv_like.ts";
import { ENDED, endedKey, type Ending, KINDS, type Owned, ownedKey, ownerKey } from "./layout.ts";
import { BATCH_LIMIT, callKv, fullKey, listBelow, read, readEntries, readEntry, type Store } from "./store.ts";

/** Records that are looked at in one go. */
const RECORDS_PER_SWEEP = 100;

/** Seconds after which nothing more is begun. */
const SWEEP_SECONDS = 0.05;

/** One in so many looks for what others have left. */
const SIGN_INS_PER_SWEEP = 16;

/** Users of whom one is chosen, so that none whose records cannot be removed keeps the others waiting. */
const USERS_TO_CHOOSE_FROM = 16;

/** Records that are removed at once: one check is left for what is written about the removal itself. */
const BATCH_SIZE = BATCH_LIMIT - 1;

interface Candidate {
  readonly kind: Ending<Owned>;
  readonly id: KvKey;
}

/** Where whoever comes next goes on, unless this was all. */
interface Progress {
  readonly next: Candidate | undefined;
  /** Of what said where to begin. */
  readonly versionstamp: string | null;
}

/** Removes some of what has ended of a user's. */
export async function sweepUser(store: Store, userId: string): Promise<void> {
  try {
    await sweep(store, userId);
  } catch {
    // Whoever comes next goes on.
  }
}

/** Removes, now and then, some of what has ended of somebody's. */
export async function sweepAnybody(store: Store): Promise<void> {
  const [chance = 0, choice = 0] = systemRuntime.random(new Uint8Array(2));
  // By chance, because a count would begin anew with each process.
  if (chance % SIGN_INS_PER_SWEEP !== 0) return;
  try {
    const users = await listBelow(store, ENDED, { most: USERS_TO_CHOOSE_FROM });
    const [userId] = users[choice % users.length] ?? [];
    if (userId !== undefined) await sweep(store, userId);
  } catch {
    // As above.
  }
}

async function sweep(store: Store, userId: string): Promise<void> {
  const end = systemRuntime.now() + SWEEP_SECONDS * 1000;
  const { value: from, versionstamp } = await readEntry<KvKey>(store, endedKey(userId));
  if (from === null) return;
  const places = await listCandidates(store, userId, from);
  const goOnAt = (at: number) => ({ next: places[at], versionstamp });
  const most = Math.min(places.length, RECORDS_PER_SWEEP);
  let done = 0;
  while (done + BATCH_SIZE < most && systemRuntime.now() < end) {
    if (!await remove(store, userId, places.slice(done, done + BATCH_SIZE))) break;
    done += BATCH_SIZE;
  }
  const isLast = done + BATCH_SIZE >= most;
  if (isLast && await remove(store, userId, places.slice(done, most), goOnAt(most))) return;
  await remove(store, userId, [], goOnAt(done));
}

/** Lists records of a user, from where the last one stopped: one more than is looked at, where the next one goes on. */
async function listCandidates(store: Store, userId: string, [name, ...id]: KvKey): Promise<Candidate[]> {
  const places: Candidate[] = [];
  const first = Math.max(0, KINDS.findIndex((kind) => kind.name === name));
  for (const [at, kind] of KINDS.slice(first).entries()) {
    const from = at === 0 ? id : [];
    const ids = await listBelow(store, ownerKey(kind, userId), { from, most: RECORDS_PER_SWEEP + 1 - places.length });
    places.push(...ids.map((id) => ({ kind, id })));
  }
  return places;
}

/** Removes those that have ended. @returns Whether they are gone. */
async function remove(store: Store, userId: string, places: readonly Candidate[], end?: Progress): Promise<boolean> {
  const entries = await readEntries<StoredRow<Owned>>(store, places.map(({ kind, id }) => ownedKey(kind, id)));
  // Read last: what has ended by now, has ended for ever. Somebody who is made by now under this id has ended nothing.
  const owner = await findUser((key) => read(store, key), userId);
  const atomic = store.kv.atomic();
  let found = 0;
  for (const [at, { kind, id }] of places.entries()) {
    const { value = null, versionstamp = null } = entries[at] ?? {};
    if (value && (rowOf(value).userId !== userId || (owner && isLive(kind, value, owner)))) continue;
    const place = fullKey(store, ownedKey(kind, id));
    atomic.check({ key: place, versionstamp }).delete(place).delete(fullKey(store, ownerKey(kind, userId, id)));
    found++;
  }
  if (end) recordProgress(atomic, fullKey(store, endedKey(userId)), end);
  return (found === 0 && !end) || (await callKv(() => atomic.commit())).ok;
}

function recordProgress(atomic: KvAtomic, key: KvKey, { next, versionstamp }: Progress): void {
  // If more has ended meanwhile, it is begun anew.
  atomic.check({ key, versionstamp });
  if (next) atomic.set(key, [next.kind.name, ...next.id]);
  else atomic.delete(key);
}
