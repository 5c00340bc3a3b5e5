/**
 * Stored sessions that are kept apart from users, such as in Redis.
 *
 * @module
 */
import type { Changes } from "./adapter.ts";
import type { AdapterSession, ProviderSid } from "../kernel/model.ts";

/** A session that is kept apart. */
export interface KeptSession {
  /** The session. */
  readonly session: AdapterSession;
  /**
   * The epochs of its user in which it goes on. The adapter holds which one it is now: in any other, the session has
   * ended.
   */
  readonly epochs: readonly string[];
}

/** Where a session is kept. A store may note more in it. */
export interface SessionPlace {
  /** Id of its user. */
  readonly userId: string;
  /** Its token. */
  readonly sessionToken: string;
}

/** A session that stays when the others of its user end. */
export interface StayingSession {
  /** Its token. */
  readonly sessionToken: string;
  /** The epochs in which it goes on from now on. */
  readonly epochs: readonly string[];
}

/**
 * A place for sessions, beside an adapter. Each method is atomic. A session that the store loses has ended, and so has one
 * that is kept by halves.
 */
export interface KeptSessionStore {
  /** Finds where a session is. `null` if there is none. */
  locate(sessionToken: string): Promise<SessionPlace | null>;
  /** Reads a session. `null` if there is none, or if it was set aside. */
  read(place: SessionPlace): Promise<KeptSession | null>;
  /** Stores a session. `false` if its user has one with this token. */
  add(kept: KeptSession): Promise<boolean>;
  /** Changes a session, but never its user. `null` if there is none: it is never created. */
  update(place: SessionPlace, changes: Changes<AdapterSession, "sessionToken">): Promise<KeptSession | null>;
  /** Removes a session and returns it; `null` if there was none, or if it was set aside. */
  remove(place: SessionPlace): Promise<AdapterSession | null>;
  /** Sets a session aside until it is removed or put back: nobody finds it meanwhile. @param by Who does it. */
  setAside(place: SessionPlace, by: string): Promise<void>;
  /** Puts a session back, if it is still there and nobody else has set it aside. */
  putBack(place: SessionPlace, by: string): Promise<void>;
  /** Removes all sessions of a user but the one that stays. */
  end(userId: string, staying?: StayingSession): Promise<void>;
  /** Lists the sessions of a user. */
  listByUserId(userId: string): Promise<KeptSession[]>;
  /** Lists the sessions, of any user, that have this `provider` and this `providerSid`. */
  listByProviderSid(key: ProviderSid): Promise<KeptSession[]>;
  /** Says what is wrong with the store, in sentences, when `auth.check()` asks. */
  findProblems?(): Promise<readonly string[]>;
}
