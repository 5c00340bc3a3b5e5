/**
 * Sign in with Coinbase.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Coinbase. */
export interface CoinbaseProfile extends Profile {
  /** TODO. */
  data?:
    | {
      id?: string | null | undefined;
      name?: string | null | undefined;
      username?: string | null | undefined;
      email?: string | null | undefined;
      avatar_url?: string | null | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Coinbase.
 *
 * - Register: {@link https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/overview | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/coinbase`.
 * - Environment: `AUTH_COINBASE_ID`, `AUTH_COINBASE_SECRET`.
 * - Scopes: `wallet:user:email`, `wallet:user:read`.
 * - Email: TODO path {"path": "$.data.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @see {@link https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/overview | TODO}
 */
export function coinbase<Id extends string = "coinbase">(
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
    profile: (profile) => ({
      id: textId(profile.data?.id),
      name: profile.data?.name ?? profile.data?.username,
      email: profile.data?.email,
      image: profile.data?.avatar_url,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - status restricted: say so in the docstring
// - notes: New OAuth clients limited to approved partners. Older hosts www.coinbase.com/oauth/* belong to the previous generation.
// - optional scopes: ['offline_access']
// - revocation endpoint: https://login.coinbase.com/oauth2/revoke
// - pkce: supported; docs https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/overview
