/**
 * What a user is rid of when an address is proven for the first time.
 *
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { AccountKey, AdapterAuthenticator, AdapterUser } from "../model.ts";
import type { Storage } from "../storage.ts";
import { keyOf } from "./facts.ts";
import type { Admission, Unproven } from "./plan.ts";

/** Lists what is not proven to be the user's. Whoever opened a row in somebody else's name loses it. */
export async function unprovenOf(
  ctx: Pick<RequestContext, "config">,
  storage: Storage,
  decision: Admission,
): Promise<Unproven | null> {
  if (decision.act !== "verify" && !(decision.act === "adopt" && decision.evict)) return null;
  const { user } = decision;
  const providers = [...ctx.config.providers.values()].filter(({ type }) => type === "webauthn").map(({ id }) => id);
  const accounts = await storage.listAccountsByUserId?.(user.id);
  const authenticators = await credentialsOf(storage, user, providers);
  return {
    accounts: accounts
      ?.filter((account) => account.email_verified === false || account.type === "webauthn")
      .map(keyOf) ?? await accountsOf(storage, { user, authenticators, providers }),
    // Without its account a credential opens nothing, so one that storage cannot remove may stay.
    authenticators: canRemove(storage) ? authenticators.map(({ credentialID }) => credentialID) : [],
  };
}

function canRemove(storage: Storage): boolean {
  return storage.commit !== null || storage.deleteAuthenticator !== null;
}

// Adapters of the family fail where a developer without passkeys has made no table for them.
async function credentialsOf(
  storage: Storage,
  { id }: AdapterUser,
  providers: readonly string[],
): Promise<readonly AdapterAuthenticator[]> {
  const mayAsk = canRemove(storage) || providers.length > 0;
  return mayAsk && storage.has("listAuthenticatorsByUserId") ? await storage.listAuthenticatorsByUserId(id) : [];
}

interface Search {
  readonly user: AdapterUser;
  readonly authenticators: readonly AdapterAuthenticator[];
  /** Ids of the providers that may have made them. */
  readonly providers: readonly string[];
}

// Where accounts cannot be listed, those of passkeys are found by their credentials.
async function accountsOf(storage: Storage, { user, authenticators, providers }: Search): Promise<AccountKey[]> {
  const keys = authenticators.flatMap(({ providerAccountId }) => {
    return providers.map((provider) => ({ provider, providerAccountId }));
  });
  const owners = await Promise.all(keys.map((key) => storage.getUserByAccount(key)));
  return keys.filter((_, index) => owners[index]?.id === user.id);
}
