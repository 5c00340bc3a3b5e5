/**
 * Sign in with Shikimori.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Shikimori. */
export interface ShikimoriProfile extends Profile {
  /** Account id. */
  id?: number | string | null | undefined;
  /** The name the person signs in with; it can change. */
  nickname?: string | null | undefined;
  /** URL of a picture of 48 pixels. */
  avatar?: string | null | undefined;
  /** URLs of the picture in several sizes. */
  image?:
    | Readonly<Partial<Record<"x160" | "x148" | "x80" | "x64" | "x48" | "x32" | "x16", string | null>>>
    | null
    | undefined;
}

/** Options of {@linkcode shikimori}. */
export interface ShikimoriOptions<Id extends string = string> extends OAuthOptions<ShikimoriProfile, Id> {
  /** The name of your application at Shikimori, which demands it as `User-Agent`. @default {"x-auth"} */
  applicationName?: string | undefined;
  /** URL of the site, which has changed its domain several times. @default {"https://shikimori.one"} */
  baseUrl?: string | undefined;
}

/**
 * Signs people in with Shikimori.
 *
 * - Register: {@link https://shikimori.one/oauth/applications | Applications}: create an application. Its redirect URI
 *   is `https://<your site>/auth/callback/shikimori`.
 * - Environment: `AUTH_SHIKIMORI_ID`, `AUTH_SHIKIMORI_SECRET`.
 * - Scopes: none.
 * - Email: none.
 * - Refresh: a refresh token comes with each sign-in; access tokens live a day.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { shikimori } from "@x/auth/providers/shikimori";
 *
 * const { handler } = createAuth({ providers: [shikimori({ applicationName: "My list" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The name of your application, the site, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://shikimori.one/oauth | OAuth 2.0 at Shikimori}
 */
export function shikimori<const Id extends string = "shikimori">(
  options: ShikimoriOptions<Id> = {},
): OAuthProvider<ShikimoriProfile, Id> {
  const { applicationName = "x-auth", baseUrl = "https://shikimori.one", ...overrides } = optionsFor(
    "shikimori",
    options,
  );
  const base = baseUrl.replace(/\/+$/, "");
  const profileUrl = `${base}/api/users/whoami`;
  const headers = { "user-agent": applicationName };
  return oauthProvider({
    id: "shikimori",
    name: "Shikimori",
    authorization: { url: `${base}/oauth/authorize`, params: { scope: "" } },
    token: `${base}/oauth/token`,
    userinfo: {
      url: profileUrl,
      request: (context: ProfileContext) => readJson<ShikimoriProfile>(context, profileUrl, { headers }),
    },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#343434", text: "#fff" },
    profile: ({ id, nickname, name, image, avatar }) => ({
      id: textId(id),
      name: nickname || name,
      email: null,
      image: image?.x160 ?? avatar,
    }),
  }, overrides);
}

export default shikimori;
