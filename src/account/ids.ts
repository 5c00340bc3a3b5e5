/**
 * What stands for accounts and passkeys in forms: keyed, so that it says nothing about them, and nobody guesses it.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { keyedUuid, sameText } from "../crypto/digest.ts";
import type { AdapterAccount, AdapterAuthenticator } from "../kernel/model.ts";

/** Something that a form names. */
export type Named = AdapterAccount | AdapterAuthenticator;

/** Gives the id by which a form names an account or a passkey. */
export async function formIdOf({ secrets }: Pick<ResolvedConfig, "secrets">, named: Named): Promise<string> {
  return await idBy(secrets[0] ?? "", named);
}

/** Finds what a form names. A page that showed the id may be older than the newest secret. */
export async function findNamed<N extends Named>(
  { secrets }: Pick<ResolvedConfig, "secrets">,
  all: readonly N[],
  id: unknown,
): Promise<N | null> {
  if (typeof id !== "string") return null;
  for (const named of all) {
    for (const secret of secrets) if (sameText(await idBy(secret, named), id)) return named;
  }
  return null;
}

async function idBy(secret: string, named: Named): Promise<string> {
  const { userId } = named;
  return "credentialID" in named
    ? await keyedUuid(secret, "passkey", userId, named.credentialID)
    : await keyedUuid(secret, "account", userId, named.provider, named.providerAccountId);
}
