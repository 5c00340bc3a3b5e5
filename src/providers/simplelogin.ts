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
  /** URL of a picture. */
  avatar_url?: string | null | undefined;
}

/**
 * Signs people in with SimpleLogin.
 *
 * - Register: {@link https://app.simplelogin.io/developer | Developer}: add your website, and in its OAuth settings the
 *   redirect URI `https://<your site>/auth/callback/simplelogin`.
 * - Environment: `AUTH_SIMPLELOGIN_ID`, `AUTH_SIMPLELOGIN_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: an address with `email_verified`. It usually is an alias that was made for your site and forwards to the
 *   person.
 * - Refresh: none.
 * - Logout: no page for it.
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
 * @see {@link https://simplelogin.io/docs/siwsl/intro/ | Sign in with SimpleLogin}
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
    profile: ({ sub, name, email, avatar_url, picture }) => ({
      id: textId(sub),
      name,
      email,
      image: avatar_url ?? (typeof picture === "string" ? picture : null),
    }),
  }, options);
}
