/**
 * Sign in with Etsy.
 *
 * @module
 */
import { joinName, type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Etsy. */
export interface EtsyProfile extends Profile {
  /** TODO. */
  user_id?: string | null | undefined;
  /** TODO. */
  first_name?: string | null | undefined;
  /** TODO. */
  last_name?: string | null | undefined;
  /** TODO. */
  primary_email?: string | null | undefined;
  /** TODO. */
  image_url_75x75?: string | null | undefined;
}

/** Options of {@linkcode etsy}. */
export interface EtsyOptions<Id extends string = string> extends OAuthOptions<EtsyProfile, Id> {
  /** TODO. */
  apiKey: string;
}

/**
 * Signs people in with Etsy.
 *
 * - Register: {@link https://developers.etsy.com/documentation/essentials/authentication/ | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/etsy`.
 * - Environment: `AUTH_ETSY_ID`.
 * - Scopes: `email_r`, `profile_r`.
 * - Email: TODO path {"path": "$.primary_email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { etsy } from "@x/auth/providers/etsy";
 *
 * const { handler } = createAuth({ providers: [etsy({ issuer: "https://id.example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.etsy.com/documentation/essentials/authentication/ | TODO}
 */
export function etsy<Id extends string = "etsy">(options: EtsyOptions<Id>): OAuthProvider<EtsyProfile, Id> {
  return oauthProvider({
    id: "etsy",
    name: "Etsy",
    authorization: { url: "https://www.etsy.com/oauth/connect", params: { scope: "email_r profile_r" } },
    token: "https://api.etsy.com/v3/public/oauth/token",
    userinfo: { url: "https://openapi.etsy.com/v3/application/users/{user_id}", request: readProfile },
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "none" },
    style: { bg: "#F16521", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.user_id),
      name: joinName(profile.first_name, profile.last_name),
      email: profile.primary_email,
      image: profile.image_url_75x75,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<EtsyProfile> {
  const profile = await readJson<EtsyProfile>(context, "https://openapi.etsy.com/v3/application/users/{user_id}");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - userinfo quirks: {"headers": {"x-api-key": "{client_id}:{client_secret}"}}
// - extra request: {"method": "GET", "url": "https://openapi.etsy.com/v3/application/users/me", "purpose": "returns user_id and shop_id; the id is also the prefix of access_token before the first dot", "headers": {"x-api-key": "{client_id}:{client_secret}"}}
// - notes: Public client: no secret at the token endpoint. x-api-key changed from keystring to keystring:shared_secret (Socialite). openapi.etsy.com serves the token path too.
// - options: required ['api_key'] optional []
// - pkce: required; docs https://developers.etsy.com/documentation/essentials/authentication/
