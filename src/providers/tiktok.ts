/**
 * Sign in with TikTok.
 *
 * @module
 */
import { type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import {
  type AuthorizationHandler,
  type OAuthOptions,
  type OAuthProvider,
  oauthProvider,
} from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at TikTok. */
export interface TikTokProfile extends Profile {
  /** What the profile is wrapped in. */
  data?: { readonly user?: TikTokUser | null | undefined } | null | undefined;
  /** What went wrong. The code is `ok` if nothing did. */
  error?: { readonly code?: string | undefined; readonly message?: string | undefined } | undefined;
}

/** The name that Auth.js has for {@linkcode TikTokProfile}. */
export type TiktokProfile = TikTokProfile;

/** The person in a {@linkcode TikTokProfile}: the fields that were asked for. */
export interface TikTokUser {
  /** Account id. Each app gets another one for the same person. */
  readonly open_id?: string | null | undefined;
  /** Id of the person in all apps of one developer. */
  readonly union_id?: string | null | undefined;
  /** The name to show. */
  readonly display_name?: string | null | undefined;
  /** The user name, with the scope `user.info.profile`. It can change. */
  readonly username?: string | null | undefined;
  /** URL of a picture. It expires. */
  readonly avatar_url?: string | null | undefined;
  /** URL of a larger picture. It expires. */
  readonly avatar_large_url?: string | null | undefined;
}

/**
 * Signs people in with TikTok.
 *
 * - Register: {@link https://developers.tiktok.com/apps | Manage apps}: connect an app and add the product Login Kit to
 *   it. For the web, its redirect URI is `https://<your site>/auth/callback/tiktok`.
 * - Environment: `AUTH_TIKTOK_ID` (the client key), `AUTH_TIKTOK_SECRET` (the client secret).
 * - Scopes: `user.info.basic`; `user.info.profile` allows the field `username`.
 * - Email: none.
 * - Refresh: a refresh token comes with each sign-in; access tokens live a day.
 * - Logout: no page for it.
 *
 * Redirect URIs must be https, and `localhost` is refused. Until TikTok has reviewed the app, it works in a sandbox,
 * for people whom you add to it.
 *
 * Fields must be asked for by name. For others, set `userinfo: { params: { fields: "open_id,username" } }`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { tiktok } from "@x/auth/providers/tiktok";
 *
 * const { handler } = createAuth({ providers: [tiktok()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.tiktok.com/doc/login-kit-web/ | Login Kit for the web}
 */
export function tiktok<const Id extends string = "tiktok">(
  options: OAuthOptions<TikTokProfile, Id> = {},
): OAuthProvider<TikTokProfile, Id> {
  return oauthProvider({
    id: "tiktok",
    name: "TikTok",
    authorization: {
      url: "https://www.tiktok.com/v2/auth/authorize/",
      params: { scope: "user.info.basic" },
      scopeSeparator: ",",
      request: withClientKey,
    },
    token: {
      url: "https://open.tiktokapis.com/v2/oauth/token/",
      form: ({ clientId }) => ({ client_key: clientId }),
    },
    userinfo: { url: USERINFO, request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#000",
      text: "#fff",
      mark:
        "m12.53.02c1.31-.02 2.61-.01 3.91-.02.08 1.53.63 3.09 1.75 4.17 1.12 1.11 2.7 1.62 4.24 1.79v4.03c-1.44-.05-2.89-.35-4.2-.97-.57-.26-1.1-.59-1.62-.93-.01 2.92.01 5.84-.02 8.75-.08 1.4-.54 2.79-1.35 3.94-1.31 1.92-3.58 3.17-5.91 3.21-1.43.08-2.86-.31-4.08-1.03-2.02-1.19-3.44-3.37-3.65-5.71-.02-.5-.03-1-.01-1.49.18-1.9 1.12-3.72 2.58-4.96 1.66-1.44 3.98-2.13 6.15-1.72.02 1.48-.04 2.96-.04 4.44-.99-.32-2.15-.23-3.02.37-.63.41-1.11 1.04-1.36 1.75-.21.51-.15 1.07-.14 1.61.24 1.64 1.82 3.02 3.5 2.87 1.12-.01 2.19-.66 2.77-1.61.19-.33.4-.67.41-1.06.1-1.79.06-3.57.07-5.36.01-4.03-.01-8.05.02-12.07z",
    },
    profile: ({ data }) => ({
      id: textId(data?.user?.open_id),
      name: data?.user?.display_name || data?.user?.username,
      email: null,
      image: data?.user?.avatar_url ?? data?.user?.avatar_large_url,
    }),
  }, options);
}

const USERINFO = "https://open.tiktokapis.com/v2/user/info/?fields=open_id,union_id,avatar_url,display_name";

// TikTok has its own name for the client id.
function withClientKey({ provider: { authorization, clientId }, params }: Parameters<AuthorizationHandler>[0]): URL {
  const url = new URL(authorization.url ?? "");
  for (const [name, value] of params) url.searchParams.set(name, value);
  url.searchParams.set("client_key", clientId);
  return url;
}

async function readProfile(context: ProfileContext): Promise<TikTokProfile> {
  const profile = await readJson<TikTokProfile>(context, context.provider.userinfo.url ?? USERINFO);
  const code = profile.error?.code ?? "ok";
  if (code === "ok") return profile;
  throw profileError(context, `answered with the error ${code}`);
}

export default tiktok;
