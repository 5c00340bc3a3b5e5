/**
 * Sign in with Yahoo.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Yahoo.
 *
 * - Register: {@link https://developer.yahoo.com/sign-in-with-yahoo/ | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/yahoo`.
 * - Environment: `AUTH_YAHOO_ID`, `AUTH_YAHOO_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { yahoo } from "@x/auth/providers/yahoo";
 *
 * const { handler } = createAuth({ providers: [yahoo()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.yahoo.com/sign-in-with-yahoo/ | TODO}
 */
export function yahoo<Id extends string = "yahoo">(options: OidcOptions<Profile, Id> = {}): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "yahoo",
    name: "Yahoo",
    issuer: "https://api.login.yahoo.com",
    idToken: false,
    checks: ["state", "pkce", "nonce"],
    client: { id_token_signed_response_alg: "ES256" },
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.name ?? joinName(profile.given_name, profile.family_name) ?? profile.nickname,
      email: profile.email,
      image: profile.picture,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no brand colours: choose neutral ones
// - token quirk: xoauth_yahoo_guid may be present
// - notes: Redirect URI must be https and the port is part of the match. Older apps are limited to the permissions ticked at registration.
// - pkce: supported; docs https://developer.yahoo.com/sign-in-with-yahoo/
