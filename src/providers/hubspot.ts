/**
 * Sign in with HubSpot.
 *
 * @module
 */
import { type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at HubSpot: what it says about the access token. */
export interface HubSpotProfile extends Profile {
  /** Account id of the person. */
  user_id?: number | string | null | undefined;
  /** Email address of the person. */
  user?: string | null | undefined;
  /** Id of the company's account. */
  hub_id?: number | undefined;
  /** Domain of the company's account. */
  hub_domain?: string | undefined;
  /** Whether the access token is valid. */
  active?: boolean | undefined;
}

/**
 * Signs people in with HubSpot.
 *
 * - Register: {@link https://developers.hubspot.com/get-started | HubSpot for Developers}: create an app with OAuth and
 *   the scope `oauth` in a developer account. Its redirect URL is `https://<your site>/auth/callback/hubspot`.
 * - Environment: `AUTH_HUBSPOT_ID`, `AUTH_HUBSPOT_SECRET`.
 * - Scopes: `oauth`, and all that the app requires: HubSpot refuses a request that leaves one of those out.
 * - Email: the address that the person signs in to HubSpot with. Nobody vouches for it.
 * - Refresh: a refresh token comes with each sign-in; access tokens live 30 minutes.
 * - Logout: no page for it.
 *
 * HubSpot gives neither a name nor a picture: the name is the email address. The person chooses an account of HubSpot
 * to install the app in, and needs the permission to do so.
 *
 * The endpoints are those of the version `2026-03` of the API. The version before it ends on 16 February 2027.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { hubspot } from "@x/auth/providers/hubspot";
 *
 * const { handler } = createAuth({ providers: [hubspot()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/oauth/working-with-oauth | OAuth at HubSpot}
 */
export function hubspot<const Id extends string = "hubspot">(
  options: OAuthOptions<HubSpotProfile, Id> = {},
): OAuthProvider<HubSpotProfile, Id> {
  return oauthProvider({
    id: "hubspot",
    name: "HubSpot",
    authorization: { url: "https://app.hubspot.com/oauth/authorize", params: { scope: "oauth" } },
    token: "https://api.hubapi.com/oauth/2026-03/token",
    userinfo: { url: INTROSPECTION, request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#ff7a59",
      text: "#000",
      mark:
        "m18.16 7.93v-2.85a2.2 2.2 0 0 0 1.27-1.97v-.07a2.2 2.2 0 0 0-2.19-2.2h-.07a2.2 2.2 0 0 0-2.19 2.2v.06a2.2 2.2 0 0 0 1.25 1.98l.01 0v2.86a6.22 6.22 0 0 0-2.97 1.31l.02-.01-7.83-6.1a2.5 2.5 0 1 0-1.16 1.52l-.01 0 7.7 5.99a6.18 6.18 0 0 0-1.04 3.45c0 1.34.42 2.59 1.14 3.61l-.01-.02-2.34 2.34a1.97 1.97 0 0 0-.58-.1h0a2.03 2.03 0 1 0 2.03 2.04 1.98 1.98 0 0 0-.1-.6l0 .02 2.32-2.32a6.25 6.25 0 1 0 4.78-11.13l-.03-.01zm-.96 9.38a3.21 3.21 0 1 1 3.22-3.21v0a3.21 3.21 0 0 1-3.21 3.21z",
    },
    profile: ({ user_id, user }) => ({ id: textId(user_id), name: user, email: user, image: null }),
  }, options);
}

const INTROSPECTION = "https://api.hubapi.com/oauth/2026-03/token/introspect";

// There is no userinfo endpoint. Who signed in is known of the access token (RFC 7662).
async function readProfile(context: ProfileContext): Promise<HubSpotProfile> {
  const { provider: { clientId, clientSecret = "" }, tokens: { access_token: token = "" } } = context;
  const body = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    token,
    token_type_hint: "access_token",
  });
  const { token: _, signed_access_token: __, ...profile } = await readJson<HubSpotProfile>(context, INTROSPECTION, {
    body,
    scheme: null,
  });
  if (profile.active !== true) throw profileError(context, "answered that the access token is not active");
  return profile;
}

export default hubspot;
