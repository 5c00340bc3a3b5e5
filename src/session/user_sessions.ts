/**
 * The sessions of a user: which there are, and ending them.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Storage } from "../storage/guard.ts";
import { asRead } from "../contract/adapter.ts";
import { sameText } from "../crypto/digest.ts";
import { textFromBase64Url } from "../crypto/encoding.ts";
import { MissingAdapter, MissingAdapterMethods } from "../kernel/errors.ts";
import type { AdapterSession, AdapterUser } from "../kernel/model.ts";
import { type EventSubject, tell } from "../request/events.ts";
import { isLiveRow } from "../session_stores/ended.ts";
import { noteEnds, removeRow, removeRows } from "../session_stores/rows.ts";
import { sessionIdOf } from "../session_stores/session_id.ts";
import { endLegacySessions, endWaiting } from "../session_stores/without_rows.ts";

/** A session, as a page may show it to its user. */
export interface UserSession {
  /** Its id, for `revoke()`. It cannot be used to sign in. It changes with the first of the secrets. */
  readonly id: string;
  /** Id of the user. */
  readonly userId: string;
  /** When it ends unless it is used. Of an encrypted session: at the latest. */
  readonly expires: Date;
  /** When the user signed in, if that is known. */
  readonly signedInAt?: Date | undefined;
  /** Id of the provider of the sign-in, if that is known. */
  readonly provider?: string | undefined;
  /** Whether it is the session of the request. Only if the sessions were listed for a request. */
  readonly isCurrent?: boolean | undefined;
}

/** What is needed of the configuration. */
export type SessionsConfig = Pick<ResolvedConfig, "storage" | "runtime" | "secrets" | "session">;

/** Storage that knows all sessions of a user. */
export type ListingStorage =
  & Storage
  & {
    readonly [Name in "listSessionsByUserId" | "deleteSessionsByUserId"]: NonNullable<Storage[Name]>;
  };

/**
 * Gives the storage of sessions.
 *
 * @throws {MissingAdapter} if there is none, or if sessions are sealed and have no rows.
 * @throws {MissingAdapterMethods} if it cannot list sessions.
 */
export function listingStorage(config: SessionsConfig): ListingStorage {
  const lack = lackOf(config);
  if (lack) throw lack;
  return config.storage as ListingStorage;
}

/** Whether storage knows the sessions of its users. Sealed ones without a row end by themselves. */
export function knowsSessions(config: SessionsConfig): boolean {
  return lackOf(config) === null;
}

/** Gives what keeps the sessions of a user from being listed and ended; `null` if nothing does. */
function lackOf({ storage, session }: SessionsConfig): MissingAdapter | MissingAdapterMethods | null {
  if (!storage) {
    return new MissingAdapter("Cannot list or end sessions: they are not stored anywhere; set `adapter`");
  }
  if (!storage.listSessionsByUserId || !storage.deleteSessionsByUserId) {
    return new MissingAdapterMethods(
      "Cannot list or end sessions: the `adapter` lacks listSessionsByUserId or deleteSessionsByUserId",
    );
  }
  if (session.strategy === "jwt" && !session.revalidate) {
    return new MissingAdapter(
      'Cannot list or end sessions: with `session.strategy` "jwt" they have no rows unless `session.revalidate` is set, ' +
        "and the adapter has `commit`",
    );
  }
  return null;
}

/** Lists the sessions of a user that have not ended, the latest sign-in first. */
export async function listSessions(
  config: SessionsConfig,
  userId: string,
  currentKey?: string | null,
): Promise<UserSession[]> {
  const rows = await liveRowsOf(config, userId);
  return await Promise.all(rows.map((row) => sessionOf(config, row, currentKey)));
}

/** Lists the rows of the sessions of a user that have not ended, the latest sign-in first. */
export async function liveRowsOf(config: SessionsConfig, userId: string): Promise<readonly AdapterSession[]> {
  const now = config.runtime.now();
  const rows = (await listingStorage(config).listSessionsByUserId(userId)).filter((row) => isLiveRow(row, now));
  return rows.sort((one, other) => (other.auth_time ?? 0) - (one.auth_time ?? 0));
}

/** Gives a session as a page may show it. */
export async function sessionOf(
  { secrets }: Pick<SessionsConfig, "secrets">,
  row: AdapterSession,
  currentKey?: string | null,
): Promise<UserSession> {
  return {
    id: await sessionIdOf(secrets[0], row),
    userId: row.userId,
    expires: row.expires,
    ...(typeof row.auth_time === "number" && { signedInAt: new Date(row.auth_time * 1000) }),
    ...(row.provider !== undefined && { provider: row.provider }),
    ...(currentKey !== undefined && { isCurrent: row.sessionToken === currentKey }),
  };
}

/**
 * Ends a session.
 *
 * @param config The configuration.
 * @param id Its id.
 * @param options Whose it has to be, if that matters, and which request asks for it.
 * @returns Whether there was one.
 */
export async function revokeSession(
  config: ResolvedConfig,
  id: string,
  { userId, subject }: { readonly userId?: string | null | undefined; readonly subject?: EventSubject | undefined },
): Promise<boolean> {
  const storage = listingStorage(config);
  const owner = ownerIn(id);
  if (owner === null || (userId !== undefined && owner !== userId)) return false;
  const row = await findById(config, id, await storage.listSessionsByUserId(owner));
  const now = config.runtime.now();
  if (!row || !isLiveRow(row, now)) return false;
  await removeRow(storage, row, now);
  const event = () => ({ userId: owner, reason: "revoked" as const, count: 1, sessionId: id });
  await tell(config, { type: "sessionEnded", event, message: null }, subject);
  return true;
}

/** The session that asks to end others, as it was found. */
export interface AskingSession {
  readonly user: AdapterUser;
  /** The key of its row; `null` if it has none. */
  readonly key: string | null;
  /** The request that it is the session of. */
  readonly subject?: EventSubject | undefined;
}

/**
 * Ends the sessions of a user but the one that asks for it.
 *
 * @returns How many; `null` if the session has ended meanwhile, or the user has changed: then none was ended.
 */
export async function revokeOtherSessions(config: ResolvedConfig, asking: AskingSession): Promise<number | null> {
  const { user: { id, emailVerified }, key, subject } = asking;
  const storage = listingStorage(config);
  const now = config.runtime.now();
  const rows = await listIfStill(storage, asking, now);
  if (!rows) return null;
  await endWaiting(config, id);
  const others = rows.filter(({ sessionToken }) => sessionToken !== key);
  // A later proof of the address begins a session that is not in this list, and must not be ended.
  if (emailVerified && key !== null && storage.deleteOtherSessions) {
    await storage.deleteOtherSessions({ userId: id, sessionToken: key });
  } else await removeRows(storage, others, now);
  return await noteRevoked(config, { userId: id, rows: others, now, subject });
}

/**
 * Ends the sessions of a user, as one of them asks.
 *
 * @returns How many; `null` if that session has ended meanwhile, or the user has changed: then none was ended.
 */
export async function revokeSessionsAsked(config: ResolvedConfig, asking: AskingSession): Promise<number | null> {
  const { user, subject } = asking;
  const storage = listingStorage(config);
  const now = config.runtime.now();
  const rows = await listIfStill(storage, asking, now);
  if (!rows) return null;
  await endWaiting(config, user.id);
  if (user.emailVerified) await storage.deleteSessionsByUserId(user.id);
  else await removeRows(storage, rows, now);
  return await noteRevoked(config, { userId: user.id, rows, now, subject });
}

// Lists first, then makes sure that the asking session goes on. So every listed session is older than an event that ends
// the asking one, such as a proof of the address by another person.
async function listIfStill(
  storage: ListingStorage,
  { user, key }: AskingSession,
  now: number,
): Promise<readonly AdapterSession[] | null> {
  const rows = await storage.listSessionsByUserId(user.id);
  const row = rows.find(({ sessionToken }) => sessionToken === key);
  if (!storage.commit) return row ? rows : null;
  const result = await storage.commit({
    expect: { user: asRead(user), ...(row && { session: { sessionToken: row.sessionToken, userId: user.id } }) },
    updateUser: { id: user.id, sessionsEndedAt: new Date(now) },
  });
  if (result !== "done") return null;
  storage.revocations.invalidateBefore(user.id, now);
  return rows;
}

/** What ending all sessions is about. */
export interface RevokeAllOptions {
  /** The request that asks for it. */
  readonly subject?: EventSubject | undefined;
  /** Id of the record of a sign-in that waits, and goes on. */
  readonly keeps?: string | undefined;
}

/** Ends all sessions of a user, and the sign-ins that wait for a second proof. @returns How many sessions storage knew. */
export async function revokeAllSessions(
  config: ResolvedConfig,
  userId: string,
  { subject, keeps }: RevokeAllOptions = {},
): Promise<number> {
  const storage = listingStorage(config);
  const now = config.runtime.now();
  // First: what goes on in between becomes a session that ends with the others.
  await endWaiting(config, userId, keeps);
  await endLegacySessions(storage, userId, now);
  const rows = await storage.listSessionsByUserId(userId);
  await storage.deleteSessionsByUserId(userId);
  return await noteRevoked(config, { userId, rows, now, subject });
}

/** Sessions of a user that were ended at `now`. */
interface Revoked extends Pick<AskingSession, "subject"> {
  readonly userId: string;
  readonly rows: readonly AdapterSession[];
  readonly now: number;
}

/** Notes in this process that sessions were ended, and tells of it. @returns How many of them had not ended before. */
async function noteRevoked(config: ResolvedConfig, { userId, rows, now, subject }: Revoked): Promise<number> {
  const storage = listingStorage(config);
  noteEnds(storage, rows, now);
  storage.revocations.invalidateBefore(userId, config.runtime.now());
  const count = rows.filter((row) => isLiveRow(row, now)).length;
  const event = count > 0 ? () => ({ userId, reason: "revoked" as const, count }) : null;
  await tell(config, { type: "sessionEnded", event, message: null }, subject);
  return count;
}

function ownerIn(id: string): string | null {
  const [, encoded] = /^[0-9a-f-]{36}\.([\w-]{1,2048})$/.exec(id) ?? [];
  return encoded === undefined ? null : textFromBase64Url(encoded);
}

async function findById(
  { secrets }: SessionsConfig,
  id: string,
  rows: readonly AdapterSession[],
): Promise<AdapterSession | null> {
  for (const row of rows) {
    // A page that showed the id may be older than the newest secret.
    for (const secret of secrets) if (sameText(await sessionIdOf(secret, row), id)) return row;
  }
  return null;
}
