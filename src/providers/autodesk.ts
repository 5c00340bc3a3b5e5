/**
 * Sign in with Autodesk.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Autodesk.
 *
 * - Register: {@link https://aps.autodesk.com/en/docs/oauth/v2/developers_guide/overview/ | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/autodesk`.
 * - Environment: `AUTH_AUTODESK_ID`, `AUTH_AUTODESK_SECRET`.
 * - Scopes: `openid`, `user:read`, `user-profile:read`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { autodesk } from "@x/auth/providers/autodesk";
 *
 * const { handler } = createAuth({ providers: [autodesk()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://aps.autodesk.com/en/docs/oauth/v2/developers_guide/overview/ | TODO}
 */
export function autodesk<Id extends string = "autodesk">(
  options: OAuthOptions<Profile, Id> = {},
): OAuthProvider<Profile, Id> {
  return oauthProvider({
    id: "autodesk",
    name: "Autodesk",
    authorization: {
      url: "https://developer.api.autodesk.com/authentication/v2/authorize",
      params: { scope: "openid user:read user-profile:read" },
    },
    token: "https://developer.api.autodesk.com/authentication/v2/token",
    userinfo: "https://api.userprofile.autodesk.com/userinfo",
    checks: ["state", "pkce"],
    style: { bg: "#000000", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.name ?? profile.preferred_username,
      email: profile.email,
      image: profile.picture,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: Autodesk Platform Services. data:read is the usual extra scope.
// - revocation endpoint: https://developer.api.autodesk.com/authentication/v2/revoke
// - pkce: supported; docs https://aps.autodesk.com/en/docs/oauth/v2/developers_guide/overview/
