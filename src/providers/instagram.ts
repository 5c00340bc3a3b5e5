/**
 * Sign in with Instagram.
 *
 * @module
 */
import { conformJson, type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";
import { isObject } from "../kernel/objects.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
export function instagram<const Id extends string = "instagram">(
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
    style: {
      bg: "#fff",
      text: "#000",
      mark:
        "m7.03.08c-1.28.06-2.15.27-2.91.57-.79.3-1.46.72-2.12 1.39-.67.66-1.08 1.33-1.38 2.12-.3.77-.5 1.64-.56 2.92-.05 1.27-.06 1.68-.06 4.94.01 3.26.02 3.67.08 4.95.06 1.28.27 2.15.57 2.91.31.79.72 1.46 1.39 2.12.66.67 1.33 1.08 2.12 1.38.77.3 1.64.5 2.92.56 1.27.05 1.69.06 4.94.06 3.26-.01 3.67-.02 4.95-.08 1.28-.06 2.15-.27 2.91-.57.79-.3 1.46-.72 2.12-1.38.67-.67 1.08-1.34 1.38-2.13.3-.77.5-1.64.56-2.92.05-1.28.06-1.68.06-4.94-.01-3.26-.02-3.67-.08-4.95-.06-1.28-.27-2.15-.57-2.91-.3-.79-.72-1.46-1.38-2.12-.67-.67-1.34-1.08-2.13-1.38-.77-.3-1.64-.5-2.92-.56-1.27-.05-1.68-.07-4.94-.06-3.26.01-3.67.02-4.95.08m.14 21.7c-1.17-.05-1.8-.25-2.23-.41-.56-.22-.96-.48-1.38-.9-.42-.41-.68-.81-.9-1.37-.16-.43-.36-1.06-.42-2.23-.06-1.27-.07-1.65-.08-4.85 0-3.2.01-3.58.06-4.85.05-1.17.25-1.8.41-2.23.22-.56.48-.96.9-1.38.42-.42.82-.68 1.38-.9.42-.16 1.05-.36 2.22-.42 1.27-.06 1.65-.07 4.85-.07 3.2-.01 3.58 0 4.85.06 1.17.05 1.81.24 2.23.4.56.22.96.48 1.38.9.42.42.68.82.9 1.38.17.42.36 1.05.42 2.22.06 1.27.07 1.65.08 4.85 0 3.21-.01 3.59-.06 4.85-.06 1.17-.25 1.81-.41 2.23-.22.56-.48.96-.9 1.38-.42.42-.82.68-1.38.9-.42.17-1.05.36-2.22.42-1.27.06-1.65.07-4.85.08-3.21 0-3.58-.01-4.85-.06m9.78-16.19a1.44 1.44 0 1 0 1.44-1.45 1.44 1.44 0 0 0-1.44 1.45m-11.11 6.42c.01 3.41 2.77 6.16 6.17 6.15 3.4-.01 6.16-2.77 6.15-6.17 0-3.41-2.77-6.16-6.17-6.15-3.4 0-6.16 2.77-6.15 6.17m2.16 0a4 4 0 1 1 4.01 3.99 4 4 0 0 1-4.01-3.99",
    },
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

export default instagram;
