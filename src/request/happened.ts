/**
 * What can happen, as features are told of it.
 *
 * @module
 */
import type { LimitedMessage } from "../contract/limited.ts";
import type { AuthErrorType } from "../kernel/errors.ts";

/**
 * Something that happened, after it was stored. The list is closed, and so are the members: none of them can hold a token,
 * a password, a code, an address or what a provider tells of somebody. Each event is frozen.
 */
export type AuthEvent = Readonly<
  & {
    /** When it happened. */
    time: Date;
  }
  & (
    /** A session came into being. `isNewUser` is absent where users are not stored. */
    | { type: "signIn"; userId: string | null; isNewUser?: boolean } & SignInProof & SessionId
    /** A sign-in waits for a second proof. `userId` is `null` if there is no such user yet. */
    | { type: "signInChallenged"; userId: string | null } & SignInProof
    /** The user of a session has proven more. It has another id from now on. */
    | { type: "sessionRaised"; userId: string; methods: readonly string[] } & SessionId
    /** There were too many attempts, and more were refused. Told once for a bucket and 15 minutes. */
    | { type: "limited" } & LimitedMessage
    /** A request that tried to sign somebody in failed. */
    | { type: "signInFailed"; provider?: string; reason: AuthErrorType }
    /** Somebody ended their own session, or their provider did in their browser. */
    | { type: "signOut"; userId: string | null; provider?: string } & SessionId
    /** Sessions of a user were ended from elsewhere. */
    | { type: "sessionEnded"; userId: string; provider?: string; reason: EndReason; count?: number } & SessionId
    /** A user was stored. */
    | { type: "userCreated"; userId: string }
    /** A stored user was changed. */
    | { type: "userChanged"; userId: string }
    /** A user was deleted, by themselves or once their time to keep the account was over. */
    | { type: "userDeleted"; userId: string }
    /** An account at a provider was added to a user. */
    | { type: "accountLinked"; userId: string; provider: string }
    /** An account at a provider was removed from a user. */
    | { type: "accountUnlinked"; userId: string; provider: string }
    /** A passkey was removed from a user. */
    | { type: "passkeyRemoved"; userId: string; provider: string }
    /** A passkey was added to a user. */
    | { type: "passkeyAdded"; userId: string; provider: string }
    /** A second factor of a user counts from now on. With the first recovery codes, it is asked for. */
    | { type: "factorAdded"; userId: string; factor: FactorType }
    /** A recovery code of a user was used up. */
    | { type: "recoveryCodeUsed"; userId: string }
    /** A second factor of a user was removed. Without recovery codes, none is asked for any more. */
    | { type: "factorRemoved"; userId: string; factor: FactorType; by: FactorRemover }
    /** A user has another password from now on, or their first one. */
    | { type: "passwordSet"; userId: string; by: PasswordSetter }
    /** A user has no password any more. */
    | { type: "passwordRemoved"; userId: string; by: PasswordSetter }
    /** A provider gave fresh tokens of a user. */
    | { type: "tokenRefreshed"; userId: string; provider: string }
    /** A provider does not accept the refresh token of a user any more. */
    | { type: "tokenRefused"; userId: string; provider: string }
  )
>;

/** A second factor: an application that shows codes, a passkey, or recovery codes. */
export type FactorType = "totp" | "passkey" | "recovery";

/** Who set or removed a password: its owner, its owner with the link of an email, or the application. */
export type PasswordSetter = "owner" | "link" | "application";

/** Who removed a second factor: its owner, its owner with the link of an email, or the application. */
export type FactorRemover = "owner" | "undo" | "application";

/** How somebody proved who they are. */
interface SignInProof {
  /** Id of the provider. */
  provider: string;
  /** How, as RFC 8176 names it. */
  methods: readonly string[];
}

/** Which session it is about, where it has a row. */
interface SessionId {
  /** Its id, as `auth.sessions` gives it. It cannot be used to sign in. */
  sessionId?: string;
}

/**
 * Why sessions were ended.
 *
 * - `backchannel`, `frontchannel`: the provider says that the person has signed out there.
 * - `revoked`: the user or the application ended them.
 * - `proof`: somebody proved the address of the user for the first time. Who was in before may be another person.
 */
export type EndReason = "backchannel" | "frontchannel" | "revoked" | "proof";

/** What an event of a type says, but its time. */
export type Details<Type extends AuthEvent["type"]> = WithoutTime<Extract<AuthEvent, { type: Type }>>;

// Of each member of the union.
type WithoutTime<Event> = Event extends unknown ? Omit<Event, "type" | "time"> : never;
