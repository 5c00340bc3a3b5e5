/**
 * Sign in with Cloudflare.
 *
 * @module
 */
import { joinName, type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

// The userinfo endpoint of OpenID Connect gives the id only.
const USER = "https://api.cloudflare.com/client/v4/user";

/** The profile of a person at Cloudflare. */
export interface CloudflareProfile extends Profile {
  /** Account id. */
  id?: string | null | undefined;
  /** First name. */
  first_name?: string | null | undefined;
  /** Last name. */
  last_name?: string | null | undefined;
  /** Country code, such as `GB`. */
  country?: string | null | undefined;
  /** Whether signing in to Cloudflare takes a second factor. */
  two_factor_authentication_enabled?: boolean | undefined;
}

/**
 * Signs people in with Cloudflare.
 *
 * - Register:
 *   {@link https://dash.cloudflare.com/?to=/:account/oauth-clients | OAuth clients in the dashboard of Cloudflare}.
 *   Create a client with the response type Code and the scope `user-details.read`. The redirect URL is
 *   `https://<your site>/auth/callback/cloudflare`. Until you verify your domain and make the client public, only
 *   members of your account can sign in.
 * - Environment: `AUTH_CLOUDFLARE_ID`, `AUTH_CLOUDFLARE_SECRET`.
 * - Scopes: `user-details.read`.
 * - Email: the address of the account. Cloudflare does not say whether it is verified.
 * - Refresh: with the scope `offline_access`, if the client has the grant type for it.
 * - Logout: `logout: true` works if the metadata has an `end_session_endpoint`.
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
 * @see {@link https://developers.cloudflare.com/fundamentals/oauth/integrate-with-cloudflare/ | OAuth 2.0 at Cloudflare}
 */
export function cloudflare<Id extends string = "cloudflare">(
  options: OAuthOptions<CloudflareProfile, Id> = {},
): OAuthProvider<CloudflareProfile, Id> {
  return oauthProvider({
    id: "cloudflare",
    name: "Cloudflare",
    issuer: "https://dash.cloudflare.com",
    authorization: { url: "https://dash.cloudflare.com/oauth2/auth", params: { scope: "user-details.read" } },
    token: "https://dash.cloudflare.com/oauth2/token",
    userinfo: { url: USER, request: readProfile },
    checks: ["state", "pkce"],
    style: { bg: "#F38020", text: "#000" },
    profile: ({ id, first_name, last_name, email }) => ({
      id: textId(id),
      name: joinName(first_name, last_name) ?? email,
      email,
      image: null,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<CloudflareProfile> {
  const { success, result } = await readJson<UserAnswer>(context, USER);
  if (success === true && result) return result;
  throw profileError(context, "answered without success");
}

interface UserAnswer {
  readonly success?: boolean;
  readonly result?: CloudflareProfile | null;
}
