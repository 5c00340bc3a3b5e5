/**
 * Sign in with Cloudflare.
 *
 * @module
 */
import { joinName, type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Cloudflare. */
export interface CloudflareProfile extends Profile {
  /** TODO. */
  result?:
    | {
      id?: string | null | undefined;
      first_name?: string | null | undefined;
      last_name?: string | null | undefined;
      email?: string | null | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Cloudflare.
 *
 * - Register: {@link https://developers.cloudflare.com/fundamentals/oauth/integrate-with-cloudflare/ | TODO: name of
 *   the console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/cloudflare`.
 * - Environment: `AUTH_CLOUDFLARE_ID`, `AUTH_CLOUDFLARE_SECRET`.
 * - Scopes: `user-details.read`.
 * - Email: TODO path {"path": "$.result.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { cloudflare } from "@x/auth/providers/cloudflare";
 *
 * const { handler } = createAuth({ providers: [cloudflare()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.cloudflare.com/fundamentals/oauth/integrate-with-cloudflare/ | TODO}
 */
export function cloudflare<Id extends string = "cloudflare">(
  options: OAuthOptions<CloudflareProfile, Id> = {},
): OAuthProvider<CloudflareProfile, Id> {
  return oauthProvider({
    id: "cloudflare",
    name: "Cloudflare",
    authorization: { url: "https://dash.cloudflare.com/oauth2/auth", params: { scope: "user-details.read" } },
    token: "https://dash.cloudflare.com/oauth2/token",
    userinfo: { url: "https://api.cloudflare.com/client/v4/user", request: readProfile },
    checks: ["state", "pkce"],
    style: { bg: "#F38020", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.result?.id),
      name: joinName(profile.result?.first_name, profile.result?.last_name) ?? profile.result?.email,
      email: profile.result?.email,
      image: null,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<CloudflareProfile> {
  const profile = await readJson<CloudflareProfile>(context, "https://api.cloudflare.com/client/v4/user");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - userinfo quirks: {"success_field": "$.success", "success_value": true}
// - notes: OIDC userinfo (https://dash.cloudflare.com/oauth2/userinfo) returns only sub, hence the REST user endpoint. Public clients use auth method none.
// - revocation endpoint: https://dash.cloudflare.com/oauth2/revoke
// - pkce: supported; docs https://developers.cloudflare.com/fundamentals/oauth/integrate-with-cloudflare/
