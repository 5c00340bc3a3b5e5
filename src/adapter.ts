/**
 * The contract of storage: what an adapter may offer, and what the service asks of it.
 *
 * Every operation is optional. The first nineteen are those of the whole service family, so that an adapter written for
 * it works here unchanged. What follows them makes a sign-in whole or nothing; the adapters of this package have it all.
 *
 * Records are plain objects. Members that the contract does not name are kept and given back. Dates are `Date`, exact to
 * the millisecond. What is not there is `null`. An operation that fails throws.
 *
 * @module
 */
import type {
  AccountKey,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  Awaitable,
  VerificationToken,
} from "./model.ts";

export type {
  AccountKey,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  Authenticator,
  VerificationToken,
} from "./model.ts";

/** A session and its user, read together. */
export interface SessionAndUser {
  /** The session. */
  session: AdapterSession;
  /** Whose session it is. */
  user: AdapterUser;
}

/** Changes of a record, and what names it. */
export type Changes<Row, Key extends keyof Row> = Partial<Row> & Pick<Row, Key>;

/** Storage, as an adapter offers it. */
export interface Adapter {
  /**
   * Stores a user under the given id, or under one it makes if there is none, as services of the family have it for
   * passkeys. Fails if the id or the address is taken.
   */
  createUser?(user: AdapterUser): Awaitable<AdapterUser>;
  /** Finds a user by id. */
  getUser?(id: string): Awaitable<AdapterUser | null>;
  /** Finds a user by address; the service gives it normalised. */
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>;
  /** Finds the owner of an account. */
  getUserByAccount?(key: AccountKey): Awaitable<AdapterUser | null>;
  /** Changes a user. Fails if there is none. */
  updateUser?(user: Changes<AdapterUser, "id">): Awaitable<AdapterUser>;
  /** Removes a user with all accounts, sessions and authenticators. */
  deleteUser?(userId: string): Awaitable<AdapterUser | null | undefined | void>;
  /** Stores an account. Fails if it exists or its user does not. */
  linkAccount?(account: AdapterAccount): Awaitable<AdapterAccount | null | undefined | void>;
  /** Removes an account. */
  unlinkAccount?(key: AccountKey): Awaitable<AdapterAccount | null | undefined | void>;
  /** Finds an account. */
  getAccount?(providerAccountId: string, provider: string): Awaitable<AdapterAccount | null>;
  /** Stores a session. Fails if its token exists or its user does not. */
  createSession?(session: AdapterSession): Awaitable<AdapterSession>;
  /** Finds a session and its user in one go, ended or not. */
  getSessionAndUser?(sessionToken: string): Awaitable<SessionAndUser | null>;
  /** Changes a session; never makes one. */
  updateSession?(session: Changes<AdapterSession, "sessionToken">): Awaitable<AdapterSession | null | undefined>;
  /** Removes a session. */
  deleteSession?(sessionToken: string): Awaitable<AdapterSession | null | undefined | void>;
  /** Stores a token that is sent by e-mail. */
  createVerificationToken?(token: VerificationToken): Awaitable<VerificationToken | null | undefined>;
  /** Removes a token and gives it, to one caller only. A token of another address stays and is `null`. */
  useVerificationToken?(key: { identifier: string; token: string }): Awaitable<VerificationToken | null>;
  /** Stores a credential. Fails if it exists or its user does not. */
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>;
  /** Finds a credential. */
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>;
  /** Lists the credentials of a user. */
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>;
  /** Stores a credential's counter. Fails if there is no such credential. */
  updateAuthenticatorCounter?(credentialID: string, newCounter: number): Awaitable<AdapterAuthenticator>;

  /**
   * Carries out a plan: all of it, or nothing.
   *
   * @returns `done`; `consumed` if the plan's token is not there; `conflict` if something else is no longer as the plan
   * took it to be. In both of these cases nothing has changed.
   */
  commit?(plan: Plan): Awaitable<CommitResult>;
  /** Sets a mark that can be set once until it ends: `true` for the first caller, `false` for everybody after. */
  once?(key: string, expires: Date): Awaitable<boolean>;
  /** Finds a token without using it up. */
  getVerificationToken?(key: { identifier: string; token: string }): Awaitable<VerificationToken | null>;
  /** Changes an account; never makes one. */
  updateAccount?(
    account: Changes<AdapterAccount, "provider" | "providerAccountId">,
  ): Awaitable<AdapterAccount | null | undefined>;
  /** Lists the accounts of a user. */
  listAccountsByUserId?(userId: string): Awaitable<AdapterAccount[]>;
  /** Lists the sessions of a user. */
  listSessionsByUserId?(userId: string): Awaitable<AdapterSession[]>;
  /** Removes all sessions of a user. */
  deleteSessionsByUserId?(userId: string): Awaitable<void>;
  /** Changes a credential; never makes one. */
  updateAuthenticator?(
    authenticator: Changes<AdapterAuthenticator, "credentialID">,
  ): Awaitable<AdapterAuthenticator | null | undefined>;
  /** Removes a credential. */
  deleteAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null | undefined | void>;
}

/** An adapter that has every operation. */
export type CompleteAdapter = Required<Adapter>;

/**
 * What one sign-in changes, as data. Its members are carried out in this order, all of them or none.
 *
 * A row that is to be made and exists, or is to be changed and does not, is a conflict; so is an account, a session or a
 * credential of a user who does not exist.
 */
export interface Plan {
  /**
   * The e-mail token to use up: the one row of this address whose hash is one of these and that ends after `now`. Without
   * such a row the answer is `consumed`.
   */
  consume?: { identifier: string; tokens: readonly string[]; now: Date } | undefined;
  /** A user to make. */
  createUser?: AdapterUser | undefined;
  /** A user whose address is proven now. Proven before: a conflict. */
  verifyUser?: { id: string; emailVerified: Date } | undefined;
  /** What a user loses: these accounts and credentials as far as they are the user's, and every session. */
  evict?: { userId: string; accounts: readonly AccountKey[]; authenticators: readonly string[] } | undefined;
  /** An account to make. */
  linkAccount?: AdapterAccount | undefined;
  /** An account to change. */
  updateAccount?: Changes<AdapterAccount, "provider" | "providerAccountId"> | undefined;
  /** A credential to make. */
  createAuthenticator?: AdapterAuthenticator | undefined;
  /** A credential's counter to raise. If it is no longer `from`: a conflict. */
  updateCounter?: { credentialID: string; from: number; to: number } | undefined;
  /** Token of a session to remove; one that is not there any more is no conflict. */
  deleteSession?: string | undefined;
  /** A session to make. */
  createSession?: AdapterSession | undefined;
}

/** What became of a {@linkcode Plan}. */
export type CommitResult = "done" | "consumed" | "conflict";
