/**
 * Sign in with Google.
 *
 * @module
 */
import { GOOGLE, vouchingFactsOf } from "../contract/vouching.ts";
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Google. */
export interface GoogleProfile extends Profile {
  /** Account id. It never changes. */
  sub: string;
  /** Full name. */
  name: string;
  /** First name. */
  given_name?: string | undefined;
  /** Last name. Some people have none. */
  family_name?: string | undefined;
  /** Email address. */
  email: string;
  /** Whether Google has verified the address. */
  email_verified: boolean;
  /** URL of a picture. */
  picture: string;
  /** The Workspace domain of the account. Personal accounts have none. */
  hd?: string | undefined;
  /** Language tag. */
  locale?: string | undefined;
}

/**
 * Signs people in with Google.
 *
 * - Register: {@link https://console.cloud.google.com/auth/clients | Google Auth Platform}: create a client of the type
 *   "Web application". Its authorized redirect URI is `https://<your site>/auth/callback/google`.
 * - Environment: `AUTH_GOOGLE_ID`, `AUTH_GOOGLE_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: with `email_verified`, which is a proof for addresses of `gmail.com`, and for those of the Workspace domain in
 *   `hd`. With any other address nobody vouches for it, and the account is not linked by it: whoever had the mailbox
 *   when the account was made may not have it any more. `vouches: "yes"` believes Google there, too.
 * - Refresh: with the parameters `access_type: "offline"` and `prompt: "consent"`; access tokens live one hour.
 * - Logout: no page for it.
 *
 * The button looks as Google's branding rules ask. Do not change its colours, its logo or its name.
 *
 * The parameter `hd` only preselects a Workspace domain. To require one, compare `profile.hd` in the `signIn` callback.
 *
 * Google refuses redirect URIs that are not https, except on `localhost`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { google } from "@x/auth/providers/google";
 *
 * const { handler } = createAuth({ providers: [google()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.google.com/identity/openid-connect/openid-connect | OpenID Connect at Google}
 */
export function google<const Id extends string = "google">(
  options: OidcOptions<GoogleProfile, Id> = {},
): OidcProvider<GoogleProfile, Id> {
  return oidcProvider({
    id: "google",
    name: "Google",
    issuer: GOOGLE,
    // https://developers.google.com/identity/gsi/web/guides/verify-google-id-token: for which addresses Google is
    // authoritative.
    ...vouchingFactsOf(GOOGLE),
    checks: ["state", "pkce", "nonce"],
    style: {
      bg: "#fff",
      bgDark: "#131314",
      border: "#747775",
      borderDark: "#8E918F",
      fixed: true,
      logo:
        "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%2048%2048'%3E%3Cpath%20fill='%23EA4335'%20d='M24%209.5c3.54%200%206.71%201.22%209.21%203.6l6.85-6.85C35.9%202.38%2030.47%200%2024%200%2014.62%200%206.51%205.38%202.56%2013.22l7.98%206.19C12.43%2013.72%2017.74%209.5%2024%209.5z'/%3E%3Cpath%20fill='%234285F4'%20d='M46.98%2024.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58%202.96-2.26%205.48-4.78%207.18l7.73%206c4.51-4.18%207.09-10.36%207.09-17.65z'/%3E%3Cpath%20fill='%23FBBC05'%20d='M10.53%2028.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92%2016.46%200%2020.12%200%2024c0%203.88.92%207.54%202.56%2010.78l7.97-6.19z'/%3E%3Cpath%20fill='%2334A853'%20d='M24%2048c6.48%200%2011.93-2.13%2015.89-5.81l-7.73-6c-2.15%201.45-4.92%202.3-8.16%202.3-6.26%200-11.57-4.22-13.47-9.91l-7.98%206.19C6.51%2042.62%2014.62%2048%2024%2048z'/%3E%3C/svg%3E",
      text: "#1F1F1F",
      textDark: "#E3E3E3",
    },
    profile: ({ sub, name, email, picture }) => ({ id: textId(sub), name, email, image: picture }),
  }, options);
}

export default google;
