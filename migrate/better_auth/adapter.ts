/**
 * An adapter that finds in Better Auth what is not here yet.
 *
 * @module
 */
import type { AccountKey, CompleteAdapter, SessionAndUser } from "../../src/contract/adapter.ts";
import type { AdapterSession, AdapterUser } from "../../src/kernel/model.ts";
import {
  assertSeparate,
  completeCopy,
  copySession,
  copyUser,
  type Migration,
  passkeyProvider,
  sessionOf,
} from "./copy.ts";
import { PASSWORD_PROVIDER, toBase64Url } from "./records.ts";

/**
 * Makes the adapter.
 *
 * Users are copied when they are first looked for. Sessions stay in the database of Better Auth too, and count only
 * while they are there: what ends a session on one side ends it on both.
 */
export function migratingAdapter(migration: Migration): CompleteAdapter {
  const { own, tables } = migration;
  const isSeparate = once(() => assertSeparate(migration));
  const complete = async (user: AdapterUser | null): Promise<AdapterUser | null> => {
    return user && await completeCopy(migration, user);
  };
  const endFormerSessions = async (userId: string): Promise<void> => void await tables.remove("session", { userId });
  const endFormerSession = async (sessionToken: string): Promise<void> => {
    const token = await migration.signer.verify(sessionToken);
    if (token !== null) await tables.remove("session", { token });
  };
  return {
    ...own,
    async getUser(id) {
      await isSeparate();
      return await copyUser(migration, id);
    },
    async getUserByEmail(email) {
      await isSeparate();
      const found = await own.getUserByEmail(email);
      if (found) return await complete(found);
      const [row] = await tables.find("user", { email: email.toLowerCase() });
      if (row) await copyUser(migration, String(row.id));
      return row ? await own.getUserByEmail(email) : null;
    },
    async getUserByAccount(key) {
      await isSeparate();
      const found = await own.getUserByAccount(key);
      if (found) return await complete(found);
      const userId = await formerOwner(migration, key);
      if (userId !== null) await copyUser(migration, userId);
      return userId === null ? null : await own.getUserByAccount(key);
    },
    async getAuthenticator(credentialID) {
      await isSeparate();
      const found = await own.getAuthenticator(credentialID);
      if (found) return found;
      const [row] = await tables.find("passkey", { credentialID: toBase64Url(credentialID) });
      if (row) await copyUser(migration, String(row.userId));
      return row ? await own.getAuthenticator(credentialID) : null;
    },
    async deleteUser(id) {
      // Otherwise the next sign-in would copy the user again.
      for (const table of ["session", "passkey", "account"] as const) await tables.remove(table, { userId: id });
      await tables.remove("user", { id });
      return await own.deleteUser(id);
    },
    async getSessionAndUser(sessionToken) {
      await isSeparate();
      return await findSession(migration, sessionToken);
    },
    async updateSession(changes) {
      const token = await migration.signer.verify(changes.sessionToken);
      if (token === null || !changes.expires) return await own.updateSession(changes);
      if (await tables.extendSession(token, changes.expires)) return await own.updateSession(changes);
      await own.deleteSession(changes.sessionToken);
      return null;
    },
    // Better Auth's session first: without it, ours opens nothing, even if a later step fails.
    async deleteSession(sessionToken) {
      await endFormerSession(sessionToken);
      return await own.deleteSession(sessionToken);
    },
    async deleteSessionsByUserId(userId) {
      await endFormerSessions(userId);
      await own.deleteSessionsByUserId(userId);
    },
    listSessionsByUserId: (userId) => listSessions(migration, userId),
    async deleteOtherSessions(kept) {
      const token = await migration.signer.verify(kept.sessionToken);
      if (token === null) await endFormerSessions(kept.userId);
      else await tables.removeOtherSessions(kept.userId, token);
      await own.deleteOtherSessions(kept);
    },
    async commit(plan) {
      if (plan.deleteSession !== undefined) await endFormerSession(plan.deleteSession);
      if (plan.evict) await endFormerSessions(plan.evict.userId);
      return await own.commit(plan);
    },
  };
}

/** Runs a check until it has passed. */
function once(check: () => Promise<void>): () => Promise<void> {
  let passed: Promise<void> | undefined;
  return () => {
    return passed ??= check().catch((error) => {
      passed = undefined;
      throw error;
    });
  };
}

async function findSession(migration: Migration, sessionToken: string): Promise<SessionAndUser | null> {
  const { own, signer, tables, now } = migration;
  const token = await signer.verify(sessionToken);
  if (token === null) return await own.getSessionAndUser(sessionToken);
  const [row] = await tables.find("session", { token });
  const session = row && sessionOf(row, now());
  if (!session) {
    await own.deleteSession(sessionToken);
    return null;
  }
  const found = await own.getSessionAndUser(sessionToken);
  if (found) return { ...found, user: await completeCopy(migration, found.user) };
  const user = await copyUser(migration, session.userId);
  return user && await copySession(migration, token, { user, session: { sessionToken, ...session } })
    ? await own.getSessionAndUser(sessionToken)
    : null;
}

// Sessions that have ended at Better Auth are not listed. Sessions that were not copied yet are.
async function listSessions({ own, signer, tables, now }: Migration, userId: string): Promise<AdapterSession[]> {
  const former = new Map((await tables.find("session", { userId })).map((row) => [String(row.token), row]));
  const listed: AdapterSession[] = [];
  for (const session of await own.listSessionsByUserId(userId)) {
    const token = await signer.verify(session.sessionToken);
    if (token === null || former.has(token)) listed.push(session);
    if (token !== null) former.delete(token);
  }
  for (const [token, row] of former) {
    const session = sessionOf(row, now());
    if (session) listed.push({ sessionToken: await signer.sign(token), ...session });
  }
  return listed;
}

/** Finds the owner of an account in Better Auth. */
async function formerOwner(
  { tables, providers }: Migration,
  { provider, providerAccountId }: AccountKey,
): Promise<string | null> {
  if (provider === passkeyProvider(providers)) {
    const [row] = await tables.find("passkey", { credentialID: toBase64Url(providerAccountId) });
    return row ? String(row.userId) : null;
  }
  const others = Object.keys(providers).filter((id) => providers[id] === provider);
  for (const providerId of new Set([...others, ...(Object.hasOwn(providers, provider) ? [] : [provider])])) {
    if (providerId === PASSWORD_PROVIDER) continue;
    const [row] = await tables.find("account", { providerId, accountId: providerAccountId });
    if (row) return String(row.userId);
  }
  return null;
}
