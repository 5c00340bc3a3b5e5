/**
 * Sign in with Figma.
 *
 * @module
 */
import { conformJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Figma. */
export interface FigmaProfile extends Profile {
  /** Account id. */
  id?: string | null | undefined;
  /** Name. */
  handle?: string | null | undefined;
  /** URL of a picture. */
  img_url?: string | null | undefined;
}

/**
 * Signs people in with Figma.
 *
 * - Register: {@link https://www.figma.com/developers/apps | My apps}: create an app with the scope
 *   `current_user:read`. Its redirect URL is `https://<your site>/auth/callback/figma`.
 * - Environment: `AUTH_FIGMA_ID`, `AUTH_FIGMA_SECRET`.
 * - Scopes: `current_user:read`.
 * - Email: an address that nobody vouches for.
 * - Refresh: a refresh token comes with each sign-in; access tokens live 90 days.
 * - Logout: no page for it.
 *
 * Apps that anybody may use are reviewed by Figma before they are published.
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
 * @see {@link https://developers.figma.com/docs/rest-api/authentication/ | Authentication at Figma}
 */
export function figma<const Id extends string = "figma">(
  options: OAuthOptions<FigmaProfile, Id> = {},
): OAuthProvider<FigmaProfile, Id> {
  return oauthProvider({
    id: "figma",
    name: "Figma",
    authorization: { url: "https://www.figma.com/oauth", params: { scope: "current_user:read" } },
    token: {
      url: "https://api.figma.com/v1/oauth/token",
      refreshUrl: "https://api.figma.com/v1/oauth/refresh",
      conform: conformJson(withError),
    },
    userinfo: "https://api.figma.com/v1/me",
    checks: ["state", "pkce"],
    style: {
      bg: "#ff7237",
      text: "#000",
      mark:
        "m15.85 8.98h-4.59v-8.98h4.59c2.48 0 4.49 2.01 4.49 4.49s-2.01 4.49-4.49 4.49zm-3.12-1.47h3.12c1.67 0 3.02-1.36 3.02-3.02s-1.35-3.02-3.02-3.02h-3.11v6.04zm0 1.47h-4.58c-2.48 0-4.49-2.01-4.49-4.49s2.01-4.49 4.49-4.49h4.59v8.98zm-4.58-7.51c-1.67 0-3.02 1.36-3.02 3.02s1.35 3.02 3.02 3.02h3.12v-6.04h-3.12zm4.58 15.02h-4.58c-2.48 0-4.49-2.01-4.49-4.49s2.01-4.49 4.49-4.49h4.59v8.98zm-4.58-7.51c-1.67 0-3.02 1.36-3.02 3.02s1.35 3.02 3.02 3.02h3.12v-6.04h-3.12zm.02 15.02c-2.49 0-4.51-2.01-4.51-4.49s2.01-4.49 4.49-4.49h4.59v4.44c0 2.5-2.05 4.54-4.57 4.54zm-.02-7.51a3.02 3.02 0 0 0-3.02 3.02c0 1.66 1.36 3.02 3.04 3.02 1.71 0 3.1-1.38 3.1-3.07v-2.97h-3.12zm7.7 0h-.1c-2.47 0-4.49-2.01-4.49-4.49s2.02-4.49 4.49-4.49h.1c2.48 0 4.49 2.01 4.49 4.49s-2.01 4.49-4.49 4.49zm-.1-7.51c-1.66 0-3.01 1.36-3.01 3.02s1.35 3.02 3.01 3.02h.1c1.67 0 3.02-1.36 3.02-3.02s-1.35-3.02-3.02-3.02h-.1z",
    },
    profile: ({ id, handle, email, img_url }) => ({ id: textId(id), name: handle, email, image: img_url }),
  }, options);
}

// Errors are texts in `message`, and `error` is true.
function withError(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { error, message } = body;
  if (typeof message !== "string" || typeof error === "string") return body;
  return { error: /\bcode\b/i.test(message) ? "invalid_grant" : "invalid_request", error_description: message };
}

export default figma;
