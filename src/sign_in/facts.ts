/**
 * Looks up what storage knows about a sign-in.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { once } from "../kernel/load.ts";
import { keyedUuid } from "../crypto/digest.ts";
import type { Account, AccountKey, AdapterAccount, AdapterUser, User } from "../kernel/model.ts";
import type { Storage } from "../storage/guard.ts";
import type {
  CredentialsAttempt,
  EmailAttempt,
  OAuthAttempt,
  PasswordAttempt,
  SignInAttempt,
  WebAuthnAttempt,
} from "./attempt.ts";
import { findCurrentUser } from "./current.ts";
import { isHeldUnverified, isMarkedByAccount, isUnmarked, storedEmail, withMark } from "./verification.ts";
import type { Facts } from "./linking.ts";

const passwordFacts = once(() => import("./password_facts.ts"));

const NO_FACTS: Facts = Object.freeze({
  current: null,
  byAccount: null,
  credentialsAccount: null,
  isIdTaken: false,
  byEmail: null,
  isHeldUnverified: false,
  isMarkedByAccount: false,
  unfinished: null,
  credentialChanged: false,
  hasMaxCredentials: false,
  password: null,
});

/** Looks up what {@linkcode decide} needs, and no more. */
export async function gatherFacts(ctx: RequestContext, storage: Storage, attempt: SignInAttempt): Promise<Facts> {
  switch (attempt.method) {
    case "oauth":
      return await gatherOAuth(ctx, storage, attempt);
    case "email":
      return await gatherEmail(ctx, storage, attempt);
    case "credentials":
      return await gatherCredentials(storage, attempt);
    case "password":
      return await gatherOwnPassword(ctx, storage, attempt);
    case "webauthn":
      return await gatherWebAuthn(ctx, storage, attempt);
    default:
      return attempt satisfies never;
  }
}

/** The stored user that the application is asked about, before anything is decided. */
export function knownUser({ current, byAccount, byEmail }: Facts, { method }: SignInAttempt): AdapterUser | null {
  switch (method) {
    case "oauth":
      return byAccount;
    case "email":
      return byEmail;
    case "credentials":
      return null; // `authorize` returned the user
    case "password":
      return byAccount;
    case "webauthn":
      return current?.user ?? byAccount;
    default:
      return method satisfies never;
  }
}

/** The key of an account. */
export function accountKeyOf({ provider, providerAccountId }: Account): AccountKey {
  return { provider, providerAccountId };
}

async function gatherEmail(ctx: RequestContext, storage: Storage, attempt: EmailAttempt): Promise<Facts> {
  const byEmail = await withMark(storage, await storage.getUserByEmail(attempt.token.identifier));
  const password = attempt.sets && byEmail
    ? await (await passwordFacts()).gatherReplaced(ctx.config, byEmail.id)
    : null;
  return { ...NO_FACTS, byEmail, password };
}

async function gatherOAuth(ctx: RequestContext, storage: Storage, attempt: OAuthAttempt): Promise<Facts> {
  const key = accountKeyOf(attempt.account);
  const current = await findCurrentUser(ctx, storage, { act: "addAccount", addToUserId: attempt.linking.addToUserId });
  const byAccount = await storage.getUserByAccount(key);
  if (current || byAccount) {
    const isMarked = await isMarkedOnly(storage, attempt, byAccount);
    return { ...NO_FACTS, current, byAccount, isMarkedByAccount: isMarked };
  }
  const found = await findByEmail(storage, attempt.user);
  // Between the two reads, the same person's other tab may have created user and account.
  const meanwhile = found && await storage.getUserByAccount(key);
  if (meanwhile) return { ...NO_FACTS, byAccount: meanwhile };
  const unfinished = await findUnfinished(ctx, storage, attempt, found);
  const { mayLink, vouches } = attempt.linking;
  const byEmail = mayLink ? await withMark(storage, found) : found;
  const mayDisplace = byEmail !== null && !mayLink && vouches;
  const heldUnverified = mayDisplace && await isHeldUnverified(storage, byEmail);
  return { ...NO_FACTS, byEmail, unfinished, isHeldUnverified: heldUnverified };
}

// Read before the plan writes to the account which address the provider confirms: that replaces the mark.
async function isMarkedOnly(
  storage: Storage,
  { account, linking }: OAuthAttempt,
  user: AdapterUser | null,
): Promise<boolean> {
  if (!user || !storage.commit || !linking.vouches || !isUnmarked(user)) return false;
  const row = await storage.getAccount(account.providerAccountId, account.provider);
  return row !== null && isMarkedByAccount(row);
}

// The account leads to the user where storage chose another id than the application's; the id, where it has none yet.
async function gatherCredentials(storage: Storage, { user, account }: CredentialsAttempt): Promise<Facts> {
  const id = account.providerAccountId;
  const linked = await findLinked(storage, account);
  const byId = linked ? null : await (storage.commit ? storage.getUser(id) : storage.findUser(id));
  const isIdTaken = byId === undefined || (byId !== null && !storage.commit && isOther(byId, user));
  const known = linked?.user ?? (isIdTaken ? null : byId);
  const byEmail = known && known.email === storedEmail(user) ? known : await findByEmail(storage, user);
  const facts = { ...NO_FACTS, byEmail, isIdTaken };
  if (known || !byEmail) return { ...facts, byAccount: known, credentialsAccount: linked?.account ?? null };
  // The other tab again: the user may have been created between the two reads.
  const meanwhile = await findLinked(storage, account) ?? (byEmail.id === id ? { user: byEmail, account: null } : null);
  return { ...facts, byAccount: meanwhile?.user ?? null, credentialsAccount: meanwhile?.account ?? null };
}

async function gatherOwnPassword(
  { config }: RequestContext,
  storage: Storage,
  attempt: PasswordAttempt,
): Promise<Facts> {
  const { gatherPassword } = await passwordFacts();
  const { user, password } = await gatherPassword(config, storage, attempt);
  return { ...NO_FACTS, byAccount: user, password };
}

interface LinkedUser {
  readonly user: AdapterUser;
  readonly account: AdapterAccount | null;
}

/** Finds the user of an account of credentials. */
async function findLinked(storage: Storage, account: Account): Promise<LinkedUser | null> {
  if (storage.commit) {
    const row = await storage.getAccount(account.providerAccountId, account.provider);
    const user = row && await storage.getUser(row.userId);
    return user && { user, account: row };
  }
  // Not every adapter for Auth.js can read an account.
  const key = accountKeyOf(account);
  const user = await storage.getUserByAccount(key);
  return user && { user, account: { ...key, type: account.type, userId: user.id } };
}

// A database that numbers its users may have given the id to another user.
function isOther(stored: AdapterUser, user: User): boolean {
  const email = storedEmail(user);
  return Boolean(email && stored.email && email.toLowerCase() !== stored.email.toLowerCase());
}

async function gatherWebAuthn(ctx: RequestContext, storage: Storage, attempt: WebAuthnAttempt): Promise<Facts> {
  const { account, proof, user } = attempt;
  const byAccount = await storage.getUserByAccount(accountKeyOf(account));
  if (proof.act === "authenticate") {
    const found = await storage.getAuthenticator(proof.credentialID);
    return { ...NO_FACTS, byAccount, credentialChanged: found?.counter !== proof.storedCounter };
  }
  // Another WebAuthn provider of this service may have registered the same credential.
  const credentialChanged = await storage.getAuthenticator(proof.authenticator.credentialID) !== null;
  if (proof.addToUserId === null) {
    return { ...NO_FACTS, byAccount, byEmail: await findByEmail(storage, user), credentialChanged };
  }
  const { addToUserId } = proof;
  const current = await findCurrentUser(ctx, storage, { act: "addPasskey", addToUserId });
  const hasMaxCredentials = current !== null &&
    (await storage.listAuthenticatorsByUserId(current.user.id)).length >= proof.maxCredentials;
  return { ...NO_FACTS, current, byAccount, credentialChanged, hasMaxCredentials };
}

async function findByEmail(storage: Storage, user: User): Promise<AdapterUser | null> {
  const email = storedEmail(user);
  return email ? await storage.getUserByEmail(email) : null;
}

/** Milliseconds that a derived id is used for new users. It is recognized for as long again. */
const PERIOD = 5 * 60 * 1000;

/**
 * Derives the id of a new user from their account, so that a sign-in that was interrupted between user and account finds
 * the user again. It is keyed, so that no other party can create a user with this id, and it changes every few minutes, so
 * that an account that was unlinked stays unlinked.
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

// Only without transactions can a sign-in be interrupted half-way. A user with a verified address has another way to sign
// in, and may have unlinked the account.
async function findUnfinished(
  ctx: RequestContext,
  storage: Storage,
  { account }: OAuthAttempt,
  byEmail: AdapterUser | null,
): Promise<AdapterUser | null> {
  if (storage.commit) return null;
  const ids = [await deriveUserId(ctx, account), await deriveUserId(ctx, account, 1)];
  let found: AdapterUser | null | undefined = byEmail;
  for (const id of ids) found ??= await storage.findUser(id);
  return found && ids.includes(found.id) && found.emailVerified === null ? found : null;
}
