/**
 * The rows of sealed sessions. A session goes on as long as it has its row, so it can be listed and ended.
 *
 * The claim `auth_session` says which row it is, and when storage was last known to have it. A session from before,
 * without this claim, gets its row when it is renewed. Until then, and for copies of its old cookie, `jti` is its id.
 *
 * @module
 */
import type { LogSubject } from "../kernel/log_subject.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Storage } from "../storage/guard.ts";
import { randomUuid } from "../crypto/random.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { SessionTokenError, SignOutError } from "../kernel/errors.ts";
import type { AdapterSession, JWT } from "../kernel/model.ts";
import { adoptSession } from "./adopt.ts";
import { authSession, SEALED_PREFIX, sealedIdOf, sealedKey } from "./auth_session.ts";
import { isLiveRow, type Judge, knownUser } from "./ended.ts";
import { createLookUp, nameOf } from "./look_up.ts";
import { removeRow, WRITE_SHARE } from "./rows.ts";
import { describedRow } from "./session_row.ts";
import type { FindOptions, SessionOwner } from "./session_store.ts";

type RowsConfig = Pick<ResolvedConfig, "runtime" | "sealer" | "session" | "jwt" | "logger" | "timeouts">;

/** The rows of sealed sessions. */
export interface SealedRows {
  /**
   * Gives the claims of a session if it goes on, and `null` if it was ended. With `kept`, a look-up of before may count.
   *
   * @throws {AdapterError} if storage fails, because then nobody knows whether there is a session.
   */
  admit(claims: JWT, options: FindOptions): Promise<JWT | null>;
  /** Whether the row has to be extended, whatever the age of the token. */
  isDue(claims: JWT): boolean;
  /**
   * Extends the row of a session before it is sealed again, or gives it one. Its claims have the beginning of a session
   * without a row.
   *
   * @returns The claims to seal; `null` if the session was ended; `undefined` if storage fails, which is logged, and the
   * claims have not changed: then the session is renewed at the next read.
   */
  keep(claims: JWT, changed: boolean, subject?: LogSubject): Promise<JWT | null | undefined>;
  /** Makes the row of a new session, for the plan of the sign-in. */
  reserve(owner: SessionOwner): Promise<AdapterSession>;
  /**
   * Gives the claim of a new session: empty if its user is not in storage, `null` if there must be no session. The session
   * that it replaces is ended.
   */
  begin(
    owner: SessionOwner,
    readReplaced: () => Promise<JWT | null>,
    subject?: LogSubject,
  ): Promise<{ readonly auth_session?: unknown } | null>;
  /** Ends a session. @throws {SignOutError} if storage fails, because then it may go on. */
  end(claims: JWT): Promise<void>;
}

/** Makes the rows of sealed sessions. */
export function createSealedRows(config: RowsConfig, storage: Storage): SealedRows {
  const { runtime, sealer, session, jwt, logger, timeouts } = config;
  const extendAfter = Math.max(session.updateAge, session.revalidate) * 1000;
  // A token may be sealed again without its row, so the row outlives it.
  const lifetime = Math.min(session.maxAge, jwt.maxAge) * 1000 + extendAfter;

  // A write that hangs must not make the read fail.
  const tryWriting = async <T>(
    what: string,
    subject: LogSubject | undefined,
    run: () => Promise<T>,
  ): Promise<T | undefined> => {
    try {
      return await withDeadline(runtime, timeouts.total * WRITE_SHARE, what, run);
    } catch (error) {
      logger.error(new SessionTokenError("Cannot write the session", { cause: error }), subject);
      return undefined;
    }
  };

  const judge: Judge = { storage, session };
  const adopt = (claims: JWT) => adoptSession(judge, claims, { now: runtime.now(), lifetime });

  const isDue = (claims: JWT): boolean => {
    const own = sealedIdOf(claims);
    return own !== null && own.seenAt + extendAfter <= runtime.now();
  };

  const extend = async (id: string): Promise<string | null> => {
    const [sessionToken, now] = [SEALED_PREFIX + id, runtime.now()];
    const extended = await storage.updateSession({ sessionToken, expires: new Date(now + lifetime) });
    // Not every adapter returns what it has changed.
    const row = extended ?? (await storage.getSessionAndUser(sessionToken))?.session;
    return isLiveRow(row, now) ? id : null;
  };

  const keep = async (claims: JWT, changed: boolean, subject?: LogSubject): Promise<JWT | null | undefined> => {
    const own = sealedIdOf(claims);
    if (own && !isDue(claims)) return claims;
    const since = runtime.now();
    const kept = await tryWriting("the session to be renewed", subject, async () => {
      const id = own ? await extend(own.id) : await adopt(claims);
      return { id };
    });
    if (!kept) return changed ? claims : undefined;
    if (kept.id === undefined) return claims;
    if (kept.id !== null) return { ...claims, auth_session: authSession(kept.id, since) };
    storage.revocations.noteEnded(nameOf(claims), claims.sub, since);
    return null;
  };

  const reserve = (owner: SessionOwner): Promise<AdapterSession> => {
    const now = runtime.now();
    const sessionToken = SEALED_PREFIX + randomUuid(runtime);
    const core = { sessionToken, userId: String(owner.user.id), expires: new Date(now + lifetime) };
    return describedRow(sealer, core, owner, now);
  };

  const store = async (owner: SessionOwner, subject?: LogSubject): Promise<AdapterSession | undefined> => {
    return await tryWriting("the session to be stored", subject, async () => {
      if (!await knownUser(storage, { sub: owner.user.id })) return undefined;
      const row = await reserve({ ...owner, providerSession: { provider: owner.account.provider } });
      await storage.createSession(row);
      return row;
    });
  };

  const end = async (claims: JWT): Promise<void> => {
    const key = sealedKey(claims);
    if (key === null) return;
    try {
      // Without a row nothing would tell that the cookie of a session from before was ended.
      if (!sealedIdOf(claims) && typeof await adopt(claims) !== "string") return;
      await removeRow(storage, { sessionToken: key, userId: claims.sub }, runtime.now());
    } catch (cause) {
      throw new SignOutError("Cannot remove the session from storage: it may still be valid", { cause });
    }
  };

  return {
    admit: createLookUp(config, storage),
    isDue,
    keep,
    reserve,
    async begin(owner, readReplaced, subject) {
      const { continues } = owner;
      if (continues === null) return null;
      if (continues) {
        const kept = await keep(continues, true, subject);
        return kept ? { auth_session: kept.auth_session } : null;
      }
      const replaced = await readReplaced();
      if (replaced) await tryWriting("the former session to be ended", subject, () => end(replaced));
      const row = owner.row ?? await store(owner, subject);
      if (!row) return {};
      return { auth_session: authSession(row.sessionToken.slice(SEALED_PREFIX.length), (row.auth_time ?? 0) * 1000) };
    },
    end,
  };
}
