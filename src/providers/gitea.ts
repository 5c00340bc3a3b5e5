/**
 * Sign in with Gitea or Forgejo.
 *
 * @module
 */
import { belowIssuer } from "../contract/endpoint_url.ts";
import { conformJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Gitea. */
export interface GiteaProfile extends Profile {
  /** Account id. */
  id?: number | string | null | undefined;
  /** The user name. It can change. */
  login?: string | null | undefined;
  /** Full name; empty if the person has given none. */
  full_name?: string | null | undefined;
  /** URL of a picture. */
  avatar_url?: string | null | undefined;
  /** URL of the person's page. */
  html_url?: string | null | undefined;
}

/**
 * Signs people in with an instance of Gitea or Forgejo, such as Codeberg.
 *
 * - Register: {@link https://docs.gitea.com/development/oauth2-provider | Applications}: create an OAuth2 application
 *   in the settings of your account, or of the whole instance as an administrator. Its redirect URI is
 *   `https://<your site>/auth/callback/gitea`.
 * - Environment: `AUTH_GITEA_ID`, `AUTH_GITEA_SECRET`, `AUTH_GITEA_ISSUER` (the URL of the instance).
 * - Scopes: `read:user`.
 * - Email: an address that nobody vouches for. It can be one that the instance made up to hide the real one.
 * - Refresh: a refresh token comes with each sign-in; access tokens live one hour by default.
 * - Logout: no page for it.
 *
 * The issuer is required: the URL of the instance, such as `https://codeberg.org`, with its path if it has one.
 *
 * With `id: "forgejo"` or `id: "codeberg"` accounts, callback URL and environment variables have that name.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { gitea } from "@x/auth/providers/gitea";
 *
 * const { handler } = createAuth({ providers: [gitea({ issuer: "https://git.example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The URL of the instance, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.gitea.com/development/oauth2-provider | Gitea as an OAuth 2.0 provider}
 */
export function gitea<Id extends string = "gitea">(
  options: OAuthOptions<GiteaProfile, Id> = {},
): OAuthProvider<GiteaProfile, Id> {
  const { issuer } = options;
  return oauthProvider({
    id: "gitea",
    name: "Gitea",
    requiredOptions: ["issuer"],
    authorization: { url: belowIssuer(issuer, "/login/oauth/authorize"), params: { scope: "read:user" } },
    token: { url: belowIssuer(issuer, "/login/oauth/access_token"), conform: conformJson(withError) },
    userinfo: belowIssuer(issuer, "/api/v1/user"),
    checks: ["state", "pkce"],
    style: { bg: "#609926", text: "#000" },
    profile: ({ id, full_name, login, email, avatar_url }) => ({
      id: textId(id),
      name: full_name || login,
      email,
      image: avatar_url,
    }),
  }, options);
}

// What an unknown code is answered with. Other errors of this name have other descriptions.
function withError(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isOfCode = body.error === "unauthorized_client" && body.error_description === "client is not authorized";
  return isOfCode ? { ...body, error: "invalid_grant" } : body;
}
