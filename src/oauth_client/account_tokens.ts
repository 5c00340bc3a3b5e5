/**
 * The tokens of an account, as storage keeps them: plain, or sealed for this account.
 *
 * @module
 */
import { isSealedAtRest, openAtRest, sealAtRest } from "../crypto/at_rest.ts";
import type { AccountKey, TokenSet } from "../kernel/model.ts";
import type { ResolvedConfig } from "../config/resolve.ts";

/** The members that are sealed. */
export const SEALED_MEMBERS = ["access_token", "refresh_token", "id_token"] as const;

type Sealing = Pick<ResolvedConfig, "sealer" | "sealsTokens">;

/** Seals the tokens of an account. Returns the sealed members; none unless the configuration says so. */
export async function sealTokens(
  { sealer, sealsTokens }: Sealing,
  key: AccountKey,
  tokens: TokenSet,
): Promise<TokenSet> {
  const sealed: TokenSet = {};
  if (!sealsTokens) return sealed;
  for (const name of SEALED_MEMBERS) {
    const token = tokens[name];
    if (token) sealed[name] = await sealAtRest(sealer, { purpose: name, owner: ownerOf(key) }, token);
  }
  return sealed;
}

/**
 * Reads a token of an account, whether it is sealed or not.
 *
 * @returns `undefined` if there is none; `null` if it is sealed and does not open.
 */
export async function openToken(
  { sealer }: Pick<Sealing, "sealer">,
  account: AccountKey & TokenSet,
  name: typeof SEALED_MEMBERS[number],
): Promise<string | null | undefined> {
  const stored: unknown = account[name];
  if (typeof stored !== "string" || stored === "") return undefined;
  return isSealedAtRest(stored) ? await openAtRest(sealer, { purpose: name, owner: ownerOf(account) }, stored) : stored;
}

/** Whom a sealed member of an account belongs to: it does not open in the row of another account. */
export function ownerOf({ provider, providerAccountId }: AccountKey): string {
  return JSON.stringify([provider, providerAccountId]);
}
