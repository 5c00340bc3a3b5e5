/**
 * The account and the authenticator that a plan removes, where no transaction checks whose they are.
 *
 * @module
 */
import type { Adapter, Plan } from "./adapter.ts";

/** Finds whose an account or an authenticator is. An operation that is missing finds nothing out. */
export type FindsOwners = {
  readonly [Name in "getUserByAccount" | "getAuthenticator"]?: Adapter[Name] | undefined;
};

/** Whether the user of a plan has the account and the authenticator that it removes. */
export async function hasWhatGoes(
  finds: FindsOwners,
  { unlinkAccount, deleteAuthenticator }: Pick<Plan, "unlinkAccount" | "deleteAuthenticator">,
): Promise<boolean> {
  if (unlinkAccount && finds.getUserByAccount) {
    const { userId, provider, providerAccountId } = unlinkAccount;
    const owner = await finds.getUserByAccount({ provider, providerAccountId });
    // A database that numbers its users gives a number.
    if (!owner || String(owner.id) !== String(userId)) return false;
  }
  if (deleteAuthenticator && finds.getAuthenticator) {
    const { userId, credentialID } = deleteAuthenticator;
    const found = await finds.getAuthenticator(credentialID);
    if (!found || String(found.userId) !== String(userId)) return false;
  }
  return true;
}
