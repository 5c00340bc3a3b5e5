/**
 * Sign in with Google.
 *
 * @module
 */
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
 * Reads `AUTH_GOOGLE_ID` and `AUTH_GOOGLE_SECRET`. The redirect URI to register is
 * `https://<your site>/auth/callback/google`.
 *
 * The parameter `hd` only preselects a Workspace domain. To require one, compare `profile.hd` in the `signIn` callback.
 * For a refresh token, set the parameters `access_type: "offline"` and `prompt: "consent"`.
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
export function google(options: OidcOptions<GoogleProfile> = {}): OidcProvider<GoogleProfile> {
  return oidcProvider({
    id: "google",
    name: "Google",
    issuer: "https://accounts.google.com",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#1a73e8", text: "#fff" },
    profile: ({ sub, name, email, picture }) => ({
      id: sub || undefined,
      name,
      email,
      image: picture,
    }),
  }, options);
}
