/**
 * What storage knows of somebody who signs in.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { keyedUuid } from "../crypto/digest.ts";
import type { Account, AccountKey, AdapterUser, User } from "../kernel/model.ts";
import type { Storage } from "../config/storage.ts";
import { comparableEmail } from "../kernel/address.ts";
import type { CredentialsAttempt, OAuthAttempt, SignInAttempt, WebAuthnAttempt } from "./attempt.ts";
import { type CurrentUser, findCurrentUser } from "./current.ts";
import { isHeldUnverified } from "./verification.ts";
import type { Facts } from "./linking.ts";

const NO_FACTS: Facts = Object.freeze({
  current: null,
  sessionToken: null,
  byAccount: null,
  account: null,
  byEmail: null,
  isHeldUnproven: false,
  unfinished: null,
  isOutdated: false,
  isFull: false,
});

/** Looks up what {@linkcode decide} needs, and no more. */
export async function gatherFacts(ctx: RequestContext, storage: Storage, attempt: SignInAttempt): Promise<Facts> {
  switch (attempt.method) {
    case "oauth":
      return await gatherOAuth(ctx, storage, attempt);
    case "email":
      return { ...NO_FACTS, byEmail: await storage.getUserByEmail(attempt.token.identifier) };
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
export function accountKeyOf({ provider, providerAccountId }: Account): AccountKey {
  return { provider, providerAccountId };
}

async function gatherOAuth(ctx: RequestContext, storage: Storage, attempt: OAuthAttempt): Promise<Facts> {
  const key = accountKeyOf(attempt.account);
  const acting = await findCurrentUser(ctx, storage, attempt.linking.addToUserId);
  const byAccount = await storage.getUserByAccount(key);
  if (acting || byAccount) return { ...NO_FACTS, ...currentFacts(acting), byAccount };
  const byEmail = await findByEmail(storage, attempt.user);
  // Their own sign-in in another tab may have made user and account between the two looks.
  const meanwhile = byEmail && await storage.getUserByAccount(key);
  if (meanwhile) return { ...NO_FACTS, byAccount: meanwhile };
  const unfinished = await findUnfinished(ctx, storage, attempt, byEmail);
  const { allowEmailLinking: links, emailVerified } = attempt.linking;
  const mayDisplace = byEmail !== null && !links && emailVerified === true;
  return { ...NO_FACTS, byEmail, unfinished, isHeldUnverified: mayDisplace && await isHeldUnverified(storage, byEmail) };
}

async function gatherCredentials(storage: Storage, { user, account }: CredentialsAttempt): Promise<Facts> {
  const { provider, providerAccountId: id } = account;
  const byId = await storage.getUser(id);
  const byEmail = byId?.email === storedEmail(user) ? byId : await findByEmail(storage, user);
  // As above, between the two looks.
  const byAccount = byId ?? (byEmail?.id === id ? byEmail : null);
  const kept = byAccount && storage.commit ? await storage.getAccount(id, provider) : null;
  return { ...NO_FACTS, byAccount, byEmail, credentialsAccount: kept };
}

async function gatherWebAuthn(ctx: RequestContext, storage: Storage, attempt: WebAuthnAttempt): Promise<Facts> {
  const { account, proof, user } = attempt;
  const byAccount = await storage.getUserByAccount(accountKeyOf(account));
  if (proof.act === "authenticate") {
    const found = await storage.getAuthenticator(proof.credentialID);
    return { ...NO_FACTS, byAccount, credentialChanged: found?.counter !== proof.storedCounter };
  }
  // It may also be registered with another provider of this service.
  const isOutdated = await storage.getAuthenticator(proof.authenticator.credentialID) !== null;
  if (proof.addToUserId === null) {
    return { ...NO_FACTS, byAccount, byEmail: await findByEmail(storage, user), credentialChanged: isOutdated };
  }
  const acting = await findCurrentUser(ctx, storage, proof.addToUserId);
  const isFull = acting !== null && (await storage.listAuthenticatorsByUserId(acting.user.id)).length >= proof.maxCredentials;
  return { ...NO_FACTS, ...currentFacts(acting), byAccount, credentialChanged: isOutdated, hasMaxCredentials: isFull };
}

function currentFacts(acting: CurrentUser | null): Pick<Facts, "current" | "sessionToken"> {
  return { current: acting?.user ?? null, sessionToken: acting?.sessionToken ?? null };
}

async function findByEmail(storage: Storage, user: User): Promise<AdapterUser | null> {
  const address = storedEmail(user);
  return address ? await storage.getUserByEmail(address) : null;
}

/** The address of a user as it is stored. One that no mailbox can have is kept as it came. */
export function storedEmail({ email }: User): string | null {
  return email ? comparableEmail(email) ?? email : null;
}

/** Milliseconds for which an id is derived; it holds for this long, and is known for as long again. */
const PERIOD = 5 * 60 * 1000;

/**
 * The id of a user who is made for an account where user and account cannot be made together. Keyed, so that nobody else
 * can make a user of this id, and another one after some minutes, so that an account that was taken away stays away.
 *
 * @param periods How many periods ago.
 */
export function deriveUserId(
  { config }: RequestContext,
  { provider, providerAccountId }: Account,
  periods = 0,
): Promise<string> {
  const period = Math.floor(config.runtime.now() / PERIOD) - periods;
  return keyedUuid(config.secrets[0] ?? "", "user", provider, providerAccountId, String(period));
}

// Only where a sign-in can break off in its middle. Somebody whose address was proven since has another way in, and may
// have taken the account away.
async function findUnfinished(
  ctx: RequestContext,
  storage: Storage,
  { account }: OAuthAttempt,
  byEmail: AdapterUser | null,
): Promise<AdapterUser | null> {
  if (storage.commit) return null;
  const ids = [await deriveUserId(ctx, account), await deriveUserId(ctx, account, 1)];
  const found = byEmail ?? await storage.getUser(ids[0] ?? "") ?? await storage.getUser(ids[1] ?? "");
  return found && ids.includes(found.id) && found.emailVerified === null ? found : null;
}
