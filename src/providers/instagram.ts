/**
 * Sign in with Instagram.
 *
 * @module
 */
import { conformJson, type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";
import { isObject } from "../kernel/objects.ts";

/** The profile of a professional account at Instagram. */
export interface InstagramProfile extends Profile {
  /** Account id. */
  user_id?: number | string | null | undefined;
  /** Id of the account for this app only. */
  id?: number | string | null | undefined;
  /** The user name. It can change. */
  username?: string | null | undefined;
  /** `Business` or `Media_Creator`. */
  account_type?: string | null | undefined;
  /** URL of a picture. It expires. */
  profile_picture_url?: string | null | undefined;
}

/**
 * Signs people in with Instagram.
 *
 * - Register: {@link https://developers.facebook.com/apps | Meta for Developers}: create an app, add Instagram to it
 *   and choose the setup with Instagram login. In the settings of business login, the OAuth redirect URI is
 *   `https://<your site>/auth/callback/instagram`.
 * - Environment: `AUTH_INSTAGRAM_ID` (the Instagram app id), `AUTH_INSTAGRAM_SECRET` (the Instagram app secret).
 * - Scopes: `instagram_business_basic`.
 * - Email: none.
 * - Refresh: none; access tokens live one hour.
 * - Logout: no page for it.
 *
 * Only professional accounts can sign in: those of businesses and creators. The API for other accounts ended in
 * December 2024, and with it ended the ids that it gave to accounts.
 *
 * The redirect URI must be https, also while you develop. Until Meta has reviewed the app, only accounts with a role in
 * it can sign in.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { instagram } from "@x/auth/providers/instagram";
 *
 * const { handler } = createAuth({ providers: [instagram()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login | Business login at Instagram}
 */
export function instagram<Id extends string = "instagram">(
  options: OAuthOptions<InstagramProfile, Id> = {},
): OAuthProvider<InstagramProfile, Id> {
  return oauthProvider({
    id: "instagram",
    name: "Instagram",
    authorization: {
      url: "https://www.instagram.com/oauth/authorize",
      params: { scope: "instagram_business_basic" },
      scopeSeparator: ",",
    },
    token: { url: "https://api.instagram.com/oauth/access_token", conform: conformJson(repaired) },
    userinfo: { url: USER, params: { fields: FIELDS }, request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#fff", text: "#000" },
    profile: ({ user_id, username, name, profile_picture_url }) => ({
      id: textId(user_id),
      name: username || name,
      email: null,
      image: profile_picture_url,
    }),
  }, options);
}

const USER = "https://graph.instagram.com/me";

const FIELDS = "user_id,username,name,account_type,profile_picture_url";

async function readProfile(context: ProfileContext): Promise<InstagramProfile> {
  return unwrapped(await readJson(context, USER, { query: { fields: FIELDS } }));
}

// The documentation wraps answers in a list. Instagram sends them as they are.
function unwrapped(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const first: unknown = Array.isArray(body.data) ? body.data[0] : undefined;
  return isObject(first) ? first : body;
}

function repaired(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const message = isObject(body.error) ? body.error.message : body.error_message;
  if (typeof message !== "string") return { token_type: "bearer", ...unwrapped(body) };
  const isOfCode = /\b(?:matching|authorization) code\b/i.test(message);
  return { error: isOfCode ? "invalid_grant" : "invalid_request", error_description: message };
}
