/**
 * Somebody who proved who they are, whichever way.
 *
 * @module
 */
import type { Account, Authenticator, Profile, TokenSet, User } from "../kernel/model.ts";

/** Who it is, and how they proved it. */
export type SignInAttempt = OAuthAttempt | EmailAttempt | CredentialsAttempt | WebAuthnAttempt;

/** Somebody an identity provider vouches for. */
export interface OAuthAttempt {
  readonly method: "oauth";
  readonly user: User;
  readonly account: Account;
  readonly profile: Profile;
  /** What matters where accounts are kept. */
  readonly linking: Linking;
}

/** What decides whose account it becomes, and what is kept of it. */
export interface Linking {
  /** Id of the user who was signed in at the start and so meant to add an account. */
  readonly addToUserId: string | null;
  /** Whether the developer links by address (`allowDangerousEmailAccountLinking`). */
  readonly allowEmailLinking: boolean;
  /** Whether the provider made sure that the address is the person's; `null` if it does not say. */
  readonly emailVerified: boolean | null;
  /** What of the tokens is kept with the account. */
  readonly storedTokens: TokenSet;
}

/** Somebody who opened a link that was sent to an address. */
export interface EmailAttempt {
  readonly method: "email";
  readonly user: User;
  readonly account: Account;
  /** The address that is proven, and the hashes its token may be stored under. */
  readonly token: { readonly identifier: string; readonly hashes: readonly string[] };
}

/** Somebody whom the application recognised by what they typed. */
export interface CredentialsAttempt {
  readonly method: "credentials";
  readonly user: User;
  readonly account: Account;
  readonly credentials: Readonly<Record<string, unknown>>;
}

/** Somebody whose authenticator answered. */
export interface WebAuthnAttempt {
  readonly method: "webauthn";
  readonly user: User;
  readonly account: Account;
  readonly proof: WebAuthnProof;
}

/** What the authenticator did: it used a credential that is known, or made a new one. */
export type WebAuthnProof =
  | {
    readonly act: "authenticate";
    readonly credentialID: string;
    /** The counter as it was stored when the answer was verified. */
    readonly storedCounter: number;
    /** The counter of the answer. */
    readonly newCounter: number;
  }
  | {
    readonly act: "register";
    readonly authenticator: Authenticator;
    /** Id of the user who was signed in when it was asked for, and adds it. */
    readonly addToUserId: string | null;
    /** The most credentials that a user may have. */
    readonly maxCredentials: number;
  };

/** The account as the application is told of it. What is not stored, or not yet, has an owner all the same. */
export function accountFor({ method, account }: SignInAttempt, { id }: User): Account {
  return method === "email" || method === "webauthn" ? { ...account, userId: id } : account;
}
