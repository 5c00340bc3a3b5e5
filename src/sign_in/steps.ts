/**
 * A plan carried out step by step, for adapters that cannot do it as a whole.
 *
 * The order is such that whoever starts again after any failure gets in: a user is made under an id that tells for which
 * account, and what is left of them is found by it.
 *
 * @module
 */
import { isUnproven, type Plan } from "../contract/adapter.ts";
import type { AccountKey, AdapterAccount, AdapterAuthenticator, AdapterUser } from "../kernel/model.ts";
import type { Storage } from "../config/storage.ts";
import { accountKeyOf } from "./facts.ts";

/** What became of it: the user as storage has them, or `null` if somebody else was faster. */
export type CarriedOut = { readonly user: AdapterUser | null; readonly done: boolean };

const CONFLICT: CarriedOut = { user: null, done: false };

/**
 * Carries a plan out, sessions excepted. What was expected cannot be held on to here: it was so a moment ago.
 *
 * @param passkeyProviders Ids of the providers that may have made credentials.
 * @throws {AdapterError} if storage fails; what was begun can be finished by starting again.
 */
export async function applyInSteps(
  storage: Storage,
  plan: Plan,
  passkeyProviders: readonly string[] = [],
): Promise<CarriedOut> {
  const isReleased = plan.updateUser && plan.createUser;
  if (plan.updateUser && isReleased) await storage.updateUser(plan.updateUser);
  const user = plan.createUser ? await createUser(storage, plan.createUser) : null;
  if (plan.createUser && !user) return CONFLICT;
  // Whoever is proven is not looked at again, so whatever is unproven goes first, and once more what came meanwhile.
  if (plan.evict) await evict(storage, plan.evict, passkeyProviders);
  if (plan.updateUser && !isReleased) await storage.updateUser(plan.updateUser);
  if (plan.evict) await evict(storage, plan.evict, passkeyProviders);
  if (plan.linkAccount) {
    const account = { ...plan.linkAccount, userId: user?.id ?? plan.linkAccount.userId };
    // A passkey is made anew by whoever starts again, so a user who was made for it is never found by it.
    const isFoundAgain = user?.id === plan.createUser?.id && !plan.createAuthenticator;
    const made = user && { id: user.id, isFoundAgain };
    if (!await linkAccount(storage, account, made)) return CONFLICT;
    if (plan.createAuthenticator) await createAuthenticator(storage, plan.createAuthenticator, { account, made });
  }
  if (plan.updateAccount) await storage.updateAccount?.(plan.updateAccount);
  if (plan.updateCounter && !await raiseCounter(storage, plan)) return CONFLICT;
  return { user, done: true };
}

// A failure may mean that the user exists, or the address is taken: by somebody else's hand, or by ours, unheard. It
// is decided anew then, and never concluded that whoever has the address is the one.
async function createUser(storage: Storage, user: AdapterUser): Promise<AdapterUser | null> {
  try {
    return await storage.createUser(user);
  } catch (error) {
    const taken = await storage.getUser(user.id) ?? (user.email ? await storage.getUserByEmail(user.email) : null);
    if (taken) return null;
    throw error;
  }
}

interface Made {
  readonly id: string;
  /** Whether storage kept the id, by which the next sign-in finds the user. */
  readonly isFoundAgain: boolean;
}

async function linkAccount(storage: Storage, account: AdapterAccount, made: Made | null): Promise<boolean> {
  try {
    await storage.linkAccount(account);
    return true;
  } catch (error) {
    const owner = await storage.getUserByAccount(accountKeyOf(account));
    if (owner?.id === account.userId) return true;
    // A user who is found again may have been found by now, by the same person's other tab.
    if (made && (owner || !made.isFoundAgain)) await discard(storage, made);
    if (owner) return false;
    throw error;
  }
}

interface Undone {
  readonly account: AdapterAccount;
  readonly made: Made | null;
}

async function createAuthenticator(
  storage: Storage,
  authenticator: AdapterAuthenticator,
  { account, made }: Undone,
): Promise<void> {
  try {
    await storage.createAuthenticator({ ...authenticator, userId: account.userId });
  } catch (error) {
    await discardAccount(storage, account);
    if (made) await discard(storage, made);
    throw error;
  }
}

// An account without its credential opens for nobody, but whoever lists accounts would take it for a way in.
async function discardAccount(storage: Storage, account: AdapterAccount): Promise<void> {
  try {
    await storage.unlinkAccount(accountKeyOf(account));
  } catch {
    // The failure that led here is the one to tell.
  }
}

async function raiseCounter(storage: Storage, { updateCounter, expect }: Plan): Promise<boolean> {
  if (!updateCounter) return true;
  const { credentialID, counter } = updateCounter;
  const found = await storage.getAuthenticator(credentialID);
  if (found?.counter !== expect?.authenticator?.counter) return false;
  await storage.updateAuthenticatorCounter(credentialID, counter);
  return true;
}

// Nobody would find this user again, and the address would stay taken.
async function discard(storage: Storage, { id }: Made): Promise<void> {
  if (!storage.has("deleteUser")) return;
  try {
    await storage.deleteUser(id);
  } catch {
    // The failure that led here is the one to tell.
  }
}

async function evict(
  storage: Storage,
  { userId, email }: NonNullable<Plan["evict"]>,
  passkeyProviders: readonly string[],
): Promise<void> {
  await storage.deleteSessionsByUserId?.(userId);
  const authenticators = await credentialsOf(storage, userId, passkeyProviders);
  const accounts = await storage.listAccountsByUserId?.(userId);
  const lost = accounts
    ? accounts.filter((account) => isUnproven(account, email)).map(accountKeyOf)
    : await accountsOf(storage, { userId, authenticators, passkeyProviders });
  for (const key of lost) await storage.unlinkAccount(key);
  // Without its account a credential opens nothing, so one that storage cannot remove may stay.
  for (const { credentialID } of authenticators) await storage.deleteAuthenticator?.(credentialID);
}

// Adapters of the family fail where a developer without passkeys has made no table for them.
async function credentialsOf(
  storage: Storage,
  userId: string,
  passkeyProviders: readonly string[],
): Promise<readonly AdapterAuthenticator[]> {
  const mayAsk = storage.deleteAuthenticator !== null || passkeyProviders.length > 0;
  return mayAsk && storage.has("listAuthenticatorsByUserId") ? await storage.listAuthenticatorsByUserId(userId) : [];
}

interface Search {
  readonly userId: string;
  readonly authenticators: readonly AdapterAuthenticator[];
  readonly passkeyProviders: readonly string[];
}

// Where accounts cannot be listed, those of passkeys are found by their credentials.
async function accountsOf(
  storage: Storage,
  { userId, authenticators, passkeyProviders }: Search,
): Promise<AccountKey[]> {
  const keys = authenticators.flatMap(({ providerAccountId }) => {
    return passkeyProviders.map((provider) => ({ provider, providerAccountId }));
  });
  const owners = await Promise.all(keys.map((key) => storage.getUserByAccount(key)));
  return keys.filter((_, index) => owners[index]?.id === userId);
}
