/**
 * Sign in with WeChat.
 *
 * @module
 */
import { type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import {
  type AuthorizationHandler,
  type OAuthOptions,
  type OAuthProvider,
  oauthProvider,
  type TokenHandler,
} from "../contract/provider.ts";
import type { Profile, TokenSet } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at WeChat. */
export interface WeChatProfile extends Profile {
  /** Id of the person in all applications of one account of the Open Platform. */
  unionid?: string | null | undefined;
  /** Id of the person in this application. */
  openid?: string | null | undefined;
  /** URL of a picture. It expires. */
  headimgurl?: string | null | undefined;
}

/** Options of {@linkcode wechat}. */
export interface WeChatOptions<Id extends string = string> extends OAuthOptions<WeChatProfile, Id> {
  /** `WebsiteApp` shows a QR code, `OfficialAccount` works inside the app of WeChat. @default {"WebsiteApp"} */
  platformType?: "WebsiteApp" | "OfficialAccount" | undefined;
  /** Language of the profile. @default {"zh_CN"} */
  lang?: "zh_CN" | "zh_TW" | "en" | undefined;
}

/**
 * Signs people in with WeChat.
 *
 * - Register: {@link https://open.weixin.qq.com | WeChat Open Platform}: create a website application and wait for its
 *   review. Its authorization callback domain is that of `https://<your site>/auth/callback/wechat`. Official accounts
 *   are registered at https://mp.weixin.qq.com instead.
 * - Environment: `AUTH_WECHAT_ID` (the AppID), `AUTH_WECHAT_SECRET` (the AppSecret).
 * - Scopes: `snsapi_login`; of an official account `snsapi_userinfo`.
 * - Email: none.
 * - Refresh: none; access tokens live two hours. Refresh tokens need a request of another kind, and are not stored.
 * - Logout: no page for it.
 *
 * The account id is the `unionid`, or else the `openid`. There is a `unionid` once the application is bound to an
 * account of the Open Platform: bind it before the first sign-in, because the account ids change with it.
 *
 * The default of Auth.js is `platformType: "OfficialAccount"`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { wechat } from "@x/auth/providers/wechat";
 *
 * const { handler } = createAuth({ providers: [wechat()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The kind of application, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html | WeChat Login}
 */
export function wechat<const Id extends string = "wechat">(
  options: WeChatOptions<Id> = {},
): OAuthProvider<WeChatProfile, Id> {
  const { platformType = "WebsiteApp", lang = "zh_CN", ...overrides } = optionsFor("wechat", options);
  const { path, scope } = PLATFORMS[platformType];
  return oauthProvider({
    id: "wechat",
    name: "WeChat",
    authorization: {
      url: `https://open.weixin.qq.com/connect/${path}`,
      params: { scope },
      scopeSeparator: ",",
      request: inOrder,
    },
    token: { url: TOKEN, request: requestTokens },
    userinfo: { url: USERINFO, request: (context: ProfileContext) => readProfile(context, lang) },
    checks: ["state"],
    style: {
      bg: "#fff",
      text: "#000",
      mark:
        "m8.69 2.19c-4.8 0-8.69 3.29-8.69 7.34 0 2.21 1.17 4.2 3 5.55a.59.59 0 0 1 .21.66l-.39 1.48c-.01.07-.04.15-.04.22 0 .16.13.29.29.29a.33.33 0 0 0 .16-.05l1.91-1.11a.86.86 0 0 1 .71-.1 10.16 10.16 0 0 0 2.84.4c.28 0 .54-.03.81-.05-.86-2.58.16-4.97 1.93-6.45 1.71-1.41 3.89-1.98 5.86-1.83-.58-3.59-4.2-6.35-8.6-6.35zm-2.9 3.8c.64 0 1.16.53 1.16 1.18a1.17 1.17 0 0 1-1.16 1.18 1.17 1.17 0 0 1-1.17-1.18c0-.65.52-1.18 1.17-1.18zm5.81 0c.64 0 1.16.53 1.16 1.18a1.17 1.17 0 0 1-1.16 1.18 1.17 1.17 0 0 1-1.16-1.18c0-.65.52-1.18 1.16-1.18zm5.34 2.87c-1.8-.05-3.75.51-5.28 1.78-1.72 1.43-2.69 3.72-1.78 6.22.94 2.46 3.66 4.23 6.88 4.23.83 0 1.62-.12 2.36-.33a.72.72 0 0 1 .6.08l1.59.93a.27.27 0 0 0 .14.04c.13 0 .23-.11.23-.24 0-.06-.02-.13-.03-.18l-.33-1.23a.58.58 0 0 1-.02-.16.49.49 0 0 1 .2-.4c1.52-1.12 2.5-2.78 2.5-4.62 0-3.21-2.93-5.84-6.66-6.09v0c-.13-.01-.27-.03-.4-.03zm-2.53 3.27c.53 0 .97.44.97.98a.98.98 0 0 1-.97.99.98.98 0 0 1-.97-.99c0-.54.43-.98.97-.98zm4.84 0c.54 0 .97.44.97.98a.98.98 0 0 1-.97.99.98.98 0 0 1-.97-.99c0-.54.44-.98.97-.98z",
    },
    profile: ({ unionid, openid, nickname, headimgurl }) => ({
      id: textId(unionid) ?? textId(openid),
      name: nickname,
      email: null,
      image: headimgurl,
    }),
    account: ({ access_token, expires_at, scope, token_type }) => ({ access_token, expires_at, scope, token_type }),
  }, overrides);
}

const PLATFORMS = {
  WebsiteApp: { path: "qrconnect", scope: "snsapi_login" },
  OfficialAccount: { path: "oauth2/authorize", scope: "snsapi_userinfo" },
} as const;

const TOKEN = "https://api.weixin.qq.com/sns/oauth2/access_token";
const USERINFO = "https://api.weixin.qq.com/sns/userinfo";

/** What WeChat expects first, in its order. */
const FIRST = ["appid", "redirect_uri", "response_type", "scope", "state"] as const;

function inOrder({ provider, params }: Parameters<AuthorizationHandler>[0]): URL {
  const given = new Map([...params, ["appid", provider.clientId]]);
  const url = new URL(provider.authorization.url ?? "");
  url.search = "";
  for (const name of [...FIRST, ...given.keys()]) url.searchParams.set(name, given.get(name) ?? "");
  url.hash = "wechat_redirect";
  return url;
}

/** Errors of a code: it is wrong, it was used, it has expired. */
const OF_THE_CODE: readonly unknown[] = [40029, 40163, 42003];

async function requestTokens({ provider, params, fetch }: Parameters<TokenHandler>[0]): Promise<TokenSet> {
  const { clientId, clientSecret = "" } = provider;
  const url = new URL(provider.token.url ?? TOKEN);
  const query = { appid: clientId, secret: clientSecret, code: params.get("code") ?? "" };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  url.searchParams.set("grant_type", "authorization_code");
  const response = await fetch(url, { headers: { accept: "application/json" } });
  const { errcode, errmsg, ...tokens } = await response.json().catch(() => ({}));
  // Errors have the status 200, too.
  if (!errcode) return { ...tokens, scope: String(tokens.scope ?? "").replaceAll(",", " ") };
  return { error: OF_THE_CODE.includes(errcode) ? "invalid_grant" : "invalid_request", error_description: errmsg };
}

async function readProfile(context: ProfileContext, lang: string): Promise<WeChatProfile> {
  const { access_token = "", openid } = context.tokens;
  const query = { access_token, openid: String(openid), lang };
  const profile = await readJson<WeChatProfile>(context, USERINFO, { query, scheme: null });
  if (!profile.errcode) return profile;
  throw profileError(context, `answered with the error ${profile.errcode}`);
}

export default wechat;
