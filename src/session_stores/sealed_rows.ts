/**
 * The rows of sealed sessions. A session goes on as long as it has its row, so it can be listed and ended.
 *
 * The claim `auth_session` says which row it is, and when storage was last known to have it. A legacy session gets its row
 * when it is renewed. Until then, and for copies of its old cookie, `jti` is its id.
 *
 * @module
 */
import type { LogSubject } from "../kernel/log_subject.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Storage } from "../storage/guard.ts";
import { randomUuid } from "../crypto/random.ts";
import { SignOutError } from "../kernel/errors.ts";
import type { AdapterSession, JWT } from "../kernel/model.ts";
import { adoptSession } from "./adopt.ts";
import { authSession, claimOf, SEALED_PREFIX, sealedIdOf, sealedKey } from "./auth_session.ts";
import { isLiveRow } from "./ended.ts";
import { type Admit, createLookUp, nameOf } from "./look_up.ts";
import { describedRow, succeedingRow } from "./provider_session.ts";
import { removeRow, tryWriting } from "./rows.ts";
import type { SessionOwner, Step, Successor } from "./session_store.ts";

type RowsConfig = Pick<ResolvedConfig, "runtime" | "sealer" | "session" | "jwt" | "logger" | "timeouts">;

/** Makes the rows of sealed sessions. */
export function createSealedRows(config: RowsConfig, storage: Storage): SealedRows {
  return new SealedRows(config, storage);
}

/** The rows of sealed sessions. */
export class SealedRows {
  /**
   * Gives the claims of a session if it goes on, and `null` if it was ended. With `kept`, an earlier look-up may count.
   *
   * @throws {AdapterError} if storage fails, because then it is unknown whether there is a session.
   */
  readonly admit: Admit;
  readonly #config: RowsConfig;
  readonly #storage: Storage;
  /** Milliseconds after which a row is extended, and those that it lives. */
  readonly #extendAfter: number;
  readonly #lifetime: number;

  constructor(config: RowsConfig, storage: Storage) {
    const { session, jwt } = config;
    this.admit = createLookUp(config, storage);
    this.#config = config;
    this.#storage = storage;
    this.#extendAfter = Math.max(session.updateAge, session.revalidate) * 1000;
    // A token may be sealed again without its row, so the row outlives it.
    this.#lifetime = Math.min(session.maxAge, jwt.maxAge) * 1000 + this.#extendAfter;
  }

  /** Whether the row has to be extended, even if the token is young. */
  isDue(claims: JWT): boolean {
    const own = sealedIdOf(claims);
    return own !== null && own.seenAt + this.#extendAfter <= this.#config.runtime.now();
  }

  /**
   * Extends the row of a session before it is sealed again, or gives it one. Its claims have the beginning of a session
   * without a row.
   *
   * @returns The claims to seal; `null` if the session was ended; `undefined` if storage fails, which is logged, and the
   * claims have not changed: then the session is renewed at the next read.
   */
  async keep(claims: JWT, changed: boolean, subject?: LogSubject): Promise<JWT | null | undefined> {
    const own = sealedIdOf(claims);
    if (own && !this.isDue(claims)) return claims;
    const since = this.#config.runtime.now();
    const kept = await tryWriting(this.#config, { what: "the session to be renewed", subject }, async () => {
      return { id: own ? await this.#extend(own.id) : await this.#adopt(claims) };
    });
    if (!kept) return changed ? claims : undefined;
    if (kept.id === undefined) return claims;
    if (kept.id !== null) return { ...claims, auth_session: authSession(kept.id, since) };
    this.#storage.revocations.noteEnded(nameOf(claims), claims.sub, since);
    return null;
  }

  /** Makes the row of a new session, for the plan of the sign-in. */
  reserve(owner: SessionOwner): Promise<AdapterSession> {
    const { runtime, sealer } = this.#config;
    const now = runtime.now();
    const sessionToken = SEALED_PREFIX + randomUuid(runtime);
    const core = { sessionToken, userId: String(owner.user.id), expires: new Date(now + this.#lifetime) };
    return describedRow(sealer, core, owner, now);
  }

  /**
   * Gives the claim of a new session: empty if its user is not in storage, `null` if there must be no session. The session
   * that it replaces is ended.
   */
  async begin(
    owner: SessionOwner,
    readReplaced: () => Promise<JWT | null>,
    subject?: LogSubject,
  ): Promise<{ readonly auth_session?: unknown } | null> {
    const { continues } = owner;
    if (continues === null) return null;
    if (continues) {
      const kept = await this.keep(continues, true, subject);
      return kept ? { auth_session: kept.auth_session } : null;
    }
    const replaced = await readReplaced();
    if (replaced) {
      await tryWriting(this.#config, { what: "the former session to be ended", subject }, () => this.end(replaced));
    }
    const row = owner.row ??
      await tryWriting(this.#config, { what: "the session to be stored", subject }, () => this.#store(owner));
    if (!row) return {};
    return claimOf(row);
  }

  /**
   * Makes the row of a session in place of another.
   *
   * @returns `null` if that one was ended; `undefined` if it cannot have a row, because its user is not stored.
   * @throws {AdapterError} if storage fails.
   */
  async succeed(
    claims: JWT,
    { authentication, time }: Step,
  ): Promise<NonNullable<Successor["rows"]> | null | undefined> {
    const { runtime, sealer } = this.#config;
    const id = sealedIdOf(claims)?.id ?? await this.#adopt(claims);
    if (typeof id !== "string") return id;
    const ended = SEALED_PREFIX + id;
    const row = (await this.#storage.getSessionAndUser(ended))?.session;
    if (!row || !isLiveRow(row, runtime.now())) return null;
    const after = { sessionToken: SEALED_PREFIX + randomUuid(runtime), expires: new Date(time + this.#lifetime) };
    return { created: await succeedingRow(sealer, row, after, authentication), ended };
  }

  /** Ends a session. @throws {SignOutError} if storage fails, because then it may go on. */
  async end(claims: JWT): Promise<void> {
    const key = sealedKey(claims);
    if (key === null) return;
    try {
      // Only a row can record that the cookie of a legacy session was ended.
      if (!sealedIdOf(claims) && typeof await this.#adopt(claims) !== "string") return;
      await removeRow(this.#storage, { sessionToken: key, userId: claims.sub }, this.#config.runtime.now());
    } catch (cause) {
      throw new SignOutError("Cannot remove the session from storage: it may still be valid", { cause });
    }
  }

  #adopt(claims: JWT): Promise<string | null | undefined> {
    const { session, runtime } = this.#config;
    return adoptSession({ storage: this.#storage, session }, claims, { now: runtime.now(), lifetime: this.#lifetime });
  }

  async #extend(id: string): Promise<string | null> {
    const [sessionToken, now] = [SEALED_PREFIX + id, this.#config.runtime.now()];
    const extended = await this.#storage.updateSession({ sessionToken, expires: new Date(now + this.#lifetime) });
    // Not every adapter returns what it has changed.
    const row = extended ?? (await this.#storage.getSessionAndUser(sessionToken))?.session;
    return isLiveRow(row, now) ? id : null;
  }

  async #store(owner: SessionOwner): Promise<AdapterSession | undefined> {
    if (!owner.user.id || !await this.#storage.findUser(owner.user.id)) return undefined;
    const row = await this.reserve(owner);
    await this.#storage.createSession(row);
    return row;
  }
}
