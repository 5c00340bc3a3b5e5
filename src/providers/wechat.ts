/**
 * Sign in with WeChat.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at WeChat. */
export interface WeChatProfile extends Profile {
  /** TODO. */
  unionid?: string | null | undefined;
  /** TODO. */
  openid?: string | null | undefined;
  /** TODO. */
  headimgurl?: string | null | undefined;
}

/** Options of {@linkcode wechat}. */
export interface WeChatOptions<Id extends string = string> extends OAuthOptions<WeChatProfile, Id> {
  /** TODO. */
  platformType?: string | undefined;
  /** TODO. */
  lang?: string | undefined;
}

/**
 * Signs people in with WeChat.
 *
 * - Register: {@link https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html |
 *   TODO: name of the console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/wechat`.
 * - Environment: `AUTH_WECHAT_ID`, `AUTH_WECHAT_SECRET`.
 * - Scopes: `snsapi_login`.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html | TODO}
 */
export function wechat<Id extends string = "wechat">(
  options: WeChatOptions<Id> = {},
): OAuthProvider<WeChatProfile, Id> {
  return oauthProvider({
    id: "wechat",
    name: "WeChat",
    authorization: {
      url: "https://open.weixin.qq.com/connect/qrconnect",
      params: { scope: "snsapi_login" },
      scopeSeparator: ",",
    },
    token: "https://api.weixin.qq.com/sns/oauth2/access_token",
    userinfo: { url: "https://api.weixin.qq.com/sns/userinfo", request: readProfile },
    checks: ["state"],
    style: { bg: "#fff", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.unionid ?? profile.openid),
      name: profile.nickname,
      email: null,
      image: profile.headimgurl,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<WeChatProfile> {
  const profile = await readJson<WeChatProfile>(context, "https://api.weixin.qq.com/sns/userinfo");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - authorization param appid={client_id}
// - authorization fragment wechat_redirect
// - custom client authentication
// - token quirk: GET request with query appid, secret, code, grant_type
// - token quirk: no token_type
// - token quirk: errors with HTTP 200: errcode, errmsg
// - token quirk: openid and (when bound) unionid in token response
// - token quirk: scope is comma-separated
// - token quirk: response Content-Type may be text/plain
// - userinfo quirks: {"token_in": "query", "token_param": "access_token", "query": {"openid": "{token.openid}", "lang": "zh_CN"}, "error_field": "$.errcode"}
// - variant: {"when": "platform_type=OfficialAccount (inside the WeChat browser; Auth.js default)", "authorization_endpoint": "https://open.weixin.qq.com/connect/oauth2/authorize", "scopes": ["snsapi_userinfo"]}
// - variant: {"when": "platform_type=WebsiteApp (QR login; better-auth)", "authorization_endpoint": "https://open.weixin.qq.com/connect/qrconnect", "scopes": ["snsapi_login"]}
// - notes: The authorization URL must end with #wechat_redirect; appid parameter order matters for some clients. unionid only exists when the app is bound to an Open Platform account: fall back to openid. No email.
// - options: required [] optional ['platform_type', 'lang']
// - pkce: unsupported; docs https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html
