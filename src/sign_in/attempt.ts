/**
 * A sign-in attempt: a person whose identity was checked, by any method.
 *
 * @module
 */
import type { Account, Authenticator, Profile, TokenSet, User } from "../kernel/model.ts";
import type { UpstreamClaims } from "../request/points.ts";
import type { ProviderSession } from "../session_stores/session_store.ts";
import type { AddressProof } from "./address_proof.ts";
import type { PasskeyLabel } from "./passkey_info.ts";
import type { Vouching } from "./vouching.ts";

/** Who signs in, and what was checked. */
export type SignInAttempt = OAuthAttempt | EmailAttempt | CredentialsAttempt | PasswordAttempt | WebAuthnAttempt;

/** A sign-in with an OAuth or OpenID provider. */
export interface OAuthAttempt {
  readonly method: "oauth";
  readonly user: User;
  readonly account: Account;
  readonly profile: Profile;
  readonly linking: Linking;
  /** How the provider has authenticated them, if it was asked for it: of an id_token that was verified. */
  readonly upstream?: UpstreamClaims | undefined;
  /** The session at the provider, if it has one. */
  readonly providerSession?: Pick<ProviderSession, "sid" | "idToken"> | undefined;
}

/** What decides which user gets the account, and what is stored with it. Used only with an adapter. */
export interface Linking extends Vouching {
  /** Id of the signed-in user who asked to add this account; `null` for an ordinary sign-in. */
  readonly addToUserId: string | null;
  /** The tokens to store with the account. */
  readonly storedTokens: TokenSet;
  /** Those of them that are stored encrypted, as they are stored. */
  readonly sealedTokens?: TokenSet;
}

/** A sign-in by a link or a code that was sent to an address. */
export interface EmailAttempt {
  readonly method: "email";
  readonly user: User;
  readonly account: Account;
  /** The address that is verified by it, and the hashes its token may be stored under. */
  readonly token: { readonly identifier: string; readonly hashes: readonly string[] };
  /** What proves the address. @default a sign-in link with this token */
  readonly proof?: AddressProof | undefined;
  /** The password that whoever proves the address gets. */
  readonly sets?: PasswordToSet | undefined;
}

/** A password that is stored together with the proof of an address: all of it or nothing. */
export interface PasswordToSet {
  /** Its hash. */
  readonly hash: string;
  /** The revision of the password that it replaces, empty for none: once there is another one, the link is void. */
  readonly replaces: string;
  /** Whether somebody who is not stored becomes a user. */
  readonly creates: boolean;
  /** Whether all sessions end, because somebody else may have had the former password. */
  readonly endsSessions: boolean;
}

/** A sign-in that `authorize` accepted. */
export interface CredentialsAttempt {
  readonly method: "credentials";
  readonly user: User;
  readonly account: Account;
  readonly credentials: Readonly<Record<string, unknown>>;
  /** Whether the form of the provider asks for a password. */
  readonly hasPassword: boolean;
}

/** A sign-in with a password that the service keeps, which was right. */
export interface PasswordAttempt {
  readonly method: "password";
  readonly user: User;
  readonly account: Account;
  /** Which of the passwords that the user has had: one that was replaced meanwhile does not sign in. */
  readonly revision: string;
}

/** A sign-in with a passkey whose response was verified. */
export interface WebAuthnAttempt {
  readonly method: "webauthn";
  readonly user: User;
  readonly account: Account;
  readonly proof: WebAuthnProof;
  /** Whether the authenticator verified who used it, by a PIN or a finger. */
  readonly userVerified: boolean;
  /** The kind of credential. */
  readonly deviceType: string;
}

/** What the authenticator did: it used a stored credential, or made a new one. */
export type WebAuthnProof =
  | {
    readonly act: "authenticate";
    readonly credentialID: string;
    /** The stored counter when the response was verified. */
    readonly storedCounter: number;
    /** The counter of the response. */
    readonly newCounter: number;
  }
  | {
    readonly act: "register";
    readonly authenticator: Authenticator;
    /** What names the credential to its owner. */
    readonly label: PasskeyLabel;
    /** Id of the signed-in user who asked to add the credential; `null` if it is for a new user. */
    readonly addToUserId: string | null;
    /** The most credentials that a user may have. */
    readonly maxCredentials: number;
  };

/** The account as callbacks and events see it: one that is not stored, or not yet, names its user too. */
export function accountFor({ method, account }: SignInAttempt, { id }: User): Account {
  return method === "oauth" || method === "credentials" ? account : { ...account, userId: id };
}
