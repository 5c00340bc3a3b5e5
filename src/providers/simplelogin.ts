/**
 * Sign in with SimpleLogin.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

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
export function simplelogin<const Id extends string = "simplelogin">(
  options: OidcOptions<SimpleLoginProfile, Id> = {},
): OidcProvider<SimpleLoginProfile, Id> {
  return oidcProvider({
    id: "simplelogin",
    name: "SimpleLogin",
    issuer: "https://app.simplelogin.io",
    checks: ["state", "nonce"],
    style: {
      bg: "#e3156a",
      text: "#fff",
      mark:
        "m23.45 3.67c.11.11.2.22.28.35.18.29.27.63.27.97v9.6c0 .35-.09.68-.27.97a1.9 1.9 0 0 1-.39.45c-.33.29-.76.44-1.2.44h-10.41a9.77 9.77 0 0 1-5.2 4.37l-.14.05-.13-.06a9.74 9.74 0 0 1-4.5-3.52 9.7 9.7 0 0 1-1.76-5.59 9.79 9.79 0 0 1 .23-2.1l.05-.24.23-.05c.06-.02.11-.03.17-.05a11.98 11.98 0 0 0 5.56-3.26l.04-.04.24-.24v-.73c0-.34.09-.68.27-.97.08-.13.17-.24.28-.35a1.83 1.83 0 0 1 1.19-.54h14a1.84 1.84 0 0 1 1.19.54zm-15.07.35c-.04 0-.07 0-.1 0h-.14l.02.02 6.81 6.03a.43.43 0 0 0 .58 0l6.82-6.03.02-.02h-.15a1.04 1.04 0 0 0-.1 0h-13.76zm-.9.6a.94.94 0 0 0-.07.37v1.59a12 12 0 0 0 4.93 2.68l.12.03.06.01.23.06.05.24a8.49 8.49 0 0 1 .1.56l.42-.37-5.84-5.17zm-5.15 12.1a9.05 9.05 0 0 0 4.07 3.31 9 9 0 0 0 5.68-10.03 12.74 12.74 0 0 1-5.55-3.17 12.75 12.75 0 0 1-5.58 3.17 9.04 9.04 0 0 0-.17 1.7 9.04 9.04 0 0 0 1.55 5.02zm10.68-5.1a9.71 9.71 0 0 1-.83 3.95h10.21l-.03-.03-5.83-5.15-.98.87a.43.43 0 0 1-.58 0l-.98-.87-.98.87c0 .12 0 .24 0 .36zm10.03 3.34a.94.94 0 0 0 .07-.37l.01-9.6a.97.97 0 0 0-.08-.36l-5.84 5.17 5.84 5.16zm-16.43-6.75a10.24 10.24 0 0 0 4.38 2.46c.07.4.11.81.12 1.22v.09a7.23 7.23 0 0 1-1.71 4.65l-.01.01a7.23 7.23 0 0 1-2.97 2.09 7.26 7.26 0 0 1-4.51-6.69c0-.46.04-.91.13-1.36a10.25 10.25 0 0 0 4.48-2.55l.09.08h0zm-3.18 5.05 2.75 2.75h0l3.84-3.83-.85-.85-2.98 2.99-1.91-1.91-.85.85z",
    },
    profile: ({ sub, name, email, avatar_url, picture }) => ({
      id: textId(sub),
      name,
      email,
      image: avatar_url ?? (typeof picture === "string" ? picture : null),
    }),
  }, options);
}

export default simplelogin;
