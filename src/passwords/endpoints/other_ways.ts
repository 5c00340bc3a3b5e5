/**
 * The ways in that somebody has besides a password.
 *
 * @module
 */
import type { Expectation } from "../../contract/adapter.ts";
import type { AdapterUser } from "../../kernel/model.ts";
import type { RequestContext } from "../../request/context.ts";
import { requireStorage } from "../../request/require_storage.ts";

/** A way in, and what has to be true for it still when the password is removed. */
export interface OtherWay {
  readonly expect: Pick<Expectation, "account" | "authenticator">;
}

/** Finds another way in of a user whose address is proven; `null` if there is none. */
export async function findOtherWay(ctx: RequestContext, { id: userId }: AdapterUser): Promise<OtherWay | null> {
  const { providers } = ctx.config;
  const types = new Set([...providers.values()].map(({ type }) => type));
  // A link to their address: nobody can take it away.
  if (types.has("email")) return { expect: {} };
  const storage = requireStorage(ctx);
  const accounts = await storage.listAccountsByUserId?.(userId) ?? [];
  const account = accounts.find(({ provider }) => ["oauth", "oidc"].includes(providers.get(provider)?.type ?? ""));
  if (account) {
    const { provider, providerAccountId } = account;
    return { expect: { account: { provider, providerAccountId, userId } } };
  }
  const [passkey] = types.has("webauthn") ? await storage.listAuthenticatorsByUserId(userId) : [];
  if (!passkey) return null;
  const { credentialID, counter } = passkey;
  return { expect: { authenticator: { credentialID, counter, userId } } };
}
