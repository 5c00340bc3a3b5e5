/**
 * Sign in with Twitch.
 *
 * @module
 */
import { conformJson, textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Twitch. */
export interface TwitchProfile extends Profile {
  /** Account id. */
  sub: string;
  /** Email address. */
  email?: string | undefined;
  /** The name to show. It can change. */
  preferred_username?: string | null | undefined;
  /** URL of a picture. */
  picture?: string | null | undefined;
}

/**
 * Signs people in with Twitch.
 *
 * - Register: {@link https://dev.twitch.tv/console/apps | Developer Console}: register an application with the client
 *   type "Confidential". Its OAuth redirect URL is `https://<your site>/auth/callback/twitch`.
 * - Environment: `AUTH_TWITCH_ID`, `AUTH_TWITCH_SECRET`.
 * - Scopes: `openid`, `user:read:email`.
 * - Email: an address with `email_verified`.
 * - Refresh: a refresh token comes with each sign-in; access tokens live about four hours.
 * - Logout: no page for it.
 *
 * Redirect URLs must be https, except for `http://localhost`. Twitch gives only claims that are asked for: for others,
 * set `authorization: { params: { claims } }`. Requests to its API need the client id in the header `Client-Id`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { twitch } from "@x/auth/providers/twitch";
 *
 * const { handler } = createAuth({ providers: [twitch()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/ | OpenID Connect at Twitch}
 */
export function twitch<const Id extends string = "twitch">(
  options: OidcOptions<TwitchProfile, Id> = {},
): OidcProvider<TwitchProfile, Id> {
  return oidcProvider({
    id: "twitch",
    name: "Twitch",
    issuer: "https://id.twitch.tv/oauth2",
    authorization: { params: { scope: "openid user:read:email", claims: CLAIMS } },
    token: { conform: conformJson(withScopeOrError) },
    checks: ["state", "nonce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#65459B",
      text: "#fff",
      mark:
        "m11.57 4.71h1.72v5.15h-1.72zm4.72 0h1.71v5.15h-1.71zm-10.29-4.71-4.29 4.29v15.42h5.15v4.29l4.28-4.29h3.43l7.72-7.71v-12zm14.57 11.14-3.43 3.43h-3.43l-3 3v-3h-3.85v-12.86h13.71z",
    },
    profile: ({ sub, preferred_username, email, picture }) => ({
      id: textId(sub),
      name: preferred_username,
      email,
      image: picture,
    }),
  }, options);
}

const CLAIMS = { id_token: { email: null, email_verified: null, picture: null, preferred_username: null } };

// Scopes come as a list, and errors without a code.
function withScopeOrError(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { message, scope } = body;
  if (typeof message !== "string") return Array.isArray(scope) ? { ...body, scope: scope.join(" ") } : body;
  return {
    error: /\bcode\b|refresh token/i.test(message) ? "invalid_grant" : "invalid_request",
    error_description: message,
  };
}

export default twitch;
