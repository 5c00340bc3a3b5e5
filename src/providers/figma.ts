/**
 * Sign in with Figma.
 *
 * @module
 */
import { conformJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

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
export function figma<Id extends string = "figma">(
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
    style: { bg: "#ff7237", text: "#fff" },
    profile: ({ id, handle, email, img_url }) => ({ id: textId(id), name: handle, email, image: img_url }),
  }, options);
}

// Errors are texts in `message`, and `error` is true.
function withError(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { error, message } = body;
  if (typeof message !== "string" || typeof error === "string") return body;
  return { error: /\bcode\b/i.test(message) ? "invalid_grant" : "invalid_request", error_description: message };
}
