/**
 * Sign in with LINE.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

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
export function line<Id extends string = "line">(
  options: OidcOptions<LineProfile, Id> = {},
): OidcProvider<LineProfile, Id> {
  return oidcProvider({
    id: "line",
    name: "LINE",
    issuer: "https://access.line.me",
    checks: ["state", "pkce", "nonce"],
    client: { token_endpoint_auth_method: "client_secret_post", id_token_signed_response_alg: "HS256" },
    style: { bg: "#00C300", text: "#fff" },
    profile: ({ sub, name, email, picture }) => ({ id: textId(sub), name, email, image: picture }),
  }, options);
}
