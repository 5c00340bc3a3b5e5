/**
 * Sign in with Cloudflare.
 *
 * @module
 */
import { joinName, type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
export function cloudflare<const Id extends string = "cloudflare">(
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
    style: {
      bg: "#F38020",
      text: "#000",
      mark:
        "m16.51 16.84c.15-.5.09-.97-.16-1.31-.22-.32-.6-.5-1.06-.52l-8.66-.11a.16.16 0 0 1-.13-.07c-.03-.05-.04-.1-.02-.16.03-.08.11-.15.2-.16l8.74-.11c1.03-.05 2.16-.89 2.55-1.91l.5-1.3c.02-.06.03-.12.02-.17-.57-2.55-2.84-4.45-5.55-4.45-2.51 0-4.63 1.62-5.39 3.86-.49-.36-1.12-.56-1.8-.49-1.2.11-2.16 1.08-2.28 2.28-.03.31-.01.61.06.9-1.96.05-3.53 1.66-3.53 3.63 0 .18.01.35.04.53.01.08.08.15.16.15h15.99c.09 0 .17-.07.2-.16l.12-.43zm2.76-5.56c-.08 0-.17 0-.24.01-.06 0-.11.04-.13.1l-.34 1.17c-.15.51-.09.98.16 1.32.22.32.6.5 1.06.52l1.84.11c.06 0 .11.03.14.07.02.05.03.11.02.16-.03.08-.12.15-.21.16l-1.92.11c-1.04.05-2.16.88-2.55 1.91l-.14.36c-.03.07.02.14.1.14h6.6c.07 0 .14-.05.16-.12.12-.41.18-.84.18-1.28 0-2.61-2.13-4.73-4.73-4.73",
    },
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

export default cloudflare;
