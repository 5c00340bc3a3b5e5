/**
 * Sign in with Google.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Google. */
export interface GoogleProfile extends Profile {
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** The Workspace domain of the account. Personal accounts have none. */
  hd?: string | undefined;
}

/**
 * Signs people in with Google.
 *
 * - Register: {@link https://console.cloud.google.com/auth/clients | Google Auth Platform}: create a client of the type
 *   "Web application". Its authorized redirect URI is `https://<your site>/auth/callback/google`.
 * - Environment: `AUTH_GOOGLE_ID`, `AUTH_GOOGLE_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: with `email_verified`.
 * - Refresh: with the parameters `access_type: "offline"` and `prompt: "consent"`; access tokens live one hour.
 * - Logout: no page for it.
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
export function google<Id extends string = "google">(
  options: OidcOptions<GoogleProfile, Id> = {},
): OidcProvider<GoogleProfile, Id> {
  return oidcProvider({
    id: "google",
    name: "Google",
    issuer: "https://accounts.google.com",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#1a73e8", text: "#fff" },
    profile: ({ sub, name, email, picture }) => ({ id: textId(sub), name, email, image: picture }),
  }, options);
}
