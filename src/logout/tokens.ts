/**
 * What becomes of the tokens of a provider when the sessions that began there have ended: they are removed, and revoked.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc7009 | RFC 7009}
 */
import * as oauth from "oauth4webapi";
import { metadataUrl } from "../config/endpoint.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { Storage } from "../storage/guard.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import type { AdapterAccount } from "../kernel/model.ts";
import { openToken } from "../oauth_client/account_tokens.ts";
import { clientMetadata } from "../oauth_client/client.ts";
import { configuredParam } from "../oauth_client/request_params.ts";
import { clientAuth } from "../oauth_client/client_auth.ts";
import { authorizationServer } from "../oauth_client/discovery.ts";
import { withoutSecrets } from "../oauth_client/failure.ts";
import { readObject } from "../oauth_client/json.ts";
import { lackOf } from "../oauth_client/metadata.ts";
import { limitedFetch } from "../oauth_client/outbound.ts";
import type { RequestContext } from "../request/context.ts";
import { isLiveRow } from "../session_stores/ended.ts";

/** Whose tokens: those of one account, or of all that the user has at the provider. */
export interface TokenHolder {
  readonly provider: ResolvedOAuthProvider;
  readonly userId: string;
  readonly providerAccountId?: string | undefined;
}

/** The share of `timeouts.total` that the answer may wait for the provider. */
const SHARE = 1 / 4;

/** Each time another request has changed the tokens meanwhile. */
const MOST_TRIES = 3;

/**
 * Ends the tokens of a user after a sign-out, with the option `revokeTokens`: here, and then at the provider. What fails
 * goes to the log.
 */
export async function endTokens(ctx: RequestContext, holder: TokenHolder): Promise<void> {
  await attempt(ctx, { provider: holder.provider, done: SIGNED_OUT }, async () => {
    await revoke(ctx.config, holder.provider, await forgetTokens(ctx.config, holder, () => true));
  });
}

/**
 * Ends the tokens of a user after a logout by the provider: `accessToken()` no longer returns one. Tokens that were granted
 * for the time without a session (`offline_access`) stay, unless the option `revokeTokens` says otherwise.
 *
 * @throws {AdapterError} if storage fails.
 */
export async function endTokensOfLogout(ctx: RequestContext, holder: TokenHolder): Promise<void> {
  const { provider } = holder;
  const isMeant = (account: AdapterAccount): boolean =>
    provider.revokeTokens !== false || !isOffline(provider, account);
  const forgotten = await forgetTokens(ctx.config, holder, isMeant);
  if (provider.revokeTokens === false) return;
  await attempt(ctx, { provider, done: SIGNED_OUT }, () => revoke(ctx.config, provider, forgotten));
}

/**
 * Asks the provider to revoke the tokens of an account that was removed here, if it has an endpoint for it. What fails goes to
 * the log.
 */
export async function revokeTokensOf(
  ctx: RequestContext,
  provider: ResolvedOAuthProvider,
  account: AdapterAccount,
): Promise<void> {
  const done = "Removed an account here";
  await attempt(
    ctx,
    { provider, done },
    () => revoke(ctx.config, provider, [account], provider.revokeTokens !== false),
  );
}

const SIGNED_OUT = "Signed out here";

interface Attempt {
  readonly provider: ResolvedOAuthProvider;
  /** What is done here in any case. */
  readonly done: string;
}

// OpenID Connect Back-Channel Logout 1.0, section 2.7. A provider need not repeat the scope that was asked for.
function isOffline(provider: ResolvedOAuthProvider, { scope }: AdapterAccount): boolean {
  return (scope ?? configuredParam(provider, "scope") ?? "").split(" ").includes("offline_access");
}

async function attempt(
  ctx: RequestContext,
  { provider: { id }, done }: Attempt,
  run: () => Promise<void>,
): Promise<void> {
  const { runtime, timeouts, logger } = ctx.config;
  try {
    await withDeadline(runtime, timeouts.total * SHARE, `provider "${id}" to revoke tokens`, run);
  } catch (error) {
    const why = error instanceof OAuthProviderError ? error.message : "it failed";
    const message = `${done}, and the tokens of provider "${id}" were not revoked there: ${why}`;
    logger.error(new OAuthProviderError(message, { cause: { err: error } }), ctx);
  }
}

// Asks the provider to revoke the tokens of accounts, all at once. Without `demands`, it need not have an endpoint for it.
async function revoke(
  config: ResolvedConfig,
  provider: ResolvedOAuthProvider,
  accounts: readonly AdapterAccount[],
  demands = true,
): Promise<void> {
  const tokens: { readonly token: string; readonly hint: string }[] = [];
  for (const account of accounts) {
    for (const hint of ["refresh_token", "access_token"] as const) {
      const token = await openToken(config, account, hint);
      if (token) tokens.push({ token, hint });
    }
  }
  if (tokens.length === 0) return;
  const { issuer, revokeTokens } = provider;
  // A provider whose other endpoints are configured needs its metadata for this one only.
  const wellKnown = provider.wellKnown ?? (issuer && revokeTokens === true ? metadataUrl(issuer) : undefined);
  const server = await authorizationServer(config, { ...provider, wellKnown });
  const endpoint = typeof revokeTokens === "string" ? revokeTokens : server.metadata.revocation_endpoint;
  if (!endpoint && !demands) return;
  if (!endpoint) throw new OAuthProviderError(lackOf(server, "revocation_endpoint"));
  const as = { ...server.metadata, revocation_endpoint: endpoint };
  const fetch = limitedFetch(config, provider);
  await Promise.all(tokens.map(async ({ token, hint }) => {
    const auth = clientAuth(provider, server, config.runtime);
    const response = await oauth.revocationRequest(as, clientMetadata(provider), auth, token, {
      additionalParameters: { token_type_hint: hint },
      [oauth.customFetch]: fetch,
      // `fetch` itself refuses http, except on loopback addresses.
      [oauth.allowInsecureRequests]: true,
    });
    if (response.status === 200) return;
    const { error } = readObject(await response.arrayBuffer()) ?? {};
    const said = typeof error === "string" ? `: ${withoutSecrets(error, [token, provider.clientSecret])}` : "";
    throw new OAuthProviderError(`its revocation_endpoint answered with status ${response.status}${said}`);
  }));
}

/** Removes tokens from storage, unless a session goes on that began at the provider. @returns The accounts before. */
async function forgetTokens(
  { storage, runtime }: Pick<ResolvedConfig, "storage" | "runtime">,
  holder: TokenHolder,
  isMeant: (account: AdapterAccount) => boolean,
): Promise<readonly AdapterAccount[]> {
  const forgotten: AdapterAccount[] = [];
  if (!storage?.listAccountsByUserId || !storage.updateAccount) return forgotten;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const all = await storage.listAccountsByUserId(holder.userId);
    const accounts = all.filter((account) => isOf(holder, account) && hasTokens(account) && isMeant(account));
    // Read afterwards: of a sign-in that is not in it yet the tokens are not in the accounts either, and the write fails.
    if (accounts.length === 0 || await hasSession(storage, holder, runtime.now())) break;
    for (const account of accounts) if (await forget(storage, account)) forgotten.push(account);
  }
  return forgotten;
}

function isOf({ provider, providerAccountId }: TokenHolder, account: AdapterAccount): boolean {
  return account.provider === provider.id && [undefined, account.providerAccountId].includes(providerAccountId);
}

function hasTokens({ access_token, refresh_token }: AdapterAccount): boolean {
  return Boolean(access_token || refresh_token);
}

// A row that names no provider may be of a session that began at this one.
async function hasSession(storage: Storage, { provider, userId }: TokenHolder, now: number): Promise<boolean> {
  const rows = await storage.listSessionsByUserId?.(userId) ?? [];
  return rows.some((row) => isLiveRow(row, now) && (row.provider ?? provider.id) === provider.id);
}

// Empties what storage holds. The type has no `null`.
const NONE = null as unknown as undefined;

async function forget(storage: Storage, account: AdapterAccount): Promise<boolean> {
  const { provider, providerAccountId, userId, access_token = null, refresh_token = null } = account;
  const updateAccount = { provider, providerAccountId, access_token: NONE, refresh_token: NONE, expires_at: NONE };
  if (!storage.commit) {
    await storage.updateAccount?.(updateAccount);
    return true;
  }
  const expect = { account: { provider, providerAccountId, userId, tokens: { access_token, refresh_token } } };
  return await storage.commit({ expect, updateAccount }) === "done";
}
