/**
 * Where sessions are kept: the shape every strategy has.
 *
 * @module
 */
import type { CookieJar } from "../http/cookies.ts";
import type { Account, AdapterSession, AdapterUser, JWT, Profile, User } from "../kernel/model.ts";

/** A session that was found and has not ended. */
export type ActiveSession =
  | { readonly strategy: "jwt"; readonly claims: JWT }
  | { readonly strategy: "database"; readonly session: AdapterSession; readonly user: AdapterUser };

/** Who signs in, for a new session. */
export interface SessionOwner {
  readonly user: User;
  readonly account: Account;
  readonly profile?: Profile | undefined;
  /** Whether this sign-in made the user; `undefined` where nobody is remembered. */
  readonly isNewUser?: boolean | undefined;
  /** When they signed in, in seconds since 1970, where a session only goes on in another form. @default now */
  readonly signedInAt?: number | undefined;
}

/** A new session, ready to be sent; `null` if the `jwt` callback did not want one. */
export interface PreparedSession {
  readonly token: string;
  readonly expires: Date;
  /** The row to store before the browser is told. */
  readonly row?: AdapterSession;
}

/** A session after a read, and when it ends. */
export type RefreshedSession = ActiveSession & { readonly expires: Date };

/** How a session is read. */
export interface RefreshOptions {
  /** Whether the session may be renewed; a caller who cannot send its cookie on must not. */
  readonly renew: boolean;
  /** What the client sent to change; absent when the session is only read. */
  readonly patch?: { readonly data: unknown };
}

/** A session that was ended: its claims, or its row if it was still there. */
export type EndedSession = { readonly token: JWT } | { readonly session: AdapterSession | null };

/** Keeps sessions. */
export interface SessionStore {
  /**
   * Finds the session of a browser. One that has ended is `null`, and its row is removed.
   *
   * @throws {AdapterError} if storage fails: then nobody knows whether there is a session.
   */
  find(cookies: CookieJar): Promise<ActiveSession | null>;
  /** Makes a session without telling anybody: that waits until everything else has succeeded. */
  prepare(owner: SessionOwner, cookies: CookieJar): Promise<PreparedSession | null>;
  /** The token of the row that a new session replaces, if sessions have rows. */
  previousToken(cookies: CookieJar): string | undefined;
  /** Tells the browser; without a session, to forget the one it has. */
  write(cookies: CookieJar, prepared: PreparedSession | null): void;
  /** Runs the `jwt` callback over a session and renews it when it is due. `null` if that ended it. */
  refresh(cookies: CookieJar, active: ActiveSession, options: RefreshOptions): Promise<RefreshedSession | null>;
  /** Tells the browser to forget a session that is no more. */
  forget(cookies: CookieJar): void;
  /**
   * Ends the session of a browser, if it has one. The browser is told in any case.
   *
   * @throws {SignOutError} if storage fails: the session may live on.
   */
  end(cookies: CookieJar): Promise<EndedSession | null>;
}

/** Id of the user whose session it is. */
export function ownerOf(active: ActiveSession): string | undefined {
  return active.strategy === "jwt" ? active.claims.sub : active.user.id;
}

/** When somebody signed in, in seconds since 1970, where that is known. */
export function signedInAtOf(active: ActiveSession): number | undefined {
  const time = active.strategy === "jwt" ? active.claims.auth_time : active.session.auth_time;
  return typeof time === "number" ? time : undefined;
}
