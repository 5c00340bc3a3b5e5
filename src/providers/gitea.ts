/**
 * Sign in with Gitea or Forgejo.
 *
 * @module
 */
import { belowIssuer } from "../contract/endpoint_url.ts";
import { conformJson, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
export function gitea<const Id extends string = "gitea">(
  options: OAuthOptions<GiteaProfile, Id> = {},
): OAuthProvider<GiteaProfile, Id> {
  const { issuer } = optionsFor("gitea", options);
  return oauthProvider({
    id: "gitea",
    name: "Gitea",
    requiredOptions: ["issuer"],
    authorization: { url: belowIssuer(issuer, "/login/oauth/authorize"), params: { scope: "read:user" } },
    token: { url: belowIssuer(issuer, "/login/oauth/access_token"), conform: conformJson(withError) },
    userinfo: belowIssuer(issuer, "/api/v1/user"),
    checks: ["state", "pkce"],
    // Its claim `email_verified` says that the account is active, which by default it is without any email:
    // https://github.com/go-gitea/gitea/blob/main/services/oauth2_provider/access_token.go
    vouches: "no",
    style: {
      bg: "#609926",
      text: "#000",
      mark:
        "m4.21 4.6c-.25 0-.53.02-.84.09-.33.07-1.28.28-2.06 1.03-1.71 1.53-1.28 3.97-1.22 4.33.06.45.26 1.69 1.21 2.77 1.75 2.14 5.51 2.09 5.51 2.09s.46 1.11 1.17 2.12c.95 1.26 1.94 2.25 2.89 2.37 2.41 0 7.21-.01 7.21-.01s.46.01 1.08-.39c.54-.32 1.02-.89 1.02-.89s.49-.53 1.18-1.73c.21-.37.38-.73.53-1.07 0 0 2.11-4.47 2.11-8.82-.04-1.32-.37-1.55-.44-1.63-.16-.16-.37-.15-.37-.15s-4.47.25-6.79.3c-.51.01-1.01.03-1.51.03v4.47l-.64-.3c0-1.39 0-4.17 0-4.17-1.11.02-3.41-.08-3.41-.08s-5.4-.27-5.98-.33c-.19-.01-.4-.03-.65-.03zm.35 1.83h.11s.27 2.27.6 3.6c.28 1.12.95 2.97.95 2.97s-1-.12-1.64-.35c-.99-.32-1.41-.71-1.41-.71s-.73-.51-1.1-1.52c-.63-1.69-.05-2.72-.05-2.72s.32-.86 1.47-1.15c.4-.1.86-.12 1.07-.12zm8.33 2.56c.26 0 .51.13.51.13l.87.42-.53 1.07a.69.69 0 0 0-.61.36.69.69 0 0 0 .07.76l-.94 1.92a.69.69 0 0 0-.66.53.69.69 0 0 0 .35.76.69.69 0 0 0 .86-.2.69.69 0 0 0-.07-.89l.92-1.87a.67.67 0 0 0 .24-.02.66.66 0 0 0 .27-.14 8.83 8.83 0 0 1 1.02.51.76.76 0 0 1 .28.29c.07.21-.07.57-.07.57-.09.29-.7 1.55-.7 1.55a.69.69 0 0 0-.68.47.68.68 0 1 0 1.16-.25c.07-.14.14-.28.21-.43.19-.4.52-1.16.52-1.16.03-.07.21-.39.1-.81-.1-.44-.48-.64-.48-.64-.47-.3-1.12-.58-1.12-.58s0-.16-.04-.27a.69.69 0 0 0-.15-.24l.52-1.06 2.89 1.4s.48.21.58.62c.08.28-.02.53-.07.65-.24.59-2.1 4.32-2.1 4.32s-.23.55-.74.59a1.06 1.06 0 0 1-.4-.05l-.2-.08-4.31-2.1s-.42-.22-.49-.59c-.08-.31.1-.69.1-.69l2.08-4.28s.18-.37.46-.49a.85.85 0 0 1 .35-.08z",
    },
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

export default gitea;
