/**
 * Stored sessions beside an adapter, such as in Redis.
 *
 * @module
 */
import type { Adapter, AdapterSession, CheckedAdapter } from "../src/contract/adapter.ts";
import { methodsOf } from "../src/contract/methods.ts";
import type { KeptSessionStore } from "../src/contract/sessions_apart.ts";
import { randomUuid } from "../src/crypto/random.ts";
import { AdapterError, InvalidConfig } from "../src/kernel/errors.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { epochsOf } from "./sessions/epochs.ts";
import { findLive, isFree, isOf, keepLive, type SessionsApart, userOf } from "./sessions/live.ts";
import { commitApart } from "./sessions/plan.ts";

export type { KeptSession, KeptSessionStore, SessionPlace, StayingSession } from "../src/contract/sessions_apart.ts";

/** The operations on sessions, in storage that has them. */
export type SessionOperations = Required<
  Pick<
    Adapter,
    | "createSession"
    | "getSessionAndUser"
    | "updateSession"
    | "deleteSession"
    | "listSessionsByUserId"
    | "listSessionsByProviderSid"
    | "deleteSessionsByUserId"
    | "deleteOtherSessions"
  >
>;

/**
 * Keeps the sessions of an adapter in a place of their own, such as Redis. Users, and all else, stay where they are.
 *
 * The database decides which sessions of a user go on: each session holds an epoch, and goes on as long as the database
 * has the same one. To end all sessions of a user is one write there. So a store of sessions that loses something, or
 * comes back as it was an hour ago, signs people out and lets nobody in whose sessions were all ended. Adapters with
 * records have the epoch in a record of the kind `sessions`; in others it is what ends sessions there: `securityStamp`,
 * and the row of verification tokens (`ended:`).
 *
 * To read a session takes two round trips: one to the store, and then one to the store and to the database at the same
 * time. Sessions that the database has are not read any more: who has one signs in again.
 *
 * Sessions do not commit together with the rest of a plan. The order leaves the stricter state if the program ends in the
 * middle, and what was asked for can be asked for again:
 *
 * - What a plan expects of a session is read before. The transaction checks that the sessions of its user were not ended
 *   since. A plan that is decided while that very session is ended by itself, may still be carried out.
 * - The session that a plan removes is set aside before the transaction, and removed after it. It comes back only if the
 *   plan is rejected.
 * - The session that a plan creates is stored after the transaction.
 * - Of a user whose sessions are ended, or who is deleted, the epoch ends first, and then the sessions are removed.
 *
 * With `withRecords()`, begin with the sessions: `withRecords(withSessions(adapter, sessions), records)`. In the other
 * order, a plan that evicts ends the sessions of its user even if it is rejected.
 *
 * @example Usage
 * ```ts
 * import { memoryAdapter, memorySessions } from "@x/auth/adapters/memory";
 * import { withSessions } from "@x/auth/adapters/sessions";
 * import assert from "node:assert/strict";
 *
 * const adapter = withSessions(memoryAdapter(), memorySessions());
 * await adapter.createUser({ id: "1", email: "ada@example.com", emailVerified: null });
 * await adapter.createSession({ sessionToken: "random", userId: "1", expires: new Date(Date.now() + 60_000) });
 *
 * assert.equal((await adapter.getSessionAndUser("random"))?.user.email, "ada@example.com");
 * ```
 *
 * @param adapter The adapter, which keeps all of its other operations.
 * @param sessions Where sessions are: `redisSessions(client)` or `memorySessions()`.
 * @returns An adapter whose sessions are there. Its operations throw `AdapterError` if the place cannot be reached.
 * @throws {InvalidConfig} if `sessions` is something else, such as the client of a database.
 */
export function withSessions<Given extends Adapter>(
  adapter: Given,
  sessions: KeptSessionStore,
): Given & SessionOperations & CheckedAdapter {
  if (typeof (sessions as Partial<KeptSessionStore> | undefined)?.locate !== "function") {
    throw new InvalidConfig("Cannot use sessions: pass what `redisSessions(client)` returns", {
      logCode: "driver-unusable",
    });
  }
  const apart: SessionsApart = { adapter, sessions, epochs: epochsOf(adapter) };
  const own: SessionOperations & Adapter & CheckedAdapter = {
    ...oneByOne(apart),
    ...ofOneUser(apart),
    findProblems: async () => {
      const found = await Promise.all([
        (adapter as Partial<CheckedAdapter>).findProblems?.() ?? [],
        sessions.findProblems?.() ?? [],
      ]);
      return found.flat();
    },
    ...(adapter.deleteUser && { deleteUser: (userId) => deleteUser(apart, userId) }),
    ...(adapter.commit && { commit: (plan) => commitApart(apart, plan) }),
  };
  const operations: unknown = { ...methodsOf(adapter), ...own };
  // All methods of the adapter, and those on sessions.
  return operations as Given & SessionOperations & CheckedAdapter;
}

function oneByOne(apart: SessionsApart) {
  const { sessions, epochs } = apart;
  return {
    createSession: (session) => create(apart, session),
    getSessionAndUser: async (sessionToken) => {
      const live = await findLive(apart, sessionToken);
      return live && { session: live.session, user: live.user };
    },
    updateSession: async (changes) => {
      const place = await sessions.locate(changes.sessionToken);
      if (!place) return null;
      const [kept, epoch] = await Promise.all([
        sessions.update(place, changes),
        epochs.find(place.userId, () => userOf(apart, place.userId)),
      ]);
      return kept && epoch && isOf(kept, epoch) ? kept.session : null;
    },
    deleteSession: async (sessionToken) => {
      const place = await sessions.locate(sessionToken);
      return place && await sessions.remove(place);
    },
    listSessionsByProviderSid: async (key) => await keepLive(apart, await sessions.listByProviderSid(key)),
  } satisfies Partial<Adapter>;
}

function ofOneUser(apart: SessionsApart) {
  const { adapter, sessions, epochs } = apart;
  return {
    listSessionsByUserId: async (userId) => await keepLive(apart, await sessions.listByUserId(userId)),
    deleteSessionsByUserId: async (userId) => {
      await epochs.end(userId);
      await adapter.deleteSessionsByUserId?.(userId);
      await sessions.end(userId);
    },
    deleteOtherSessions: async ({ userId, sessionToken }) => {
      const live = await findLive(apart, sessionToken);
      if (!live || String(live.session.userId) !== String(userId)) {
        await epochs.end(userId);
        return await sessions.end(userId);
      }
      // The one that stays goes on in both epochs, so that it never seems to have ended.
      const next = randomUuid(systemRuntime);
      await sessions.end(userId, { sessionToken, epochs: [live.epoch.name, next] });
      await epochs.advance(userId, live.epoch, next);
    },
  } satisfies Partial<Adapter>;
}

async function create(apart: SessionsApart, session: AdapterSession): Promise<AdapterSession> {
  const { sessions, epochs } = apart;
  const { sessionToken, userId } = session;
  const user = await userOf(apart, userId);
  if (!user) throw new AdapterError("Cannot store session: its user does not exist");
  const epoch = await epochs.begin(userId, () => Promise.resolve(user));
  if (await isFree(apart, sessionToken) && await sessions.add({ session, epochs: [epoch.name] })) {
    return structuredClone(session);
  }
  throw new AdapterError("Cannot store session: there is one of the same token");
}

async function deleteUser({ adapter, sessions, epochs }: SessionsApart, userId: string) {
  await epochs.end(userId);
  await sessions.end(userId);
  const deleted = await adapter.deleteUser?.(userId);
  // Again what was added meanwhile.
  await sessions.end(userId);
  return deleted;
}
