/**
 * The user of an address.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { randomUuid } from "../crypto/random.ts";
import type { Account, AdapterUser } from "../kernel/model.ts";
import type { Storage } from "../config/storage.ts";
import { requireStorage } from "../request/require_storage.ts";

/** A user and their email account. */
export interface EmailUser {
  readonly user: AdapterUser;
  readonly account: Account;
}

/** An address at a provider. */
export interface EmailKey {
  /** Id of the provider. */
  readonly provider: string;
  /** The normalized address. */
  readonly identifier: string;
}

/** Finds the user who has an address, or makes a new one, which is not stored. */
export async function findEmailUser(ctx: Pick<RequestContext, "config">, key: EmailKey): Promise<EmailUser> {
  const user = await storageOf(ctx).getUserByEmail(key.identifier);
  return user ? { user, account: accountOf(key, user) } : newEmailUser(ctx, key);
}

/** Makes a new user, which is not stored. */
export function newEmailUser({ config }: Pick<RequestContext, "config">, key: EmailKey): EmailUser {
  const user = { id: randomUuid(config.runtime), email: key.identifier, emailVerified: null };
  return { user, account: accountOf(key, user) };
}

function accountOf({ provider, identifier }: EmailKey, { id }: AdapterUser): Account {
  return { provider, providerAccountId: identifier, userId: id, type: "email" };
}

/** The storage, which keeps the tokens of the links. */
export function storageOf({ config }: Pick<RequestContext, "config">): Storage {
  return requireStorage(config, "sign in by email");
}
