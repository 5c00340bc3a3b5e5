/**
 * Applies a plan in steps, for adapters without `commit`.
 *
 * The order lets a sign-in that failed at any step succeed when it is started again: a new user's id is derived from the
 * account, so a user without an account is found by it.
 *
 * @module
 */
import { isAsRead, isUnverified, type Plan } from "../contract/adapter.ts";
import type { AccountKey, AdapterAccount, AdapterAuthenticator, AdapterUser } from "../kernel/model.ts";
import { withoutLongPicture } from "../kernel/pictures.ts";
import type { Storage } from "../storage/guard.ts";
import { accountKeyOf } from "./facts.ts";

/** A plan that was applied. */
export interface Applied {
  /** The user it created, as stored: some databases choose the id themselves. */
  readonly created: AdapterUser | null;
  /** When the address was verified, if the plan verifies it. */
  readonly verifiedAt: Date | null;
}

/** What the steps need in addition to the plan. */
export interface StepOptions {
  /** Ids of the providers whose credentials storage may have. */
  readonly passkeyProviders: readonly string[];
  /** Whether an account or a passkey is added to a user who is signed in. */
  readonly isAddition: boolean;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Applies everything of a plan but sessions. Without transactions `expect` cannot be held: the facts were true a moment
 * ago.
 *
 * @returns `null` on a conflict: another request was faster.
 * @throws {AdapterError} if storage fails; starting again completes what was begun.
 */
export async function applyInSteps(
  storage: Storage,
  plan: Plan,
  { passkeyProviders, isAddition, now }: StepOptions,
): Promise<Applied | null> {
  const freesAddress = plan.updateUser && plan.createUser;
  if (plan.updateUser && freesAddress) await updateUser(storage, plan.updateUser);
  const created = plan.createUser ? await createUser(storage, plan.createUser) : null;
  if (plan.createUser && !created) return null;
  // Once the user is verified, nothing more is revoked: revoke before, and again what was added meanwhile.
  if (plan.evict) await revoke(storage, plan.evict, passkeyProviders);
  if (plan.updateUser && !freesAddress) await updateUser(storage, plan.updateUser);
  const verifiedAt = await dateProof(storage, plan, now);
  if (plan.evict) await revoke(storage, plan.evict, passkeyProviders);
  if (plan.linkAccount) {
    const account = { ...plan.linkAccount, userId: created?.id ?? plan.linkAccount.userId };
    // The next try makes another passkey, so it never finds a user who was created for this one.
    const isFoundAgain = created?.id === plan.createUser?.id && !plan.createAuthenticator;
    const owner = created && { id: created.id, isFoundAgain };
    if (!await linkAccount(storage, account, owner)) return null;
    if (plan.createAuthenticator) await createAuthenticator(storage, plan.createAuthenticator, { account, owner });
    if (isAddition && !await holdsAddition(storage, plan)) return null;
  }
  if (plan.updateAccount) await storage.updateAccount?.(plan.updateAccount);
  if (plan.updateCounter && !await updateCounter(storage, plan)) return null;
  return { created, verifiedAt };
}

// Every request that read the user as unverified did so before the first change was stored. So everything that was
// decided on it is older than this time.
async function dateProof(storage: Storage, { evict, updateUser }: Plan, now: () => number): Promise<Date | null> {
  if (!evict || !updateUser?.emailVerified) return null;
  const emailVerified = new Date(now());
  await storage.updateUser({ id: updateUser.id, emailVerified });
  return emailVerified;
}

// An addition is removed again if the address was verified or the session ended meanwhile: the verification may not have
// seen the addition.
async function holdsAddition(storage: Storage, plan: Plan): Promise<boolean> {
  const { expect, linkAccount, createAuthenticator } = plan;
  if (!linkAccount || !expect?.user) return true;
  const found = expect.session && await storage.getSessionAndUser(expect.session.sessionToken);
  const user = expect.session ? found?.user ?? null : await storage.getUser(expect.user.id);
  if (isAsRead(user, expect.user)) return true;
  await storage.unlinkAccount(accountKeyOf(linkAccount));
  if (createAuthenticator) await storage.deleteAuthenticator?.(createAuthenticator.credentialID);
  return false;
}

// A failure may mean that the id or the address is taken, or that storage created the user and the response was lost.
// Either way, decide again: the address may belong to another person.
async function createUser(storage: Storage, user: AdapterUser): Promise<AdapterUser | null> {
  try {
    return await storage.createUser(user);
  } catch (error) {
    if (await hasUserLike(storage, user)) return null;
    const smaller = withoutLongPicture(user);
    if (smaller) return await createUser(storage, smaller);
    throw error;
  }
}

async function updateUser(storage: Storage, changes: NonNullable<Plan["updateUser"]>): Promise<void> {
  try {
    await storage.updateUser(changes);
  } catch (error) {
    const smaller = withoutLongPicture(changes);
    if (!smaller) throw error;
    await storage.updateUser(smaller);
  }
}

async function hasUserLike(storage: Storage, { id, email }: AdapterUser): Promise<boolean> {
  if (email && await storage.getUserByEmail(email)) return true;
  // A database that numbers its users fails at any other id.
  return await storage.getUser(id).catch(() => null) !== null;
}

interface CreatedUser {
  readonly id: string;
  /** Whether storage kept the derived id, so that the next try finds the user. */
  readonly isFoundAgain: boolean;
}

async function linkAccount(storage: Storage, account: AdapterAccount, created: CreatedUser | null): Promise<boolean> {
  try {
    await storage.linkAccount(account);
    return true;
  } catch (error) {
    const owner = await storage.getUserByAccount(accountKeyOf(account));
    if (owner?.id === account.userId) return true;
    // A user who is found again may be in use already, by the same person's other tab.
    if (created && (owner || !created.isFoundAgain)) await removeUser(storage, created);
    if (owner) return false;
    throw error;
  }
}

async function createAuthenticator(
  storage: Storage,
  authenticator: AdapterAuthenticator,
  { account, owner }: { readonly account: AdapterAccount; readonly owner: CreatedUser | null },
): Promise<void> {
  try {
    await storage.createAuthenticator({ ...authenticator, userId: account.userId });
  } catch (error) {
    // An account without its credential cannot sign in, but a list of accounts would show it.
    await storage.unlinkAccount(accountKeyOf(account)).catch(ignore);
    if (owner) await removeUser(storage, owner);
    throw error;
  }
}

// No later sign-in would find this user, and the address would stay taken.
async function removeUser(storage: Storage, { id }: CreatedUser): Promise<void> {
  if (storage.has("deleteUser")) await storage.deleteUser(id).catch(ignore);
}

// The failure that made the cleanup necessary is the one to report.
function ignore(): void {}

async function updateCounter(storage: Storage, { updateCounter, expect }: Plan): Promise<boolean> {
  if (!updateCounter) return true;
  const { credentialID, counter } = updateCounter;
  const found = await storage.getAuthenticator(credentialID);
  if (found?.counter !== expect?.authenticator?.counter) return false;
  await storage.updateAuthenticatorCounter(credentialID, counter);
  return true;
}

async function revoke(
  storage: Storage,
  { userId, email }: NonNullable<Plan["evict"]>,
  passkeyProviders: readonly string[],
): Promise<void> {
  await storage.deleteSessionsByUserId?.(userId);
  const authenticators = await listAuthenticators(storage, userId, passkeyProviders);
  const accounts = await storage.listAccountsByUserId?.(userId);
  const unverified = accounts
    ? accounts.filter((account) => isUnverified(account, email)).map(accountKeyOf)
    : await findPasskeyAccounts(storage, { userId, authenticators, passkeyProviders });
  for (const key of unverified) await storage.unlinkAccount(key);
  // A credential without its account cannot sign in, so it may stay where storage cannot remove it.
  for (const { credentialID } of authenticators) await storage.deleteAuthenticator?.(credentialID);
}

// Adapters written for Auth.js fail here if the developer uses no passkeys and has no table for them.
async function listAuthenticators(
  storage: Storage,
  userId: string,
  passkeyProviders: readonly string[],
): Promise<readonly AdapterAuthenticator[]> {
  const hasTable = storage.deleteAuthenticator !== null || passkeyProviders.length > 0;
  return hasTable && storage.has("listAuthenticatorsByUserId") ? await storage.listAuthenticatorsByUserId(userId) : [];
}

// Without `listAccountsByUserId`, the accounts of passkeys are found by their credentials.
async function findPasskeyAccounts(
  storage: Storage,
  { userId, authenticators, passkeyProviders }: {
    readonly userId: string;
    readonly authenticators: readonly AdapterAuthenticator[];
    readonly passkeyProviders: readonly string[];
  },
): Promise<AccountKey[]> {
  const keys = authenticators.flatMap(({ providerAccountId }) => {
    return passkeyProviders.map((provider) => ({ provider, providerAccountId }));
  });
  const owners = await Promise.all(keys.map((key) => storage.getUserByAccount(key)));
  return keys.filter((_, index) => owners[index]?.id === userId);
}
