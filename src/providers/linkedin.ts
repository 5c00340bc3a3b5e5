/**
 * Sign in with LinkedIn.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at LinkedIn. */
export interface LinkedInProfile extends Profile {
  /** Account id. Each application gets another one for the same person. */
  sub: string;
  /** Full name. */
  name: string;
  /** First name. */
  given_name?: string | undefined;
  /** Last name. */
  family_name?: string | undefined;
  /** URL of a picture. It expires. */
  picture?: string | undefined;
  /** Email address. */
  email?: string | undefined;
}

/**
 * Signs people in with LinkedIn.
 *
 * - Register: {@link https://www.linkedin.com/developers/apps | LinkedIn Developers}: create an app, which needs a
 *   LinkedIn page. Under "Products", request "Sign In with LinkedIn using OpenID Connect"; under "Auth", enter the
 *   redirect URL `https://<your site>/auth/callback/linkedin`.
 * - Environment: `AUTH_LINKEDIN_ID`, `AUTH_LINKEDIN_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: the primary address of the account, if the person shares it, with `email_verified`.
 * - Refresh: no refresh token, except for selected partners of LinkedIn. Access tokens live 60 days.
 * - Logout: no page for it.
 *
 * `locale` in the profile is an object with `country` and `language`, not the text that OpenID Connect defines.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { linkedin } from "@x/auth/providers/linkedin";
 *
 * const { handler } = createAuth({ providers: [linkedin()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 | OpenID Connect at LinkedIn}
 */
export function linkedin<const Id extends string = "linkedin">(
  options: OidcOptions<LinkedInProfile, Id> = {},
): OidcProvider<LinkedInProfile, Id> {
  return oidcProvider({
    id: "linkedin",
    name: "LinkedIn",
    issuer: "https://www.linkedin.com/oauth",
    // LinkedIn repeats no nonce, and ignores PKCE.
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#069",
      text: "#fff",
      mark:
        "m20.45 20.45h-3.55v-5.57c0-1.33-.03-3.03-1.86-3.03-1.85 0-2.13 1.44-2.13 2.93v5.67h-3.56v-11.45h3.42v1.56h.04c.48-.9 1.64-1.85 3.37-1.85 3.6 0 4.27 2.37 4.27 5.45v6.29zm-15.11-13.02a2.06 2.06 0 0 1-2.07-2.06 2.06 2.06 0 1 1 2.07 2.06m1.78 13.02h-3.56v-11.45h3.56zm15.11-20.45h-20.46c-.98 0-1.77.77-1.77 1.73v20.54c0 .96.79 1.73 1.77 1.73h20.45c.98 0 1.78-.77 1.78-1.73v-20.54c0-.96-.8-1.73-1.78-1.73z",
    },
  }, options);
}

export default linkedin;
