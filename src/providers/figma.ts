/**
 * Sign in with Figma.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Figma. */
export interface FigmaProfile extends Profile {
  /** TODO. */
  handle?: string | null | undefined;
  /** TODO. */
  img_url?: string | null | undefined;
}

/**
 * Signs people in with Figma.
 *
 * - Register: {@link https://developers.figma.com/docs/rest-api/authentication/ | TODO: name of the console}: TODO
 *   what to click. The redirect URI is `https://<your site>/auth/callback/figma`.
 * - Environment: `AUTH_FIGMA_ID`, `AUTH_FIGMA_SECRET`.
 * - Scopes: `current_user:read`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { figma } from "@x/auth/providers/figma";
 *
 * const { handler } = createAuth({ providers: [figma()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.figma.com/docs/rest-api/authentication/ | TODO}
 */
export function figma<Id extends string = "figma">(
  options: OAuthOptions<FigmaProfile, Id> = {},
): OAuthProvider<FigmaProfile, Id> {
  return oauthProvider({
    id: "figma",
    name: "Figma",
    authorization: { url: "https://www.figma.com/oauth", params: { scope: "current_user:read" } },
    token: "https://api.figma.com/v1/oauth/token",
    userinfo: "https://api.figma.com/v1/me",
    checks: ["state", "pkce"],
    style: { bg: "#ff7237", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.handle,
      email: profile.email,
      image: profile.img_url,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: Scope files:read (Auth.js) is marked deprecated by Figma. Older token host www.figma.com/api/oauth/token. The code must be exchanged within 30 s. Separate refresh endpoint.
// - pkce: supported; docs https://developers.figma.com/docs/rest-api/authentication/
