/**
 * Which user a sign-in is for: the rules of linking, as pure functions.
 *
 * @module
 */
import { comparableEmail } from "../kernel/address.ts";
import type { AdapterAccount, AdapterUser } from "../kernel/model.ts";
import type { StoredPassword } from "../passwords/stored.ts";
import type { OAuthAttempt, SignInAttempt, WebAuthnAttempt } from "./attempt.ts";
import type { CurrentUser } from "./current.ts";
import { hasVerifiedEmail } from "./proven.ts";

/** What storage knows about a sign-in. */
export interface Facts {
  /** The signed-in user who asked to add an account; `null` for an ordinary sign-in. */
  readonly current: CurrentUser | null;
  /** The owner of the account. For credentials: the user with the id that `authorize` returned. */
  readonly byAccount: AdapterUser | null;
  /** The stored account of credentials, if there is one. */
  readonly credentialsAccount: AdapterAccount | null;
  /** Whether a new user of credentials needs another id than `authorize` returned: it is taken, or storage cannot hold it. */
  readonly isIdTaken: boolean;
  /** The user with this address. */
  readonly byEmail: AdapterUser | null;
  /** Whether that user is known to hold the address without having verified it. */
  readonly isHeldUnverified: boolean;
  /** Whether the account alone says that the address of its user is verified, as the first release stored it. */
  readonly isMarkedByAccount: boolean;
  /** A user that an interrupted sign-in created for this account, before the account was stored. */
  readonly unfinished: AdapterUser | null;
  /** Whether a credential has changed since it was verified: it was used, or registered by another request. */
  readonly credentialChanged: boolean;
  /** Whether the user has as many credentials as allowed. */
  readonly hasMaxCredentials: boolean;
  /** The password of an attempt, if its user still has it and it counts; or the one that the attempt replaces. */
  readonly password: StoredPassword | null;
}

/** What a sign-in does. */
export type Decision =
  /** Sign in as this user. */
  | { readonly act: "enter"; readonly user: AdapterUser }
  /** Sign in by a link that verifies the user's address for the first time. */
  | { readonly act: "verify"; readonly user: AdapterUser; readonly revoke: boolean }
  /** Add an account or a passkey to the signed-in user. */
  | { readonly act: "linkToCurrent"; readonly user: AdapterUser }
  /**
   * Link to the user who has the address. If it was unverified, first revoke unverified accounts, all authenticators and
   * all sessions.
   */
  | { readonly act: "link"; readonly user: AdapterUser; readonly revoke: boolean }
  /** Complete an interrupted sign-in. */
  | { readonly act: "resume"; readonly user: AdapterUser }
  /** Create a user. */
  | { readonly act: "create" }
  /** Create a user, and give them the address of a user who never verified it. */
  | { readonly act: "reassignEmail"; readonly from: AdapterUser }
  /**
   * Refuse: the account or the address belongs to a user, and nothing shows that it is the same person; or the signed-in
   * user signed in too long ago, `isStale`.
   */
  | { readonly act: "refuse"; readonly isStale?: true };

/** Decides which user a sign-in is for. */
export function decide(attempt: SignInAttempt, facts: Facts): Decision {
  switch (attempt.method) {
    case "oauth":
      return facts.current ? decideAddition(facts.current, facts) : decideOAuth(attempt, facts);
    case "email":
      return decideEmail(facts);
    case "credentials":
      return decideCredentials(facts);
    case "password":
      return decidePassword(facts);
    case "webauthn":
      return decideWebAuthn(attempt, facts);
    default:
      return attempt satisfies never;
  }
}

function decideAddition(current: CurrentUser, { byAccount }: Facts): Decision {
  if (!byAccount) return add(current);
  return byAccount.id === current.user.id ? { act: "enter", user: byAccount } : { act: "refuse" };
}

function add({ user, isStale }: CurrentUser): Decision {
  return isStale ? { act: "refuse", isStale } : { act: "linkToCurrent", user };
}

function decideOAuth({ user, linking }: OAuthAttempt, facts: Facts): Decision {
  const { byAccount, byEmail, isHeldUnverified, unfinished } = facts;
  if (byAccount) return { act: "enter", user: byAccount };
  if (unfinished) return { act: "resume", user: unfinished };
  if (!byEmail) return { act: "create" };
  if (linking.mayLink) return { act: "link", user: byEmail, revoke: !hasVerifiedEmail(byEmail) };
  // Otherwise an attacker could lock people out by creating users with their addresses.
  const isTheirs = linking.vouches && comparableEmail(user.email ?? "") !== null;
  return isTheirs && isHeldUnverified ? { act: "reassignEmail", from: byEmail } : { act: "refuse" };
}

function decideEmail({ byEmail }: Facts): Decision {
  if (!byEmail) return { act: "create" };
  return byEmail.emailVerified
    ? { act: "enter", user: byEmail }
    : { act: "verify", user: byEmail, revoke: !hasVerifiedEmail(byEmail) };
}

function decideCredentials({ byAccount, byEmail }: Facts): Decision {
  if (byAccount) return { act: "enter", user: byAccount };
  return byEmail ? { act: "refuse" } : { act: "create" };
}

function decidePassword({ byAccount, password }: Facts): Decision {
  return byAccount && password ? { act: "enter", user: byAccount } : { act: "refuse" };
}

function decideWebAuthn({ proof }: WebAuthnAttempt, facts: Facts): Decision {
  const { current, byAccount, byEmail, credentialChanged, hasMaxCredentials } = facts;
  if (credentialChanged || hasMaxCredentials) return { act: "refuse" };
  if (proof.act === "authenticate") return byAccount ? { act: "enter", user: byAccount } : { act: "refuse" };
  // An authenticator chooses the id of a new credential, so a known id does not identify its user.
  if (byAccount) return { act: "refuse" };
  if (proof.addToUserId !== null) return current ? add(current) : { act: "refuse" };
  if (byEmail) return { act: "refuse" };
  return { act: "create" };
}
