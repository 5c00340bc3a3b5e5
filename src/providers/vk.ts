/**
 * Sign in with VK ID.
 *
 * @module
 */
import { joinName, type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider, type TokenRequestFacts } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at VK. */
export interface VKProfile extends Profile {
  /** What the profile is wrapped in. */
  user?: VKUser | null | undefined;
}

/** The name that Auth.js has for {@linkcode VKProfile}. */
export type VkProfile = VKProfile;

/** The person in a {@linkcode VKProfile}. */
export interface VKUser {
  /** Account id. */
  readonly user_id?: string | number | null | undefined;
  /** First name. */
  readonly first_name?: string | null | undefined;
  /** Last name. */
  readonly last_name?: string | null | undefined;
  /** Email address, with the scope `email`. */
  readonly email?: string | null | undefined;
  /** Telephone number, with the scope `phone`. */
  readonly phone?: string | null | undefined;
  /** URL of a picture. */
  readonly avatar?: string | null | undefined;
  /** Date of birth, `DD.MM.YYYY`. */
  readonly birthday?: string | null | undefined;
  /** Whether VK has confirmed who the person is. It says nothing about the email address. */
  readonly verified?: boolean | undefined;
}

/**
 * Signs people in with VK ID.
 *
 * - Register: {@link https://id.vk.com/about/business/go | VK ID for business}: add an app for the web. Its base domain
 *   is yours, and its trusted redirect URL is `https://<your site>/auth/callback/vk`.
 * - Environment: `AUTH_VK_ID` (the app id), `AUTH_VK_SECRET` (the protected key).
 * - Scopes: `email`; `phone` adds the telephone number, `vkid.personal_info` the name, picture and date of birth.
 * - Email: an address that nobody vouches for, if the person has one and shares it.
 * - Refresh: none; access tokens live an hour. VK would demand the `device_id` of the sign-in, which is not stored, so
 *   refresh tokens are not stored either.
 * - Logout: no page for it.
 *
 * Accounts are those of the former OAuth of VK, whose ids are the same. With `id: "vk-id"` accounts, callback URL and
 * environment variables are those of applications that call the provider so.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { vk } from "@x/auth/providers/vk";
 *
 * const { handler } = createAuth({ providers: [vk()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description | API of VK ID}
 */
export function vk<const Id extends string = "vk">(
  options: OAuthOptions<VKProfile, Id> = {},
): OAuthProvider<VKProfile, Id> {
  return oauthProvider({
    id: "vk",
    name: "VK",
    authorization: { url: "https://id.vk.ru/authorize", params: { scope: "email" } },
    token: { url: "https://id.vk.ru/oauth2/auth", form: deviceOf },
    userinfo: { url: USERINFO, request: readProfile },
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#07F",
      text: "#000",
      mark:
        "m9.49 0 .73 0h3.56l.73 0 .92.01.43.01.42.01.4.02.39.01.37.02.36.03.35.03.33.03c1.74.2 2.93.62 3.83 1.52.9.9 1.32 2.09 1.52 3.83l.03.33.03.35.03.36.02.37.02.59.01.41.02.64.01.92 0 .98 0 3.31 0 .73-.01.92-.01.43-.01.42-.02.4-.01.39-.02.37-.03.36-.03.35-.03.33c-.2 1.74-.62 2.93-1.52 3.83-.9.9-2.09 1.32-3.83 1.52l-.33.03-.35.03-.36.03-.37.02-.59.02-.41.01-.64.02-.92.01-.98 0-3.31 0-.73 0-.92-.01-.43-.01-.42-.01-.4-.02-.39-.01-.37-.02-.36-.03-.35-.03-.33-.03c-1.74-.2-2.93-.62-3.83-1.52-.9-.9-1.32-2.09-1.52-3.83l-.03-.33-.03-.35-.03-.36-.02-.37-.02-.59-.01-.41-.02-.64-.01-.92 0-.98 0-3.31 0-.73.01-.92.01-.43.01-.42.02-.4.01-.39.02-.37.03-.36.03-.35.03-.33c.2-1.74.62-2.93 1.52-3.83.9-.9 2.09-1.32 3.83-1.52l.33-.03.35-.03.36-.03.37-.02.59-.02.41-.01.64-.02.92-.01zm-2.7 7.3h-2.74c.13 6.24 3.25 9.99 8.72 9.99h.31v-3.57c2.01.2 3.53 1.67 4.14 3.57h2.84c-.78-2.84-2.83-4.41-4.11-5.01 1.28-.74 3.08-2.54 3.51-4.98h-2.58c-.56 1.98-2.22 3.78-3.8 3.95v-3.95h-2.58v6.92c-1.6-.4-3.62-2.34-3.71-6.92z",
    },
    profile: ({ user }) => ({
      id: textId(user?.user_id),
      name: joinName(user?.first_name, user?.last_name),
      email: user?.email,
      image: user?.avatar,
    }),
    account: ({ access_token, id_token, expires_at, scope, token_type }) => {
      return { access_token, id_token, expires_at, scope, token_type };
    },
  }, options);
}

const USERINFO = "https://id.vk.ru/oauth2/user_info";

// VK wants both back from the authorization response.
function deviceOf({ callback }: TokenRequestFacts): Readonly<Record<string, string>> {
  return { device_id: callback.get("device_id") ?? "", state: callback.get("state") ?? "" };
}

// Errors have the status 200, too.
async function readProfile(context: ProfileContext): Promise<VKProfile> {
  const { tokens: { access_token = "" }, provider: { clientId } } = context;
  const body = new URLSearchParams({ access_token, client_id: clientId });
  const profile = await readJson<VKProfile>(context, USERINFO, { body, scheme: null });
  if (profile.user) return profile;
  throw profileError(context, "answered without the person");
}

export default vk;
