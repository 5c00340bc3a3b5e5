/**
 * Sign in with SimpleLogin.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at SimpleLogin. */
export interface SimpleLoginProfile extends Profile {
  /** TODO. */
  avatar_url?: string | null | undefined;
}

/**
 * Signs people in with SimpleLogin.
 *
 * - Register: {@link https://simplelogin.io/docs/siwsl/intro/ | TODO: name of the console}: TODO what to click. The
 *   redirect URI is `https://<your site>/auth/callback/simplelogin`.
 * - Environment: `AUTH_SIMPLELOGIN_ID`, `AUTH_SIMPLELOGIN_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { simplelogin } from "@x/auth/providers/simplelogin";
 *
 * const { handler } = createAuth({ providers: [simplelogin()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://simplelogin.io/docs/siwsl/intro/ | TODO}
 */
export function simplelogin<Id extends string = "simplelogin">(
  options: OidcOptions<SimpleLoginProfile, Id> = {},
): OidcProvider<SimpleLoginProfile, Id> {
  return oidcProvider({
    id: "simplelogin",
    name: "SimpleLogin",
    issuer: "https://app.simplelogin.io",
    checks: ["state", "nonce"],
    style: { bg: "#e3156a", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.name,
      email: profile.email,
      image: profile.avatar_url ?? profile.picture,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: email is normally an alias.
// - pkce: undocumented; docs https://simplelogin.io/docs/siwsl/intro/
