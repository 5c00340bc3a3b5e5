/**
 * Sign in with Facebook.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Facebook. */
export interface FacebookProfile extends Profile {
  /** TODO. */
  picture?:
    | {
      data?:
        | {
          url?: string | null | undefined;
        }
        | null
        | undefined;
    }
    | null
    | undefined;
}

/** Options of {@linkcode facebook}. */
export interface FacebookOptions<Id extends string = string> extends OAuthOptions<FacebookProfile, Id> {
  /** TODO. */
  configId?: string | undefined;
  /** TODO. */
  fields?: string | undefined;
  /** TODO. */
  graphApiVersion?: string | undefined;
}

/**
 * Signs people in with Facebook.
 *
 * - Register: {@link https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow | TODO: name of
 *   the console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/facebook`.
 * - Environment: `AUTH_FACEBOOK_ID`, `AUTH_FACEBOOK_SECRET`.
 * - Scopes: `email`, `public_profile`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { facebook } from "@x/auth/providers/facebook";
 *
 * const { handler } = createAuth({ providers: [facebook()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow | TODO}
 */
export function facebook<Id extends string = "facebook">(
  options: FacebookOptions<Id> = {},
): OAuthProvider<FacebookProfile, Id> {
  return oauthProvider({
    id: "facebook",
    name: "Facebook",
    authorization: {
      url: "https://www.facebook.com/v24.0/dialog/oauth",
      params: { scope: "email public_profile" },
      scopeSeparator: ",",
    },
    token: "https://graph.facebook.com/v24.0/oauth/access_token",
    userinfo: { url: "https://graph.facebook.com/me?fields=id,name,email,picture", request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#006aff", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.name,
      email: profile.email,
      image: profile.picture?.data?.url,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<FacebookProfile> {
  const profile = await readJson<FacebookProfile>(
    context,
    "https://graph.facebook.com/me?fields=id,name,email,picture",
  );
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - extra request: {"method": "GET", "url": "https://graph.facebook.com/debug_token?input_token={access_token}&access_token={client_id}|{client_secret}", "purpose": "check that an access token obtained by a client SDK belongs to this app (app_id, is_valid, user_id)", "optional": true}
// - notes: Unversioned paths also work and resolve to the oldest live version. Separator may be comma or space. email missing when the account has none or the user declines. No email_verified claim. Limited Login (iOS) uses id_tokens: iss https://www.facebook.com, keys https://limited.facebook.com/.well-known/oauth/openid/jwks/.
// - options: required [] optional ['config_id', 'fields', 'graph_api_version']
// - pkce: partial; docs https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
