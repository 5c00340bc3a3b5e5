/**
 * Sessions as rows in storage. The cookie holds a random token.
 *
 * @module
 */
import type { LogSubject } from "../kernel/log_subject.ts";
import { randomUuid } from "../crypto/random.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { SessionTokenError, SignOutError } from "../kernel/errors.ts";
import type { CookieJar } from "../http/cookies.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Storage } from "../storage/guard.ts";
import type { SessionAndUser } from "../contract/adapter.ts";
import { SEALED_PREFIX } from "./auth_session.ts";
import { describedRow } from "./session_row.ts";
import { shownTo, WRITE_SHARE } from "./rows.ts";
import type { RefreshedSession, RefreshOptions, SessionStore, StoredSession } from "./session_store.ts";
import type { ActiveSession, PreparedSession, SessionOwner } from "./session_store.ts";
import { isFromBeforeProof, isSinceProof, openSignedIn, sealSignedIn } from "./signed_in.ts";

type DatabaseConfig = Pick<ResolvedConfig, "runtime" | "sealer" | "session" | "logger" | "timeouts">;

/** The longest session token, in characters. It must fit into one cookie. */
const LONGEST_TOKEN = 1024;

/** Creates the store of the strategy `database`. */
export function createDatabaseStore(
  { runtime, sealer, session, logger, timeouts }: DatabaseConfig,
  storage: Storage,
): SessionStore {
  const lifetime = session.maxAge * 1000;

  // A write that hangs must not make the read fail.
  const withShortDeadline = <T>(what: string, run: () => Promise<T>): Promise<T> => {
    return withDeadline(runtime, timeouts.total * WRITE_SHARE, what, run);
  };

  const makeToken = (): string => {
    const token: unknown = session.generateSessionToken ? session.generateSessionToken() : randomUuid(runtime);
    if (typeof token === "string" && isToken(token)) return token;
    throw new TypeError(
      `session.generateSessionToken must return a text of 1 to ${LONGEST_TOKEN} characters that does not begin with ` +
        `"${SEALED_PREFIX}"`,
    );
  };

  const lookUp = async (token: string): Promise<StoredSession | null> => {
    const found = await storage.getSessionAndUser(token);
    return found && asFound(found);
  };

  const recall = async (token: string): Promise<StoredSession | null> => {
    const { rows } = storage;
    const now = runtime.now();
    const known = rows.get(token, now, session.cache);
    // Another process may have renewed one that seems to have ended, which would be removed.
    if (known && known.session.expires.valueOf() > now) return asFound(known);
    const beginning = rows.begin(now);
    const found = await lookUp(token);
    if (found) rows.set(token, { session: found.session, user: found.user }, beginning);
    return found;
  };

  // Some adapters fail to remove what is not there.
  const isGone = async (token: string): Promise<boolean> => {
    try {
      return await lookUp(token) === null;
    } catch {
      return false;
    }
  };

  const removeExpired = async (token: string, subject: LogSubject | undefined): Promise<void> => {
    try {
      await withShortDeadline("an ended session to be removed", () => storage.deleteSession(token));
    } catch (error) {
      logger.error(new SessionTokenError("Cannot remove a session that has ended", { cause: error }), subject);
    }
  };

  const writeToken = (cookies: CookieJar, { token, expires, signedIn }: PreparedSession): void => {
    cookies.clearChunked("sessionToken"); // chunks of the strategy `jwt`, used before
    cookies.write("sessionToken", token, { expires });
    if (signedIn !== undefined) cookies.write("signedIn", signedIn, { expires });
  };

  const forget = (cookies: CookieJar): void => {
    cookies.clearChunked("sessionToken");
    cookies.clear("signedIn");
  };

  // Storage with `commit` ends sessions together with the proof. Elsewhere each is judged when it is found.
  const judge = async (found: StoredSession, cookies: CookieJar, isShown: boolean): Promise<StoredSession | null> => {
    const isDoubtful = !storage.commit && isFromBeforeProof(found, lifetime);
    const isNeeded = isDoubtful || (!storage.commit && !isShown);
    const signedIn = isNeeded ? await openSignedIn(sealer, cookies, found.session.sessionToken) : null;
    const active = { ...found, signedIn };
    const isOver = found.session.expires.valueOf() <= runtime.now();
    if (!isOver && !(isDoubtful && isFromBeforeProof(active, lifetime))) {
      return { ...active, isSinceProof: storage.commit !== null || isSinceProof(active) };
    }
    await removeExpired(found.session.sessionToken, cookies.subject);
    return null;
  };

  // What was read may be from before a proof. So the session is judged again, and is as old as this reading.
  const readAgain = async (active: StoredSession, cookies: CookieJar): Promise<StoredSession | null> => {
    if (storage.commit) return active;
    const found = await lookUp(active.session.sessionToken);
    return found && await judge(found, cookies, true);
  };

  // A renewal that fails is tried again at the next read. Until then the session stays valid.
  const extend = async (active: StoredSession, expires: Date, cookies: CookieJar): Promise<StoredSession | null> => {
    const { sessionToken } = active.session;
    try {
      return await withShortDeadline("the session to be renewed", async () => {
        const current = await readAgain(active, cookies);
        if (!current) return null;
        const extended = await storage.updateSession({ sessionToken, expires });
        if (extended) return { ...current, session: { ...current.session, expires } };
        // Signed out meanwhile in another tab, or the adapter does not return what it has changed.
        return await lookUp(sessionToken);
      });
    } catch (error) {
      logger.error(new SessionTokenError("Cannot renew the session", { cause: error }), cookies.subject);
      return active;
    }
  };

  async function refresh(
    cookies: CookieJar,
    active: ActiveSession,
    { renew }: RefreshOptions,
  ): Promise<RefreshedSession | null> {
    if (active.strategy !== "database") return null;
    const { sessionToken, expires: before } = active.session;
    const now = runtime.now();
    const isDue = before.valueOf() - lifetime + session.updateAge * 1000 <= now;
    const wanted = new Date(now + lifetime);
    if (!renew || !isDue || wanted <= before) return { ...active, expires: before, shown: () => shownTo(active) };
    const extended = await extend(active, wanted, cookies);
    if (!extended) return null;
    const { expires } = extended.session;
    if (expires > before) writeToken(cookies, { token: sessionToken, expires, signedIn: cookies.read("signedIn") });
    return { ...extended, expires, shown: () => shownTo(extended) };
  }

  async function prepare({ row, provenEmail = null }: SessionOwner, cookies: CookieJar) {
    if (!row) return null;
    const { sessionToken: token, expires } = row;
    if (storage.commit) return { token, expires };
    const time = Math.floor((expires.getTime() - lifetime) / 1000);
    return { token, expires, signedIn: await sealSignedIn(sealer, cookies, { token, time, provenEmail }) };
  }

  return {
    async find(cookies, { kept = false } = {}) {
      const token = tokenIn(cookies);
      const look = kept && session.cache > 0 ? recall : lookUp;
      const found = token ? await look(token) : null;
      return found && await judge(found, cookies, kept);
    },
    async reserve(owner) {
      const sessionToken = makeToken();
      const now = owner.decidedAt ?? runtime.now();
      const expires = new Date(now + lifetime);
      const core = { sessionToken, userId: String(owner.user.id), expires };
      // Tables of adapters for Auth.js have no columns for more.
      return storage.commit ? await describedRow(sealer, core, owner, now) : core;
    },
    prepare,
    previousToken: tokenIn,
    write(cookies, prepared) {
      if (prepared) writeToken(cookies, prepared);
      else forget(cookies);
    },
    refresh,
    forget,
    async end(cookies) {
      const token = tokenIn(cookies);
      forget(cookies);
      if (!token) return null;
      try {
        return { session: await storage.deleteSession(token) };
      } catch (error) {
        if (await isGone(token)) return null;
        throw new SignOutError("Cannot remove the session from storage: it may still be valid", { cause: error });
      }
    },
  };
}

function asFound({ session, user }: SessionAndUser): StoredSession {
  return { strategy: "database", session, user, signedIn: null, isSinceProof: false };
}

function tokenIn(cookies: CookieJar): string | undefined {
  const token = cookies.read("sessionToken");
  return token && isToken(token) ? token : undefined;
}

// The key of the row of a sealed session is no secret.
function isToken(token: string): boolean {
  return token !== "" && token.length <= LONGEST_TOKEN && !token.startsWith(SEALED_PREFIX);
}
