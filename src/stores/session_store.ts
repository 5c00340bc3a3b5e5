/**
 * Where sessions are kept: the shape every strategy has.
 *
 * @module
 */
import type { CookieJar } from "../http/cookies.ts";
import type { Account, JWT, Profile, User } from "../model.ts";

/** A session that was found and has not ended. */
export interface ActiveSession {
  readonly strategy: "jwt";
  readonly claims: JWT;
}

/** Who signs in, for a new session. */
export interface SessionOwner {
  readonly user: User;
  readonly account: Account;
  readonly profile?: Profile | undefined;
}

/** A new session, ready to be sent; `null` if the `jwt` callback did not want one. */
export interface PreparedSession {
  readonly token: string;
  readonly expires: Date;
}

/** A session after a read: its claims now, and when it ends. */
export interface TouchedSession {
  readonly claims: JWT;
  readonly expires: Date;
}

/** How a session is read. */
export interface TouchOptions {
  /** Whether the cookie may be renewed; a caller who cannot send it on must not. */
  readonly renew: boolean;
  /** What the client sent to change; absent when the session is only read. */
  readonly patch?: { readonly data: unknown };
}

/** Keeps sessions. */
export interface SessionStore {
  /** Finds the session of a browser. Never writes; an ended one is `null`. */
  find(cookies: CookieJar): Promise<ActiveSession | null>;
  /** Makes a session without telling the browser: that waits until everything else has succeeded. */
  prepare(owner: SessionOwner, cookies: CookieJar): Promise<PreparedSession | null>;
  /** Tells the browser; without a session, to forget the one it has. */
  write(cookies: CookieJar, prepared: PreparedSession | null): void;
  /** Runs the `jwt` callback over a session and renews it when it is due. `null` if the callback ended it. */
  touch(cookies: CookieJar, active: ActiveSession, options: TouchOptions): Promise<TouchedSession | null>;
  /** Ends a session. */
  end(cookies: CookieJar, active: ActiveSession | null): Promise<void>;
}
