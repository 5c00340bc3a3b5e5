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
} from "../kernel/model.ts";

export type {
  AccountKey,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  Authenticator,
  VerificationToken,
} from "../kernel/model.ts";

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
  /** What the plan was decided on. If any of it is no longer so: a conflict. */
  expect?: Expectation | undefined;
  /**
   * The e-mail token to use up: the one row of this address whose hash is one of these and that ends after `now`. Without
   * such a row the answer is `consumed`.
   */
  consume?: { identifier: string; tokens: readonly string[]; now: Date } | undefined;
  /** A user to change. Members that are `undefined` stay as they are. */
  updateUser?: Changes<AdapterUser, "id"> | undefined;
  /** A user to make. */
  createUser?: AdapterUser | undefined;
  /**
   * A user who loses what was never proven to be theirs, because their address is proven to be somebody's now: every
   * session, every credential, and every account that {@linkcode isUnproven} for this address, whenever it was added.
   */
  evict?: { userId: string; email: string | null } | undefined;
  /** An account to make. */
  linkAccount?: AdapterAccount | undefined;
  /** An account to change. */
  updateAccount?: Changes<AdapterAccount, "provider" | "providerAccountId"> | undefined;
  /** A credential to make. */
  createAuthenticator?: AdapterAuthenticator | undefined;
  /** A credential's counter to raise. Whose credential it is, and from which count, stands in `expect`. */
  updateCounter?: { credentialID: string; counter: number } | undefined;
  /** Token of a session to remove; one that is not there any more is no conflict. */
  deleteSession?: string | undefined;
  /** A session to make. */
  createSession?: AdapterSession | undefined;
}

/**
 * What a plan was decided on.
 *
 * All of it is looked at in the transaction that carries out the plan, and before anything is written. The user's row comes
 * first and stays locked until the end, where a database can lock: then plans about one user happen one after the other.
 */
export interface Expectation {
  /** The user is there, and these members are as they were read. One that is absent is `null`. */
  user?:
    | {
      id: string;
      email: string | null;
      emailVerified: Date | null;
      securityStamp: string | null;
    }
    | undefined;
  /** The account is this user's. */
  account?: (AccountKey & { userId: string }) | undefined;
  /** The credential is this user's, and was used so often. */
  authenticator?: { credentialID: string; userId: string; counter: number } | undefined;
  /** The user has fewer credentials than this. */
  authenticators?: { userId: string; fewerThan: number } | undefined;
  /** The session is there, and is this user's. */
  session?: { sessionToken: string; userId: string } | undefined;
}

/**
 * Whether an account is known not to prove that its user has an address, so that the first proof of the address removes it.
 *
 * Of accounts without `email_verified`, as other software stores them, nothing is known. What the application checks
 * itself (`credentials`) is for the application to judge.
 *
 * @param account The account, as it is stored.
 * @param email The address that is proven.
 */
export function isUnproven({ type, email_verified, email: vouched }: AdapterAccount, email: string | null): boolean {
  if (type === "webauthn") return true;
  if (type === "credentials") return false;
  // An account that vouches for some other address proves nothing about this one.
  const isOther = typeof vouched === "string" && vouched !== email;
  return email_verified === false || (email_verified === true && isOther);
}

/** Whether a user is as a plan expects. */
export function isAsRead(user: AdapterUser | null, expected: NonNullable<Expectation["user"]>): boolean {
  if (!user) return false;
  const { email, emailVerified, securityStamp } = user;
  return (email ?? null) === expected.email && (securityStamp ?? null) === expected.securityStamp &&
    (emailVerified?.getTime() ?? null) === (expected.emailVerified?.getTime() ?? null);
}

/** Whether a credential is as a plan expects. */
export function isAsUsed(
  authenticator: AdapterAuthenticator | null,
  expected: NonNullable<Expectation["authenticator"]>,
): boolean {
  return authenticator?.userId === expected.userId && authenticator.counter === expected.counter;
}

/** What became of a {@linkcode Plan}. */
export type CommitResult = "done" | "consumed" | "conflict";
