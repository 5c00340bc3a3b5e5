/**
 * What storage knows of somebody who signs in.
 *
 * @module
 */
import type { RequestContext } from "../context.ts";
import { derivedUuid } from "../crypto/digest.ts";
import type { Account, AccountKey, AdapterUser, User } from "../model.ts";
import type { Storage } from "../storage.ts";
import { comparableEmail } from "../address.ts";
import type { CredentialsAttempt, OAuthAttempt, SignInAttempt, WebAuthnAttempt } from "./attempt.ts";
import { stillSignedIn } from "./current.ts";
import type { Facts } from "./recognize.ts";

const NOBODY: Facts = Object.freeze({
  current: null,
  byAccount: null,
  byEmail: null,
  unfinished: null,
  isOutdated: false,
});

/** Looks up what {@linkcode decide} needs, and no more. */
export async function gatherFacts(ctx: RequestContext, storage: Storage, attempt: SignInAttempt): Promise<Facts> {
  switch (attempt.method) {
    case "oauth":
      return await gatherOAuth(ctx, storage, attempt);
    case "email":
      return { ...NOBODY, byEmail: await storage.getUserByEmail(attempt.token.identifier) };
    case "credentials":
      return await gatherCredentials(storage, attempt);
    case "webauthn":
      return await gatherWebAuthn(ctx, storage, attempt);
    default:
      return attempt satisfies never;
  }
}

/** The stored user that an application is asked about, before anything is decided. */
export function knownUser({ current, byAccount, byEmail }: Facts, { method }: SignInAttempt): AdapterUser | null {
  switch (method) {
    case "oauth":
      return byAccount;
    case "email":
      return byEmail;
    case "credentials":
      return null; // the application brought the user itself
    case "webauthn":
      return current ?? byAccount;
    default:
      return method satisfies never;
  }
}

/** What names an account. */
export function keyOf({ provider, providerAccountId }: Account): AccountKey {
  return { provider, providerAccountId };
}

async function gatherOAuth(ctx: RequestContext, storage: Storage, attempt: OAuthAttempt): Promise<Facts> {
  const key = keyOf(attempt.account);
  const current = await stillSignedIn(ctx, storage, attempt.linking.startedBy);
  const byAccount = await storage.getUserByAccount(key);
  if (current || byAccount) return { ...NOBODY, current, byAccount };
  const byEmail = await whoHasAddress(storage, attempt.user);
  // Their own sign-in in another tab may have made user and account between the two looks.
  const meanwhile = byEmail && await storage.getUserByAccount(key);
  if (meanwhile) return { ...NOBODY, byAccount: meanwhile };
  return { ...NOBODY, byEmail, unfinished: await findUnfinished(storage, attempt, byEmail) };
}

async function gatherCredentials(storage: Storage, { user, account }: CredentialsAttempt): Promise<Facts> {
  const id = account.providerAccountId;
  const byAccount = await storage.getUser(id);
  if (byAccount) return { ...NOBODY, byAccount };
  const byEmail = await whoHasAddress(storage, user);
  // As above, between the two looks.
  return byEmail?.id === id ? { ...NOBODY, byAccount: byEmail } : { ...NOBODY, byEmail };
}

async function gatherWebAuthn(ctx: RequestContext, storage: Storage, attempt: WebAuthnAttempt): Promise<Facts> {
  const { account, proof, user } = attempt;
  const byAccount = await storage.getUserByAccount(keyOf(account));
  if (proof.act === "authenticate") {
    const found = await storage.getAuthenticator(proof.credentialID);
    return { ...NOBODY, byAccount, isOutdated: found?.counter !== proof.from };
  }
  // It may also be registered with another provider of this service.
  const isOutdated = await storage.getAuthenticator(proof.authenticator.credentialID) !== null;
  if (proof.startedBy === null) {
    return { ...NOBODY, byAccount, byEmail: await whoHasAddress(storage, user), isOutdated };
  }
  return { ...NOBODY, byAccount, current: await stillSignedIn(ctx, storage, proof.startedBy), isOutdated };
}

async function whoHasAddress(storage: Storage, user: User): Promise<AdapterUser | null> {
  const address = storedAddress(user);
  return address ? await storage.getUserByEmail(address) : null;
}

/** The address of a user as it is stored. One that no mailbox can have is kept as it came. */
export function storedAddress({ email }: User): string | null {
  return email ? comparableEmail(email) ?? email : null;
}

/** The id of a user who is made for an account where user and account cannot be made together. */
export function idFor({ provider, providerAccountId }: Account): Promise<string> {
  return derivedUuid("user", provider, providerAccountId);
}

// Only where a sign-in can break off in its middle. The id says for which account the user was made, and nobody can
// choose it; somebody whose address was proven since has another way in, and may have taken the account away.
async function findUnfinished(
  storage: Storage,
  { account }: OAuthAttempt,
  byEmail: AdapterUser | null,
): Promise<AdapterUser | null> {
  if (storage.commit) return null;
  const id = await idFor(account);
  const found = byEmail ?? await storage.getUser(id);
  return found?.id === id && found.emailVerified === null ? found : null;
}
