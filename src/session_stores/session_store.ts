/**
 * Session stores: what the strategies `jwt` and `database` have in common.
 *
 * @module
 */
import type { SessionAuth } from "../contract/config.ts";
import type { CookieJar } from "../http/cookies.ts";
import type { Account, AdapterSession, AdapterUser, JWT, Profile, User } from "../kernel/model.ts";

/** A session that was found and has not expired. */
export type ActiveSession = { readonly strategy: "jwt"; readonly claims: JWT } | StoredSession;

/** What is kept of a sign-in. */
export type Authentication = Omit<SessionAuth, "level">;

/** The sign-in that a stored session is of. */
export interface SignedIn extends Authentication {
  readonly time: number;
  /** The address of the user, if it was proven by then. */
  readonly provenEmail: string | null;
}

/** A session that is a row in storage. */
export interface StoredSession {
  readonly strategy: "database";
  readonly session: AdapterSession;
  readonly user: AdapterUser;
  /** What the cookie beside it says of the sign-in; `null` if the row says it, or it is unknown. */
  readonly signedIn: SignedIn | null;
  /** Whether it is known to be no older than the proof of the user's address. */
  readonly isSinceProof: boolean;
}

/** Whose session is created. */
export interface SessionOwner {
  readonly user: User;
  readonly account: Account;
  readonly profile?: Profile | undefined;
  /** Whether this sign-in created the user. `undefined` if users are not stored. */
  readonly isNewUser?: boolean | undefined;
  /** How they signed in. The time is that of a session which this one continues. @default now */
  readonly authentication: Authentication;
  /**
   * When the facts of the sign-in were read, in milliseconds since 1970, if storage cannot make sure that they still hold:
   * the session counts as older than any later proof. @default now
   */
  readonly decidedAt?: number | undefined;
  /** The address of the user, if it is proven. @default {null} */
  readonly provenEmail?: string | null | undefined;
  /** Claims to add to those of a sealed session. */
  readonly claims?: JWT | undefined;
  /** The session at the provider. Kept in the row of the session, where storage has extra fields. */
  readonly providerSession?: Pick<ProviderSession, "sid" | "idToken"> | undefined;
  /** The row that was stored for the session, if it has one. */
  readonly row?: AdapterSession | undefined;
  /** The claims of the sealed session that goes on, because only an account is added; `null` if it was ended meanwhile. */
  readonly continues?: JWT | null | undefined;
}

/** The session of a user at the provider of their sign-in. */
export interface ProviderSession {
  /** Id of the provider. */
  readonly provider: string;
  /** `sid` of the id_token. */
  readonly sid?: string | undefined;
  /** The id_token, where the provider is to be told of the sign-out. It is sealed before it is stored. */
  readonly idToken?: string | undefined;
}

/** A new session that is not yet stored or sent. */
export interface PreparedSession {
  readonly token: string;
  readonly expires: Date;
  /** The value of the cookie beside it, where the row cannot hold when the user signed in. */
  readonly signedIn?: string | undefined;
}

/** What changes where a session takes the place of another. */
export interface Step {
  /** How its user has signed in. */
  readonly authentication: Authentication;
  /** When it begins, in milliseconds since 1970: the facts that it was decided on are no older. */
  readonly time: number;
}

/** A session that takes the place of one that goes on. Its rows are not written yet. */
export interface Successor {
  /** The row to store, and the key of the one to end; `null` if the session has no row. */
  readonly rows: { readonly created: AdapterSession; readonly ended: string } | null;
  readonly prepared: PreparedSession;
}

/** A session after it was read. */
export type RefreshedSession =
  & {
    /** When it expires. */
    readonly expires: Date;
    /** Gives what it says about its sign-in. */
    readonly auth: () => SessionAuth;
  }
  & (
    | Extract<ActiveSession, { strategy: "jwt" }>
    | StoredSession & {
      /** Gives the row and its user as `callbacks.session` sees them. */
      readonly shown: () => object;
    }
  );

/** How a session is found. */
export interface FindOptions {
  /**
   * Whether a session that was read a moment ago will do, as `session.cache` or `session.revalidate` allow. Another process
   * may have ended it since then. So it may be shown, but must not decide what is stored or given out. @default {false}
   */
  readonly kept?: boolean;
  /** The token of a stored session, in place of the one in the cookie. */
  readonly token?: string | undefined;
  /**
   * Whether a session is found that features do not let go on, so that its user can prove more. Nothing else may be done
   * with it. @default {false}
   */
  readonly unjudged?: boolean;
}

/** How a session is read. */
export interface RefreshOptions {
  /** Whether the session may be renewed. It must be `false` if the caller cannot send a cookie. */
  readonly renew: boolean;
  /** Whether a sealed session is renewed at any age. @default {false} */
  readonly due?: boolean;
  /** What the client sent to change the session. Absent if it is only read. */
  readonly patch?: { readonly data: unknown };
}

/** A session that was ended: its claims, or its row if there still was one. */
export type EndedSession = { readonly token: JWT } | { readonly session: AdapterSession | null };

/** Stores sessions, in cookies or as rows. */
export interface SessionStore {
  /**
   * Finds the session of a browser. Returns `null` for one that has expired, and removes its row.
   *
   * @throws {AdapterError} if storage fails, because then it is unknown whether there is a session.
   */
  find(cookies: CookieJar, options?: FindOptions): Promise<ActiveSession | null>;
  /** Makes the row of a new session, to store it with the sign-in. `null` if sessions have no rows. */
  reserve(owner: SessionOwner): Promise<AdapterSession | null>;
  /**
   * Creates a session without sending it, once its row is stored. `null` if the `jwt` callback returned none, or if the
   * session that was to go on was ended.
   */
  prepare(owner: SessionOwner, cookies: CookieJar): Promise<PreparedSession | null>;
  /**
   * Returns the token of the row that a new session replaces, if sessions are rows.
   *
   * @param token The token in place of the one in the cookie.
   */
  previousToken(cookies: CookieJar, token?: string): string | undefined;
  /** Sets the cookie of a session. `null` removes the cookie. */
  write(cookies: CookieJar, prepared: PreparedSession | null): void;
  /**
   * Makes a session in place of one that goes on: with another token, and all that it had, but for how its user signed in.
   * No callback runs: the next reading calls it.
   *
   * @returns `null` if the session was ended.
   * @throws {AdapterError} if storage fails.
   */
  succeed(cookies: CookieJar, active: ActiveSession, step: Step): Promise<Successor | null>;
  /** Runs the `jwt` callback over a session and renews it when it is due. `null` if that ended it. */
  refresh(cookies: CookieJar, active: ActiveSession, options: RefreshOptions): Promise<RefreshedSession | null>;
  /** Removes the cookie. */
  forget(cookies: CookieJar): void;
  /**
   * Ends the session of a browser, if it has one. The cookie is removed in any case.
   *
   * @param token The token of a stored session, in place of the one in the cookie.
   * @throws {SignOutError} if storage fails, because then the session may still be valid.
   */
  end(cookies: CookieJar, token?: string): Promise<EndedSession | null>;
}

/** Returns the id of the user whose session it is. */
export function ownerOf(active: ActiveSession): string | undefined {
  return active.strategy === "jwt" ? active.claims.sub : active.user.id;
}
