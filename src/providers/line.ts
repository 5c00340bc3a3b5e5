/**
 * Sign in with LINE.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at LINE. */
export interface LineProfile extends Profile {
  /** URL of a picture. */
  picture?: string | null | undefined;
}

/**
 * Signs people in with LINE.
 *
 * - Register: {@link https://developers.line.biz/console/ | LINE Developers Console}: create a channel of the type
 *   "LINE Login" for a web app. Its callback URL is `https://<your site>/auth/callback/line`.
 * - Environment: `AUTH_LINE_ID` (the channel id), `AUTH_LINE_SECRET` (the channel secret).
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: an address that nobody vouches for. To get it, apply for the permission in the basic settings of the
 *   channel.
 * - Refresh: a refresh token comes with each sign-in; access tokens live 30 days.
 * - Logout: no page for it.
 *
 * LINE signs id_tokens of web sites with the channel secret (HS256), although its metadata does not say so.
 *
 * A channel belongs to a provider of the console. The ids of people differ from one such provider to another.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { line } from "@x/auth/providers/line";
 *
 * const { handler } = createAuth({ providers: [line()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.line.biz/en/docs/line-login/integrate-line-login/ | LINE Login}
 */
export function line<const Id extends string = "line">(
  options: OidcOptions<LineProfile, Id> = {},
): OidcProvider<LineProfile, Id> {
  return oidcProvider({
    id: "line",
    name: "LINE",
    issuer: "https://access.line.me",
    checks: ["state", "pkce", "nonce"],
    client: { token_endpoint_auth_method: "client_secret_post", id_token_signed_response_alg: "HS256" },
    style: {
      bg: "#00C300",
      text: "#000",
      mark:
        "m19.36 9.86c.35 0 .63.29.63.63 0 .35-.28.63-.63.63h-1.75v1.13h1.75c.35 0 .63.28.63.63 0 .34-.28.63-.63.63h-2.38c-.35 0-.63-.29-.63-.63v-4.77c0-.35.28-.63.63-.63h2.39c.34 0 .62.28.62.63 0 .35-.28.63-.63.63h-1.75v1.12h1.75zm-3.85 3.02c0 .27-.17.51-.43.6-.07.02-.14.03-.2.03-.21 0-.39-.09-.51-.25l-2.44-3.32v2.94c0 .34-.28.63-.64.63-.34 0-.62-.29-.62-.63v-4.77c0-.27.17-.51.43-.6.06-.02.13-.03.19-.03.2 0 .38.1.5.25l2.46 3.33v-2.95c0-.35.28-.63.63-.63.34 0 .63.28.63.63v4.77zm-5.74 0c0 .34-.28.63-.63.63-.35 0-.63-.29-.63-.63v-4.77c0-.35.28-.63.63-.63.35 0 .63.28.63.63v4.77zm-2.47.63h-2.38c-.35 0-.63-.29-.63-.63v-4.77c0-.35.28-.63.63-.63.35 0 .63.28.63.63v4.14h1.75c.35 0 .63.28.63.63 0 .34-.28.63-.63.63m16.7-3.2c0-5.37-5.39-9.74-12-9.74s-12 4.37-12 9.74c0 4.81 4.27 8.85 10.04 9.61.39.08.92.26 1.05.59.12.3.08.77.04 1.08l-.16 1.02c-.05.3-.24 1.19 1.05.65 1.29-.54 6.91-4.08 9.43-6.98 1.73-1.89 2.55-3.82 2.55-5.97",
    },
    profile: ({ sub, name, email, picture }) => ({ id: textId(sub), name, email, image: picture }),
  }, options);
}

export default line;
