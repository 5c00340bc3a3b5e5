/**
 * Who has an address, or would.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { randomUuid } from "../crypto/random.ts";
import { MissingAdapter } from "../kernel/errors.ts";
import type { Account, AdapterUser } from "../kernel/model.ts";
import type { Storage } from "../config/storage.ts";

/** A user, and the account that a link opens. */
export interface EmailUser {
  readonly user: AdapterUser;
  readonly account: Account;
}

/** Finds who has an address; a user that could be made of it, where nobody has. */
export async function findEmailUser(ctx: Pick<RequestContext, "config">, key: EmailKey): Promise<EmailUser> {
  const user = await storageOf(ctx.config).getUserByEmail(key.identifier);
  return user ? { user, account: accountOf(key, user) } : newEmailUser(ctx, key);
}

/** Makes the user whom nobody knows yet. */
export function newEmailUser({ config }: Pick<RequestContext, "config">, key: EmailKey): EmailUser {
  const user = { id: randomUuid(config.runtime), email: key.identifier, emailVerified: null };
  return { user, account: accountOf(key, user) };
}

function accountOf({ provider, identifier }: EmailKey, { id }: AdapterUser): Account {
  return { provider, providerAccountId: identifier, userId: id, type: "email" };
}

/** What names a mailbox. */
export interface EmailKey {
  /** Id of the provider. */
  readonly provider: string;
  /** The address, normalised. */
  readonly identifier: string;
}

/** The storage, without which no link can be sent. */
export function storageOf({ storage }: RequestContext["config"]): Storage {
  if (storage) return storage;
  throw new MissingAdapter("Cannot sign in by e-mail: set `adapter`, which keeps the links that are under way");
}
