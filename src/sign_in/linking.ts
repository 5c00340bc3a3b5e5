/**
 * Whose account it is: the rules of linking, as one pure table.
 *
 * @module
 */
import { comparableEmail } from "../kernel/address.ts";
import type { AdapterAccount, AdapterUser } from "../kernel/model.ts";
import type { OAuthAttempt, SignInAttempt, WebAuthnAttempt } from "./attempt.ts";
import { hasVerifiedEmail } from "./verification.ts";

/** What storage knows of somebody who signs in. */
export interface Facts {
  /** Who is signed in and asked to add an account; `null` for an ordinary sign-in. */
  readonly current: AdapterUser | null;
  /** The token of the session that asked for it, where sessions are stored. */
  readonly sessionToken: string | null;
  /** Who owns the account. For credentials: who has the id that `authorize` gave. */
  readonly byAccount: AdapterUser | null;
  /** The account, if it is one of credentials and was kept. */
  readonly credentialsAccount: AdapterAccount | null;
  /** Who has the address. */
  readonly byEmail: AdapterUser | null;
  /** Whether everything that opens whoever has the address is known not to prove it. */
  readonly isHeldUnverified: boolean;
  /** A user that was made for this very account by a sign-in that broke off before the account was. */
  readonly unfinished: AdapterUser | null;
  /** Whether a credential is not any more as it was when it was verified: used meanwhile, or taken by somebody. */
  readonly credentialChanged: boolean;
  /** Whether the user has as many credentials as a user may have. */
  readonly hasMaxCredentials: boolean;
}

/** What is to be done. */
export type Decision =
  /** They are this user. */
  | { readonly act: "enter"; readonly user: AdapterUser }
  /** They are this user, whose address is proven by a link for the first time. */
  | { readonly act: "verify"; readonly user: AdapterUser; readonly evict: boolean }
  /** They add an account to the user they are signed in as. */
  | { readonly act: "add"; readonly user: AdapterUser }
  /** They become this user, who is first rid of what was never proven. */
  | { readonly act: "adopt"; readonly user: AdapterUser; readonly evict: boolean }
  /** They finish what a sign-in of theirs began. */
  | { readonly act: "resume"; readonly user: AdapterUser }
  /** They are new. */
  | { readonly act: "create" }
  /** They are new, and their address is taken away from a user who never proved it. */
  | { readonly act: "displace"; readonly from: AdapterUser }
  /** They may be somebody, but this does not prove it. */
  | { readonly act: "refuse" };

/** Decides whose account it is. */
export function decide(attempt: SignInAttempt, facts: Facts): Decision {
  switch (attempt.method) {
    case "oauth":
      return facts.current ? decideAddition(facts.current, facts) : decideOAuth(attempt, facts);
    case "email":
      return decideEmail(facts);
    case "credentials":
      return decideCredentials(facts);
    case "webauthn":
      return decideWebAuthn(attempt, facts);
    default:
      return attempt satisfies never;
  }
}

function decideAddition(current: AdapterUser, { byAccount }: Facts): Decision {
  if (!byAccount) return { act: "add", user: current };
  return byAccount.id === current.id ? { act: "enter", user: byAccount } : { act: "refuse" };
}

function decideOAuth({ user, linking }: OAuthAttempt, facts: Facts): Decision {
  const { byAccount, byEmail, isHeldUnverified: isHeldUnproven, unfinished } = facts;
  if (byAccount) return { act: "enter", user: byAccount };
  if (unfinished) return { act: "resume", user: unfinished };
  if (!byEmail) return { act: "create" };
  // An address that no mailbox can have says nothing about who somebody is.
  if (linking.emailVerified === false || comparableEmail(user.email ?? "") === null) return { act: "refuse" };
  if (linking.allowEmailLinking) return { act: "adopt", user: byEmail, evict: !hasVerifiedEmail(byEmail) };
  // Otherwise anybody could keep people out by making users in their names.
  return linking.emailVerified && isHeldUnproven ? { act: "displace", from: byEmail } : { act: "refuse" };
}

function decideEmail({ byEmail }: Facts): Decision {
  if (!byEmail) return { act: "create" };
  return byEmail.emailVerified
    ? { act: "enter", user: byEmail }
    : { act: "verify", user: byEmail, evict: !hasVerifiedEmail(byEmail) };
}

function decideCredentials({ byAccount, byEmail }: Facts): Decision {
  if (byAccount) return { act: "enter", user: byAccount };
  return byEmail ? { act: "refuse" } : { act: "create" };
}

function decideWebAuthn({ proof }: WebAuthnAttempt, facts: Facts): Decision {
  const { current, byAccount, byEmail, credentialChanged: isOutdated, hasMaxCredentials: isFull } = facts;
  if (isOutdated || isFull) return { act: "refuse" };
  if (proof.act === "authenticate") return byAccount ? { act: "enter", user: byAccount } : { act: "refuse" };
  // Whoever makes a credential can give it any id, so one that somebody has proves nothing.
  if (byAccount) return { act: "refuse" };
  if (proof.addToUserId !== null) return current ? { act: "add", user: current } : { act: "refuse" };
  if (byEmail) return { act: "refuse" };
  return { act: "create" };
}
