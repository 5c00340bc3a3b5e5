/**
 * Which of the sessions that are kept apart go on.
 *
 * @module
 */
import type { Adapter, AdapterSession, AdapterUser } from "../../src/contract/adapter.ts";
import type { KeptSession, KeptSessionStore } from "../../src/contract/sessions_apart.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import type { Epoch, Epochs } from "./epochs.ts";

/** An adapter, and the sessions beside it. */
export interface SessionsApart {
  readonly adapter: Adapter;
  readonly sessions: KeptSessionStore;
  readonly epochs: Epochs;
}

/** A session that goes on. */
export interface LiveSession {
  readonly session: AdapterSession;
  readonly user: AdapterUser;
  readonly epoch: Epoch;
}

/** Finds a user. */
export async function userOf({ adapter }: Pick<SessionsApart, "adapter">, userId: string): Promise<AdapterUser | null> {
  if (!adapter.getUser) throw new AdapterError("Cannot use stored sessions: the adapter has no `getUser`");
  return await adapter.getUser(userId);
}

/** Finds a session that goes on, with its user. The store is asked where it is; then it and the adapter at the same time. */
export async function findLive(apart: SessionsApart, sessionToken: string): Promise<LiveSession | null> {
  const { sessions, epochs } = apart;
  const place = await sessions.locate(sessionToken);
  if (!place) return null;
  const found = userOf(apart, place.userId);
  const [kept, user, epoch] = await Promise.all([
    sessions.read(place),
    found,
    epochs.find(place.userId, () => found),
  ]);
  return kept && user && epoch && isOf(kept, epoch) ? { session: kept.session, user, epoch } : null;
}

/** Gives the sessions of a list that go on. */
export async function keepLive(apart: SessionsApart, kept: readonly KeptSession[]): Promise<AdapterSession[]> {
  // The ids are of the type that the database has.
  const users = Map.groupBy(kept, ({ session }) => session.userId);
  const live = await Promise.all([...users].map(async ([userId, theirs]) => {
    const epoch = await apart.epochs.find(userId, () => userOf(apart, userId));
    return epoch ? theirs.filter((each) => isOf(each, epoch)) : [];
  }));
  return live.flat().map(({ session }) => session);
}

/**
 * Whether a new session may have this token: no other one has it that goes on, unless it ends before. One that has ended
 * is removed.
 */
export async function isFree(
  apart: SessionsApart,
  sessionToken: string,
  endsBefore: (userId: string) => boolean = () => false,
): Promise<boolean> {
  const place = await apart.sessions.locate(sessionToken);
  if (!place || endsBefore(place.userId)) return true;
  if (await findLive(apart, sessionToken)) return false;
  await apart.sessions.remove(place);
  return true;
}

/** Whether a session goes on in an epoch. */
export function isOf({ epochs }: KeptSession, { name }: Epoch): boolean {
  return epochs.includes(name);
}
