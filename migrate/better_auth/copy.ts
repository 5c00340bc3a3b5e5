/**
 * Copies users of Better Auth, with their accounts and passkeys, when they are first needed.
 *
 * A user is copied once. From then on what is missing here has been removed here: it must not come back.
 *
 * @module
 */
import { asRead, type CompleteAdapter, type Plan } from "../../src/contract/adapter.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import type { AdapterUser } from "../../src/kernel/model.ts";
import { accountOf, authenticatorOf, type ProviderIds, userOf } from "./records.ts";
import type { Tables } from "./tables.ts";

/** Where users are copied from and to. */
export interface Copying {
  readonly own: CompleteAdapter;
  readonly tables: Tables;
  readonly providers: ProviderIds;
}

/** A user, and how far the copy has come. */
type CopiedUser = AdapterUser & { readonly migration?: unknown };

const NOT_COPIED =
  "Cannot copy a user of Better Auth: `adapter` did not store the user. Another user may have the address";

const COPYING = "copying";
const COPIED = "copied";

/** Copies a user. Returns the user, or `null` if Better Auth has none. A user who is here already stays as they are. */
export async function copyUser(copying: Copying, id: string): Promise<AdapterUser | null> {
  const { own, tables } = copying;
  const here = await own.getUser(id);
  if (here) return await completeCopy(copying, here);
  const [row] = await tables.find("user", { id });
  if (!row) return null;
  const made: CopiedUser = { ...userOf(row), migration: COPYING };
  try {
    await own.createUser(made);
  } catch (error) {
    // Another request may have been faster.
    const meanwhile = await own.getUser(id);
    if (!meanwhile) throw new AdapterError(NOT_COPIED, { cause: error });
    return await completeCopy(copying, meanwhile);
  }
  return await completeCopy(copying, made);
}

/** Copies what is still missing of a user, if the copy was interrupted or is under way in another request. */
export async function completeCopy(copying: Copying, user: CopiedUser): Promise<AdapterUser> {
  if (user.migration !== COPYING) return user;
  const { own } = copying;
  const expect = { user: asRead(user) };
  for (const plan of [...await plansFor(copying, user), { updateUser: { id: user.id, migration: COPIED } }]) {
    // Expected to be as it was: if somebody verifies the address meanwhile, what is copied later must not open the user.
    // A conflict is also what exists already.
    await own.commit({ expect, ...plan });
  }
  return await own.getUser(user.id) ?? user;
}

async function plansFor({ tables, providers }: Copying, user: AdapterUser): Promise<readonly Plan[]> {
  const userId = user.id;
  const accounts = (await tables.find("account", { userId })).flatMap((row): Plan[] => {
    const linkAccount = accountOf(row, user, providers);
    return linkAccount ? [{ linkAccount }] : [];
  });
  const passkeys = (await tables.find("passkey", { userId })).map((row): Plan => {
    const createAuthenticator = authenticatorOf(row);
    const { providerAccountId } = createAuthenticator;
    const provider = passkeyProvider(providers);
    return { linkAccount: { userId, type: "webauthn", provider, providerAccountId }, createAuthenticator };
  });
  return [...accounts, ...passkeys];
}

/** The id of the provider of passkeys here. */
export function passkeyProvider(providers: ProviderIds): string {
  return providers.passkey ?? "passkey";
}
