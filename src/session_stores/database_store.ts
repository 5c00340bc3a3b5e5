/**
 * Sessions as rows in storage. The cookie holds a random token.
 *
 * @module
 */
import { randomUuid } from "../crypto/random.ts";
import { SignOutError } from "../kernel/errors.ts";
import type { CookieJar } from "../http/cookies.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Storage } from "../storage/guard.ts";
import type { AdapterSession, SessionAndUser } from "../contract/adapter.ts";
import { SEALED_PREFIX } from "./auth_session.ts";
import { authenticationOf } from "./authentication.ts";
import { describedRow, succeedingRow } from "./provider_session.ts";
import { shownTo, tryWriting } from "./rows.ts";
import type {
  ActiveSession,
  EndedSession,
  FindOptions,
  PreparedSession,
  RefreshedSession,
  RefreshOptions,
  SessionOwner,
  SessionStore,
  Step,
  StoredSession,
  Successor,
} from "./session_store.ts";
import { isFromBeforeProof, isSinceProof, openSignedIn, sealSignedIn } from "./signed_in.ts";

type DatabaseConfig = Pick<
  ResolvedConfig,
  "callbacks" | "actsAt" | "runtime" | "sealer" | "session" | "logger" | "timeouts"
>;

/** The longest session token, in characters. It must fit into one cookie. */
const LONGEST_TOKEN = 1024;

/** Creates the store of the strategy `database`. */
export function createDatabaseStore(config: DatabaseConfig, storage: Storage): SessionStore {
  return new DatabaseStore(config, storage);
}

class DatabaseStore implements SessionStore {
  readonly #config: DatabaseConfig;
  readonly #storage: Storage;
  /** Milliseconds that a session lives after it was renewed. */
  readonly #lifetime: number;

  constructor(config: DatabaseConfig, storage: Storage) {
    this.#config = config;
    this.#storage = storage;
    this.#lifetime = config.session.maxAge * 1000;
  }

  async find(cookies: CookieJar, { kept = false, token: given }: FindOptions = {}): Promise<StoredSession | null> {
    const token = tokenIn(cookies, given);
    if (!token) return null;
    const found = kept && this.#config.session.cache > 0 ? await this.#recall(token) : await this.#lookUp(token);
    return found && await this.#judge(found, cookies, kept);
  }

  async reserve(owner: SessionOwner): Promise<AdapterSession> {
    const { runtime, sealer } = this.#config;
    const token = this.#newToken();
    const now = owner.decidedAt ?? runtime.now();
    const core = { sessionToken: token, userId: String(owner.user.id), expires: new Date(now + this.#lifetime) };
    // Tables of adapters for Auth.js have no columns for more.
    return this.#storage.commit ? await describedRow(sealer, core, owner, now) : core;
  }

  async prepare(
    { row, provenEmail = null, authentication }: SessionOwner,
    cookies: CookieJar,
  ): Promise<PreparedSession | null> {
    if (!row) return null;
    const { sessionToken: token, expires } = row;
    if (this.#storage.commit) return { token, expires };
    const time = Math.floor((expires.getTime() - this.#lifetime) / 1000);
    const signedIn = await sealSignedIn(this.#config.sealer, cookies, { ...authentication, token, time, provenEmail });
    return { token, expires, signedIn };
  }

  async succeed(cookies: CookieJar, active: ActiveSession, step: Step): Promise<Successor | null> {
    if (active.strategy !== "database") return null;
    const { session, signedIn } = active;
    const { authentication, time } = step;
    const { sealer } = this.#config;
    const { commit } = this.#storage;
    const [token, expires] = [this.#newToken(), new Date(time + this.#lifetime)];
    // Tables of adapters for Auth.js have no columns for how somebody signed in. A row that says it wins over the cookie.
    const saysHow = commit !== null || session.auth_time !== undefined || session.auth_methods !== undefined;
    const created = await succeedingRow(
      sealer,
      session,
      { sessionToken: token, expires },
      saysHow ? authentication : null,
    );
    const rows = { created, ended: session.sessionToken };
    if (commit) return { rows, prepared: { token, expires } };
    const known = { time: authentication.time ?? 0, provenEmail: signedIn?.provenEmail ?? null };
    const proof = await sealSignedIn(sealer, cookies, { ...authentication, ...known, token });
    return { rows, prepared: { token, expires, signedIn: proof } };
  }

  previousToken(cookies: CookieJar, token?: string): string | undefined {
    return tokenIn(cookies, token);
  }

  write(cookies: CookieJar, prepared: PreparedSession | null): void {
    if (!prepared) return this.forget(cookies);
    const { token, expires, signedIn } = prepared;
    cookies.clearChunked("sessionToken"); // chunks of the strategy `jwt`, used before
    cookies.write("sessionToken", token, { expires });
    if (signedIn !== undefined) cookies.write("signedIn", signedIn, { expires });
  }

  async refresh(
    cookies: CookieJar,
    active: ActiveSession,
    { renew }: RefreshOptions,
  ): Promise<RefreshedSession | null> {
    if (active.strategy !== "database") return null;
    const { sessionToken, expires: before } = active.session;
    const now = this.#config.runtime.now();
    const isDue = before.valueOf() - this.#lifetime + this.#config.session.updateAge * 1000 <= now;
    const wanted = new Date(now + this.#lifetime);
    if (!renew || !isDue || wanted <= before) return refreshedTo(active);
    const extended = await this.#extend(active, wanted, cookies);
    if (!extended) return null;
    const { expires } = extended.session;
    if (expires > before) this.write(cookies, { token: sessionToken, expires, signedIn: cookies.read("signedIn") });
    return refreshedTo(extended);
  }

  forget(cookies: CookieJar): void {
    cookies.clearChunked("sessionToken");
    cookies.clear("signedIn");
  }

  async end(cookies: CookieJar, given?: string): Promise<EndedSession | null> {
    const token = tokenIn(cookies, given);
    this.forget(cookies);
    if (!token) return null;
    try {
      return { session: await this.#storage.deleteSession(token) };
    } catch (cause) {
      // Some adapters fail to remove a row that does not exist.
      const isGone = await this.#lookUp(token).then((found) => found === null, () => false);
      if (isGone) return null;
      throw new SignOutError("Cannot remove the session from storage: it may still be valid", { cause });
    }
  }

  #newToken(): string {
    const { runtime, session } = this.#config;
    const token: unknown = session.generateSessionToken ? session.generateSessionToken() : randomUuid(runtime);
    if (typeof token === "string" && isToken(token)) return token;
    throw new TypeError(
      `session.generateSessionToken must return a text of 1 to ${LONGEST_TOKEN} characters that does not begin with ` +
        `"${SEALED_PREFIX}"`,
    );
  }

  async #lookUp(token: string): Promise<StoredSession | null> {
    const found = await this.#storage.getSessionAndUser(token);
    return found && asFound(found);
  }

  async #recall(token: string): Promise<StoredSession | null> {
    const { rows } = this.#storage;
    const now = this.#config.runtime.now();
    const known = rows.get(token, now, this.#config.session.cache);
    // A cached session that seems to have ended may have been renewed by another process. It must not be removed.
    if (known && known.session.expires.valueOf() > now) return asFound(known);
    const start = rows.begin(now);
    const found = await this.#lookUp(token);
    if (found) rows.set(token, { session: found.session, user: found.user }, start);
    return found;
  }

  // Storage with `commit` ends sessions together with the proof. Elsewhere each is judged when it is found.
  async #judge(found: StoredSession, cookies: CookieJar, isShown: boolean): Promise<StoredSession | null> {
    const { commit } = this.#storage;
    const { sessionToken, expires } = found.session;
    const isDoubtful = !commit && isFromBeforeProof(found, this.#lifetime);
    const { callbacks, actsAt } = this.#config;
    const isNeeded = isDoubtful ||
      (!commit && (!isShown || callbacks.session || actsAt.has("mint") || actsAt.has("changed")));
    const active = {
      ...found,
      signedIn: isNeeded ? await openSignedIn(this.#config.sealer, cookies, sessionToken) : null,
    };
    const isOver = expires.valueOf() <= this.#config.runtime.now();
    if (!isOver && !(isDoubtful && isFromBeforeProof(active, this.#lifetime))) {
      return { ...active, isSinceProof: commit !== null || isSinceProof(active) };
    }
    const { subject } = cookies;
    const attempt = {
      what: "an ended session to be removed",
      message: "Cannot remove a session that has ended",
      subject,
    };
    await tryWriting(this.#config, attempt, () => this.#storage.deleteSession(sessionToken));
    return null;
  }

  // A renewal that fails is tried again at the next read. Until then the session stays valid.
  async #extend(active: StoredSession, expires: Date, cookies: CookieJar): Promise<StoredSession | null> {
    const { sessionToken } = active.session;
    const { subject } = cookies;
    const attempt = { what: "the session to be renewed", message: "Cannot renew the session", subject };
    const extended = await tryWriting(this.#config, attempt, async () => {
      const current = await this.#readAgain(active, cookies);
      if (!current) return null;
      const extended = await this.#storage.updateSession({ sessionToken, expires });
      if (extended) return { ...current, session: { ...current.session, expires } };
      // Signed out meanwhile in another tab, or the adapter does not return what it has changed.
      return await this.#lookUp(sessionToken);
    });
    return extended === undefined ? active : extended;
  }

  // The address may have been proven since the session was read. So it is judged again, by a row that is read now.
  async #readAgain(active: StoredSession, cookies: CookieJar): Promise<StoredSession | null> {
    if (this.#storage.commit) return active;
    const found = await this.#lookUp(active.session.sessionToken);
    return found && await this.#judge(found, cookies, true);
  }
}

function refreshedTo(active: StoredSession): RefreshedSession {
  return {
    ...active,
    expires: active.session.expires,
    shown: () => shownTo(active),
    auth: () => authenticationOf(active),
  };
}

function asFound({ session, user }: SessionAndUser): StoredSession {
  return { strategy: "database", session, user, signedIn: null, isSinceProof: false };
}

function tokenIn(cookies: CookieJar, given?: string): string | undefined {
  const token = given ?? cookies.read("sessionToken");
  return token && isToken(token) ? token : undefined;
}

// The key of the row of a sealed session is not a secret.
function isToken(token: string): boolean {
  return token !== "" && token.length <= LONGEST_TOKEN && !token.startsWith(SEALED_PREFIX);
}
