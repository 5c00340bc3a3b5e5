/**
 * The request for an access token, and the tokens that an account has.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { AccountKey, AdapterAccount } from "../kernel/model.ts";
import { openToken } from "../oauth_client/account_tokens.ts";
import type { EventSubject } from "../request/events.ts";
import type { Storage } from "../storage/guard.ts";

/** An access token that a caller wants, and where it comes from. */
export interface TokenRequest {
  readonly config: ResolvedConfig;
  readonly provider: ResolvedOAuthProvider;
  readonly storage: Storage;
  readonly userId: string;
  /** An access token that is of no use any more, whenever it expires. */
  readonly refused: string | undefined;
  /** The request that asks for it, for the log. */
  readonly subject?: EventSubject | undefined;
}

/** The tokens of an account, readable. */
export interface StoredToken {
  /** The stored row. */
  readonly account: AdapterAccount;
  readonly accessToken: string | null;
  readonly refreshToken: string | null;
  /** When the access token expires, in seconds since 1970; `null` if that is not known. */
  readonly expiresAt: number | null;
  /** Whether a token is sealed and does not open. */
  readonly isUnreadable: boolean;
}

/** Finds the row of an account, if it still belongs to the user. */
export async function findRow(
  { storage, userId }: Pick<TokenRequest, "storage" | "userId">,
  { provider, providerAccountId }: AccountKey,
): Promise<AdapterAccount | null> {
  const rows = await storage.listAccountsByUserId?.(userId) ?? [];
  return rows.find((row) => row.provider === provider && row.providerAccountId === providerAccountId) ?? null;
}

/**
 * Returns the sealed key that the refresh token of an account is used with, and so the key of the new tokens: with DPoP, that
 * of the sign-in which brought it. `undefined` if the tokens are not bound.
 */
export function refreshKeyOf({ token_type, dpop_key, refresh_dpop_key }: AdapterAccount): string | undefined {
  return token_type?.toLowerCase() === "dpop" ? String(refresh_dpop_key ?? dpop_key) : undefined;
}

/**
 * Returns the number of the leases that an account has had. The end of a lease raises it, so that the next one is another
 * lease, independent of any clock.
 */
export function versionOf({ refresh_version: version }: AdapterAccount): number {
  return numberOf(version) ?? 0;
}

/** Returns the change of an account that ends its lease. */
export function nextVersion(account: AdapterAccount): { readonly refresh_version: number } {
  return { refresh_version: versionOf(account) + 1 };
}

/** Seconds for which a token that is given must be valid. */
export const LEAST = 60;

/** Reads the tokens of an account. */
export async function readStored(
  config: Pick<ResolvedConfig, "sealer">,
  account: AdapterAccount,
): Promise<StoredToken> {
  const accessToken = await openToken(config, account, "access_token");
  const refreshToken = await openToken(config, account, "refresh_token");
  return {
    account,
    accessToken: accessToken ?? null,
    refreshToken: refreshToken ?? null,
    expiresAt: numberOf(account.expires_at),
    isUnreadable: accessToken === null || refreshToken === null,
  };
}

/** Whether the access token can be given: it is valid for a minute, or for half of its life if that is shorter. */
export function isGood(stored: StoredToken, request: Pick<TokenRequest, "config" | "refused">): boolean {
  const lifetime = numberOf(stored.account.expires_in) ?? Infinity;
  return isValidFor(Math.min(LEAST, lifetime / 2), stored, request);
}

/** Whether the access token can be used for some seconds more. */
export function isValidFor(
  seconds: number,
  { accessToken, expiresAt }: StoredToken,
  { config, refused }: Pick<TokenRequest, "config" | "refused">,
): boolean {
  if (accessToken === null || accessToken === refused) return false;
  return expiresAt === null || expiresAt - config.runtime.now() / 1000 >= seconds;
}

// Some databases return numbers as text.
function numberOf(value: unknown): number | null {
  const isGiven = typeof value === "number" || typeof value === "bigint" || (typeof value === "string" && value !== "");
  const seconds = isGiven ? Number(value) : NaN;
  return Number.isFinite(seconds) ? seconds : null;
}
