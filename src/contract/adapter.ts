/**
 * The contract between the service and its storage.
 *
 * Every operation is optional: the configuration decides which ones are needed. The first nineteen are those of Auth.js,
 * so an adapter that was written for it works unchanged. The others make a sign-in atomic and revoke what an unverified
 * user had gathered; the adapters of this package have all of them.
 *
 * Records are plain objects. Store members that the contract does not name, and return them. Dates are `Date`, exact to
 * the millisecond. Return `null` for what does not exist. Throw where an operation fails.
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
  ProviderSid,
  VerificationToken,
} from "../kernel/model.ts";

export type {
  AccountKey,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  Authenticator,
  ProviderSid,
  VerificationToken,
} from "../kernel/model.ts";

/** A session and its user, read together. */
export interface SessionAndUser {
  /** The session. */
  session: AdapterSession;
  /** Whose session it is. */
  user: AdapterUser;
}

/** The key of a record, and the members to change. Those that are `undefined` stay as they are. */
export type Changes<Row, Key extends keyof Row> = Partial<Row> & Pick<Row, Key>;

/** An object that JSON can hold: what is stored is what `JSON.parse()` makes of it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The key of a {@linkcode StoredRecord}. */
export interface RecordKey {
  /** What it is, such as `factor`. */
  kind: string;
  /** Its id, unique within its kind. */
  id: string;
}

/**
 * What a feature stores: one table for all features, so that no new one changes the schema.
 *
 * Records of the kinds `password`, `factor`, `device` and `key` let their user in, one of the kind `removed` brings a way in
 * back, and one of the kind `deletion` ends the account. {@linkcode Plan.evict} removes them.
 *
 * @example Usage
 * ```ts
 * import type { StoredRecord } from "@x/auth/adapters";
 *
 * export const record: StoredRecord = {
 *   kind: "factor",
 *   id: "f-1",
 *   userId: "u-1",
 *   version: 0,
 *   data: { type: "totp" },
 * };
 * ```
 */
export interface StoredRecord extends RecordKey {
  /** Id of the user who owns it. It is removed with the user. */
  userId?: string | null | undefined;
  /** The group that it belongs to, such as an organization. */
  group?: string | null | undefined;
  /**
   * The version that is stored; 0 to create a record. It changes with each write. No version of a key comes back, even if
   * the record was removed and created again: who read the former one cannot change the new one.
   */
  version: number;
  /** When it expires. Then it counts as not existing, and is removed some time after. */
  expires?: Date | null | undefined;
  /** What is stored. Members that nobody knows are kept. */
  data: JsonObject;
}

/** Which records to list: those of a user, or those of a group, page by page. */
export type RecordsQuery =
  | {
    /** What they are. */
    kind: string;
    /** Id of the user who owns them. */
    userId: string;
  }
  | {
    /** What they are. */
    kind: string;
    /** The group that they belong to. */
    group: string;
    /** The id of the last record of the page before. */
    after?: string | undefined;
    /** How many to list at most. */
    limit: number;
  };

/**
 * What is asked of one bucket: a limit on how often something may happen. A bucket holds `burst` tokens, and gains one
 * each time that `every` has passed, until it is full.
 *
 * @example Usage
 * ```ts
 * import type { Bucket } from "@x/auth/adapters";
 *
 * // Ten at once, then one in five minutes.
 * export const bucket: Bucket = { key: "a hash of whom it is about", every: 5 * 60 * 1000, burst: 10 };
 * ```
 */
export interface Bucket {
  /**
   * Which bucket: 1 to 256 characters, well-formed, without NUL. Keys are compared character by character. Hash what
   * says who somebody is.
   */
  key: string;
  /** Whole milliseconds after which a token comes back. */
  every: number;
  /** The most tokens, a whole number. */
  burst: number;
  /** How many tokens to take, a whole number up to `burst`. A negative one gives back. @default {1} */
  cost?: number | undefined;
}

/** The storage of users, accounts, sessions, tokens, passkeys, and the records of features. */
export interface Adapter {
  /**
   * Stores a user under the given id, or under a new one if `id` is absent, as Auth.js needs it for passkeys. Throws if the id
   * or the address is taken.
   */
  createUser?(user: AdapterUser): Awaitable<AdapterUser>;
  /** Finds a user by id. */
  getUser?(id: string): Awaitable<AdapterUser | null>;
  /** Finds a user by address, which the service has normalised. */
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>;
  /** Finds the user who owns an account. */
  getUserByAccount?(key: AccountKey): Awaitable<AdapterUser | null>;
  /** Changes a user and returns the whole record. Throws if the user does not exist. */
  updateUser?(user: Changes<AdapterUser, "id">): Awaitable<AdapterUser>;
  /**
   * Removes a user with all accounts, sessions, authenticators and records. Does nothing if the user does not exist. The
   * adapters of this package also record, as {@linkcode Adapter.deleteSessionsByUserId} does, that the sessions were ended.
   */
  deleteUser?(userId: string): Awaitable<AdapterUser | null | undefined | void>;
  /** Stores an account. Throws if it exists or its user does not. */
  linkAccount?(account: AdapterAccount): Awaitable<AdapterAccount | null | undefined | void>;
  /** Removes an account. Does nothing if it does not exist. */
  unlinkAccount?(key: AccountKey): Awaitable<AdapterAccount | null | undefined | void>;
  /** Finds an account. */
  getAccount?(providerAccountId: string, provider: string): Awaitable<AdapterAccount | null>;
  /** Stores a session. Throws if its token exists or its user does not. */
  createSession?(session: AdapterSession): Awaitable<AdapterSession>;
  /** Finds a session and its user. Expired sessions are found too: the service checks `expires` and removes them. */
  getSessionAndUser?(sessionToken: string): Awaitable<SessionAndUser | null>;
  /** Changes a session. Returns `null` if it does not exist, and never creates one. */
  updateSession?(session: Changes<AdapterSession, "sessionToken">): Awaitable<AdapterSession | null | undefined>;
  /** Removes a session. Returns it, or `null` if it did not exist. */
  deleteSession?(sessionToken: string): Awaitable<AdapterSession | null | undefined | void>;
  /** Stores a token that is sent by email. An address may have several. Throws if this one exists. */
  createVerificationToken?(token: VerificationToken): Awaitable<VerificationToken | null | undefined>;
  /**
   * Removes a token and returns it, to one caller only. Must be atomic: it keeps a link from being used twice. A token
   * that was sent to another address stays, and the answer is `null`.
   */
  useVerificationToken?(key: { identifier: string; token: string }): Awaitable<VerificationToken | null>;
  /** Stores an authenticator. Throws if it exists or its user does not. */
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>;
  /** Finds an authenticator. */
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>;
  /** Lists the authenticators of a user. */
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>;
  /** Stores how often an authenticator was used. Throws if it does not exist. */
  updateAuthenticatorCounter?(credentialID: string, newCounter: number): Awaitable<AdapterAuthenticator>;

  /**
   * Carries out a plan in one transaction: all of it or nothing.
   *
   * @returns `done`; or `consumed` if the token of the plan does not exist; or `conflict` if something else has changed
   * since the plan was made. After `consumed` and `conflict` nothing has changed.
   */
  commit?(plan: Plan): Awaitable<CommitResult>;
  /**
   * Records `key` until `expires`. Returns `true` to the first caller only, and `false` to all others. Must be atomic: it
   * keeps states and challenges from being used twice.
   */
  once?(key: string, expires: Date): Awaitable<boolean>;
  /** Finds a token without removing it. */
  getVerificationToken?(key: { identifier: string; token: string }): Awaitable<VerificationToken | null>;
  /** Changes an account. Returns `null` if it does not exist, and never creates one. */
  updateAccount?(
    account: Changes<AdapterAccount, "provider" | "providerAccountId">,
  ): Awaitable<AdapterAccount | null | undefined>;
  /** Lists the accounts of a user. */
  listAccountsByUserId?(userId: string): Awaitable<AdapterAccount[]>;
  /** Lists the sessions of a user. */
  listSessionsByUserId?(userId: string): Awaitable<AdapterSession[]>;
  /** Lists the sessions, of any user, that have this `provider` and this `providerSid`. */
  listSessionsByProviderSid?(key: ProviderSid): Awaitable<AdapterSession[]>;
  /**
   * Removes all sessions of a user. Does nothing if there are none. The adapters of this package also record when it was,
   * for encrypted sessions that have no row; a user who is stored under the same id later does not get them back.
   */
  deleteSessionsByUserId?(userId: string): Awaitable<void>;
  /** Removes all sessions of a user but one, in one statement. */
  deleteOtherSessions?(kept: { userId: string; sessionToken: string }): Awaitable<void>;
  /** Changes an authenticator. Returns `null` if it does not exist, and never creates one. */
  updateAuthenticator?(
    authenticator: Changes<AdapterAuthenticator, "credentialID">,
  ): Awaitable<AdapterAuthenticator | null | undefined>;
  /** Removes an authenticator. Does nothing if it does not exist. */
  deleteAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null | undefined | void>;

  /** Finds a record of a feature. One that has expired does not exist. */
  getRecord?(key: RecordKey): Awaitable<StoredRecord | null>;
  /**
   * Stores a record: with version 0 only if there is none of its key, otherwise only if the stored one has this version. The
   * record is replaced as a whole. Must be atomic: of many callers with one version, one wins. Throws if its user does not
   * exist.
   *
   * @returns The new version; `null` if another version is stored, or none.
   */
  putRecord?(record: StoredRecord): Awaitable<number | null>;
  /** Removes a record, with `version` only if it is the one that is stored. Returns whether there was one to remove. */
  removeRecord?(key: RecordKey & { version?: number | undefined }): Awaitable<boolean>;
  /**
   * Lists records by their ids, in the order of Unicode code points. A page reads as many rows as it has, however many
   * there are.
   */
  listRecords?(query: RecordsQuery): Awaitable<StoredRecord[]>;

  /**
   * Takes tokens from buckets. A bucket is one time, at which it will be full: it is taken from if
   * `max(time, now) + cost * every <= now + burst * every`, and that sum is its time then. One whose time has come counts
   * as absent, and is removed some time after. To take from one bucket must be atomic: of many callers, `burst` get a
   * token. Each bucket is decided by itself; give back what others gave if one refuses.
   *
   * To give back never refuses. It sets `max(time + cost * every, now)`, and nothing if the time of the bucket has come:
   * no tokens are saved up.
   *
   * `now` is the caller's clock. A process whose clock is slow by some seconds sees more debt, so it frees no bucket. One
   * whose clock is fast by some seconds gives, once, as many tokens more as come back in these seconds, and others wait
   * for as long.
   *
   * Take from buckets in the order of their keys, so that two calls do not wait for each other.
   *
   * @returns For each bucket, in the order given: `null` if it was taken from; otherwise when it will have room.
   * @throws {TypeError} if a bucket is not as {@linkcode Bucket} says, or two have the same key.
   */
  take?(buckets: readonly Bucket[], now: Date): Awaitable<readonly (Date | null)[]>;
}

/** An adapter that has every operation. */
export type CompleteAdapter = Required<Adapter>;

/** An adapter that can say what is wrong with its storage. It is not an operation: the service does without it. */
export interface CheckedAdapter {
  /** Says what is wrong with the storage, in sentences, when `auth.check()` asks. */
  findProblems(): Awaitable<readonly string[]>;
}

/**
 * Everything that one sign-in changes, as data. Carry out the members in this order, in one transaction.
 *
 * It is a conflict if a row to create exists already, if a row to change does not exist, if an account or an
 * authenticator to remove does not exist or belongs to another user, or if the user of an account, a session or an
 * authenticator does not exist.
 */
export interface Plan {
  /** What the plan was decided on. It is a conflict if any of it has changed. */
  expect?: Expectation | undefined;
  /**
   * The email token to remove: the row of this address whose hash is one of `tokens` and that expires after `now`. Without
   * such a row, the answer is `consumed`.
   */
  consume?: { identifier: string; tokens: readonly string[]; now: Date } | undefined;
  /** A user to change. Members that are `undefined` stay as they are. */
  updateUser?: Changes<AdapterUser, "id"> | undefined;
  /** A user to create. */
  createUser?: AdapterUser | undefined;
  /**
   * A user whose address was unverified until now, so that somebody else may have created the user. Remove all of the
   * user's sessions and authenticators, each account that does not verify this address, whenever it was added, and the
   * user's records that let somebody in or end the account: those of the kinds `password`, `factor`, `device`, `key`,
   * `deletion` and `removed`.
   */
  evict?: { userId: string; email: string | null } | undefined;
  /**
   * Records to remove, and then those to store, as {@linkcode Adapter.putRecord} does. It is a conflict if one to store is
   * not stored with its version, or its user does not exist; a record to remove need not exist.
   */
  records?: { put?: readonly StoredRecord[] | undefined; remove?: readonly RecordKey[] | undefined } | undefined;
  /** An account to remove. It is a conflict if this user has no such account. */
  unlinkAccount?: (AccountKey & { userId: string }) | undefined;
  /** An authenticator to remove. It is a conflict if this user has no such authenticator. */
  deleteAuthenticator?: { credentialID: string; userId: string } | undefined;
  /** An account to create. */
  linkAccount?: AdapterAccount | undefined;
  /** An account to change. */
  updateAccount?: Changes<AdapterAccount, "provider" | "providerAccountId"> | undefined;
  /** An authenticator to create. */
  createAuthenticator?: AdapterAuthenticator | undefined;
  /** A counter to raise. `expect.authenticator` holds its owner and its value before. */
  updateCounter?: { credentialID: string; counter: number } | undefined;
  /** The token of a session to remove. It is not a conflict if the session does not exist any more. */
  deleteSession?: string | undefined;
  /** A session to create. */
  createSession?: AdapterSession | undefined;
}

/**
 * What a plan was decided on.
 *
 * Check all of it in the transaction that carries out the plan, before anything is written. Read the row of the user first
 * and, where the database can, lock it until the end: then plans about one user run one after the other.
 */
export interface Expectation {
  /** The user exists, and these members have these values. A member that is absent counts as `null`. */
  user?:
    | {
      id: string;
      email: string | null;
      emailVerified: Date | null;
      securityStamp: string | null;
    }
    | undefined;
  /**
   * The account belongs to this user. With `tokens`, its row holds exactly these texts; `null` stands for an absent one.
   */
  account?:
    | (AccountKey & {
      userId: string;
      tokens?: { access_token: string | null; refresh_token: string | null } | undefined;
    })
    | undefined;
  /** The authenticator belongs to this user, and its counter has this value. */
  authenticator?: { credentialID: string; userId: string; counter: number } | undefined;
  /** The user has fewer authenticators than this. */
  authenticators?: { userId: string; fewerThan: number } | undefined;
  /** The session exists and belongs to this user. */
  session?: { sessionToken: string; userId: string } | undefined;
  /** These records are stored with these versions. Version 0: there is no such record. */
  records?: readonly (RecordKey & { version: number })[] | undefined;
}

/**
 * Whether an account is known not to verify an address of its user. Such an account is removed when somebody verifies the
 * address for the first time.
 *
 * Nothing is known of accounts without `email_verified`, as other software stores them. Accounts of type `credentials` are
 * checked by the application, which has to judge them itself.
 *
 * @param account The account, as it is stored.
 * @param email The address that was verified.
 */
export function isUnverified({ type, email_verified, email: vouched }: AdapterAccount, email: string | null): boolean {
  if (type === "webauthn") return true;
  if (type === "credentials") return false;
  // An account that verifies some other address says nothing about this one.
  const isOther = typeof vouched === "string" && vouched !== email;
  return email_verified === false || (email_verified === true && isOther);
}

/** What a plan expects of a user that was read. */
export function asRead({ id, email, emailVerified, securityStamp }: AdapterUser): NonNullable<Expectation["user"]> {
  return { id, email: email ?? null, emailVerified, securityStamp: securityStamp ?? null };
}

/** Whether a user is as a plan expects it. */
export function isAsRead(user: AdapterUser | null, expected: NonNullable<Expectation["user"]>): boolean {
  if (!user) return false;
  const { email, emailVerified, securityStamp } = user;
  return (email ?? null) === expected.email && (securityStamp ?? null) === expected.securityStamp &&
    (emailVerified?.getTime() ?? null) === (expected.emailVerified?.getTime() ?? null);
}

/** Whether an account is as a plan expects it. */
export function isAsLinked(account: AdapterAccount | null, expected: NonNullable<Expectation["account"]>): boolean {
  if (account?.userId !== expected.userId) return false;
  const { access_token, refresh_token } = expected.tokens ?? account;
  return (account.access_token ?? null) === (access_token ?? null) &&
    (account.refresh_token ?? null) === (refresh_token ?? null);
}

/** Whether an authenticator is as a plan expects it. */
export function isAsUsed(
  authenticator: AdapterAuthenticator | null,
  expected: NonNullable<Expectation["authenticator"]>,
): boolean {
  return authenticator?.userId === expected.userId && authenticator.counter === expected.counter;
}

/** What came of a {@linkcode Plan}. */
export type CommitResult = "done" | "consumed" | "conflict";
