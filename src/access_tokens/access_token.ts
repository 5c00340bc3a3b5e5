/**
 * The access token of a user at a provider, refreshed if it is about to expire.
 *
 * @module
 */
import {
  AdapterError,
  InvalidConfig,
  InvalidProvider,
  MissingAdapter,
  MissingAdapterMethods,
} from "../kernel/errors.ts";
import type { Adapter } from "../contract/adapter.ts";
import type { AdapterAccount } from "../kernel/model.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { Storage } from "../storage/guard.ts";
import type { EventSubject } from "../request/events.ts";
import { fetchFor } from "../oauth_client/account_fetch.ts";
import type { FetchLike } from "../contract/provider.ts";
import { isGood, readStored, type StoredToken, type TokenRequest } from "./stored_token.ts";
import { refreshOnce } from "./lease.ts";
import { refreshRequired } from "./outcome.ts";

/** An access token of a provider, and what is known of it. */
export interface AccessToken {
  /** The token. */
  readonly accessToken: string;
  /** How to present it, in lower case: `bearer`, or `dpop` for one that is bound to a key (RFC 9449), as `fetch` does. */
  readonly tokenType: string;
  /**
   * Sends a request with the token: as a bearer token or, if it is bound to a key, with a proof (DPoP). Only to https, and
   * without following redirects.
   */
  readonly fetch: FetchLike;
  /** When it expires; `null` if the provider did not say. */
  readonly expiresAt: Date | null;
  /** The granted scopes, separated by spaces; `null` if the provider did not say. */
  readonly scope: string | null;
  /** Id of the provider. */
  readonly provider: string;
  /** Id of the person at the provider. */
  readonly providerAccountId: string;
}

/** Options of {@linkcode Auth.accessToken}. */
export interface AccessTokenOptions {
  /** The account, for a user with several at this provider: their id at the provider. */
  readonly providerAccountId?: string | undefined;
  /**
   * An access token that the provider's API has refused with 401. If it is still the stored one, it is refreshed,
   * whenever it expires.
   */
  readonly refused?: string | undefined;
}

/** Whose token of which provider is asked for, and by which request. */
export interface TokenQuestion {
  readonly userId: string;
  readonly provider: string;
  readonly subject?: EventSubject | undefined;
}

/**
 * Returns an access token of a user that is valid for at least a minute.
 *
 * @throws {RefreshRequired} if the person has to sign in again.
 * @throws {ProviderUnavailable} if the provider cannot be reached, and the stored token has expired.
 */
export async function getAccessToken(
  config: ResolvedConfig,
  { userId, provider: id, subject }: TokenQuestion,
  { providerAccountId, refused }: AccessTokenOptions,
): Promise<AccessToken> {
  const provider = providerOf(config, id);
  const storage = storageOf(config);
  const account = await findAccount(storage, { userId, provider: id, providerAccountId });
  const stored = await readStored(config, account);
  const request: TokenRequest = { config, provider, storage, userId, refused, subject };
  return await present(request, isGood(stored, request) ? stored : await refreshOnce(request, stored));
}

async function present({ config, provider: { fetch } }: TokenRequest, stored: StoredToken): Promise<AccessToken> {
  const { account, accessToken, expiresAt } = stored;
  const { provider, providerAccountId, token_type, scope } = account;
  return Object.freeze({
    accessToken: accessToken ?? "",
    tokenType: token_type?.toLowerCase() || "bearer",
    fetch: await fetchFor({ ...account, access_token: accessToken }, { ...config, fetch }).catch((error: unknown) => {
      // Its key does not open.
      throw error instanceof InvalidConfig ? refreshRequired("unreadable", account) : error;
    }),
    expiresAt: expiresAt === null ? null : new Date(expiresAt * 1000),
    scope: scope || null,
    provider,
    providerAccountId,
  });
}

function providerOf({ providers, brokenProviders }: ResolvedConfig, id: string): ResolvedOAuthProvider {
  const provider = providers.get(id);
  if (provider?.type === "oauth" || provider?.type === "oidc") return provider;
  const [problem] = brokenProviders.get(id)?.problems ?? [];
  const why = problem?.message ?? (provider ? "it issues no tokens" : `\`providers\` has no provider "${id}"`);
  throw new InvalidProvider(`Cannot give an access token of "${id}": ${why}`);
}

/** What storage must be able to do. */
const NEEDED: readonly (keyof Adapter)[] = ["listAccountsByUserId", "updateAccount", "once"];

function storageOf({ storage }: ResolvedConfig): Storage {
  if (!storage) {
    throw new MissingAdapter(
      "Cannot give an access token: without an `adapter`, tokens are not stored. Set one, or keep " +
        "`account.access_token` in the session yourself, in `callbacks.jwt`",
    );
  }
  const missing = NEEDED.filter((name) => !storage.has(name));
  if (missing.length === 0) return storage;
  throw new MissingAdapterMethods(`Cannot give an access token: \`adapter\` lacks ${missing.join(", ")}`);
}

interface Chosen {
  readonly userId: string;
  readonly provider: string;
  readonly providerAccountId: string | undefined;
}

async function findAccount(
  storage: Storage,
  { userId, provider, providerAccountId }: Chosen,
): Promise<AdapterAccount> {
  if (!storage.listAccountsByUserId) throw new AdapterError("Cannot list accounts");
  const all = await storage.listAccountsByUserId(userId);
  const found = all.filter((account) => {
    return account.provider === provider && [undefined, account.providerAccountId].includes(providerAccountId);
  });
  const [account] = found;
  if (!account) throw refreshRequired("not-linked", { provider });
  if (found.length === 1) return account;
  // The wrong one would show or change the data of another account.
  throw new InvalidProvider(
    `Cannot give an access token of "${provider}": the user has ${found.length} accounts there; ` +
      "choose one with `providerAccountId`",
  );
}
