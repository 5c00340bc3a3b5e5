/**
 * Sign in with Coinbase.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Coinbase. */
export interface CoinbaseProfile extends Profile {
  /** The account. */
  data?: {
    readonly id?: string;
    readonly name?: string | null;
    readonly username?: string | null;
    readonly email?: string | null;
    readonly avatar_url?: string | null;
    readonly time_zone?: string | null;
    readonly native_currency?: string | null;
    readonly country?: { readonly code?: string; readonly name?: string } | null;
  } | undefined;
}

/**
 * Signs people in with Coinbase.
 *
 * - Register: {@link https://portal.cdp.coinbase.com | Coinbase Developer Platform}. Coinbase gives new OAuth clients
 *   to approved partners only. The redirect URI is `https://<your site>/auth/callback/coinbase`.
 * - Environment: `AUTH_COINBASE_ID`, `AUTH_COINBASE_SECRET`.
 * - Scopes: `wallet:user:email`, `wallet:user:read`.
 * - Email: the address of the account. Coinbase does not say whether it is verified.
 * - Refresh: with the scope `offline_access`. A refresh token is valid once and gives a new one. Access tokens live one
 *   hour.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { coinbase } from "@x/auth/providers/coinbase";
 *
 * const { handler } = createAuth({ providers: [coinbase()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/overview | OAuth 2.0 at Coinbase}
 */
export function coinbase<const Id extends string = "coinbase">(
  options: OAuthOptions<CoinbaseProfile, Id> = {},
): OAuthProvider<CoinbaseProfile, Id> {
  return oauthProvider({
    id: "coinbase",
    name: "Coinbase",
    authorization: {
      url: "https://login.coinbase.com/oauth2/auth",
      params: { scope: "wallet:user:email wallet:user:read" },
    },
    token: "https://login.coinbase.com/oauth2/token",
    userinfo: "https://api.coinbase.com/v2/user",
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#0052ff", text: "#fff" },
    profile: ({ data }) => ({
      id: textId(data?.id),
      name: data?.name || data?.username,
      email: data?.email,
      image: data?.avatar_url,
    }),
  }, options);
}

export default coinbase;
