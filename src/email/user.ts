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
export interface Mailbox {
  readonly user: AdapterUser;
  readonly account: Account;
}

/** Finds who has an address; a user that could be made of it, where nobody has. */
export async function mailboxOf(ctx: Pick<RequestContext, "config">, key: MailboxKey): Promise<Mailbox> {
  const user = await storageOf(ctx.config).getUserByEmail(key.identifier);
  return user ? { user, account: accountOf(key, user) } : newMailbox(ctx, key);
}

/** Makes the user whom nobody knows yet. */
export function newMailbox({ config }: Pick<RequestContext, "config">, key: MailboxKey): Mailbox {
  const user = { id: randomUuid(config.runtime), email: key.identifier, emailVerified: null };
  return { user, account: accountOf(key, user) };
}

function accountOf({ provider, identifier }: MailboxKey, { id }: AdapterUser): Account {
  return { provider, providerAccountId: identifier, userId: id, type: "email" };
}

/** What names a mailbox. */
export interface MailboxKey {
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
