/**
 * Sign in with Foursquare.
 *
 * @module
 */
import { joinName, type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Foursquare. */
export interface FoursquareProfile extends Profile {
  /** TODO. */
  response?:
    | {
      user?:
        | {
          id?: string | null | undefined;
          firstName?: string | null | undefined;
          lastName?: string | null | undefined;
          contact?:
            | {
              email?: string | null | undefined;
            }
            | null
            | undefined;
        }
        | null
        | undefined;
    }
    | null
    | undefined;
}

/** Options of {@linkcode foursquare}. */
export interface FoursquareOptions<Id extends string = string> extends OAuthOptions<FoursquareProfile, Id> {
  /** TODO. */
  apiVersion?: string | undefined;
}

/**
 * Signs people in with Foursquare.
 *
 * - Register: {@link https://docs.foursquare.com/developer/docs/using-oauth-authentication | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/foursquare`.
 * - Environment: `AUTH_FOURSQUARE_ID`, `AUTH_FOURSQUARE_SECRET`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.response.user.contact.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { foursquare } from "@x/auth/providers/foursquare";
 *
 * const { handler } = createAuth({ providers: [foursquare()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.foursquare.com/developer/docs/using-oauth-authentication | TODO}
 */
export function foursquare<Id extends string = "foursquare">(
  options: FoursquareOptions<Id> = {},
): OAuthProvider<FoursquareProfile, Id> {
  return oauthProvider({
    id: "foursquare",
    name: "Foursquare",
    authorization: { url: "https://foursquare.com/oauth2/authenticate", params: {} },
    token: "https://foursquare.com/oauth2/access_token",
    userinfo: { url: "https://api.foursquare.com/v2/users/self?v=20230131", request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#000", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.response?.user?.id),
      name: joinName(profile.response?.user?.firstName, profile.response?.user?.lastName),
      email: profile.response?.user?.contact?.email,
      image: null,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<FoursquareProfile> {
  const profile = await readJson<FoursquareProfile>(context, "https://api.foursquare.com/v2/users/self?v=20230131");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - profile image: {$.response.user.photo.prefix}original{$.response.user.photo.suffix}
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - status legacy: say so in the docstring
// - token quirk: response is {"access_token": ...}: no token_type, no expires_in
// - userinfo quirks: {"token_in": "query", "token_param": "oauth_token", "query": {"v": "YYYYMMDD"}}
// - notes: Legacy v2 API, restricted to customers from before 2021-11-18.
// - options: required [] optional ['api_version']
// - pkce: unsupported; docs https://docs.foursquare.com/developer/docs/using-oauth-authentication
