/**
 * Sign in with VK ID.
 *
 * @module
 */
import { joinName, type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider, type TokenRequestFacts } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at VK. */
export interface VKProfile extends Profile {
  /** What the profile is wrapped in. */
  user?: VKUser | null | undefined;
}

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
export function vk<Id extends string = "vk">(options: OAuthOptions<VKProfile, Id> = {}): OAuthProvider<VKProfile, Id> {
  return oauthProvider({
    id: "vk",
    name: "VK",
    authorization: { url: "https://id.vk.ru/authorize", params: { scope: "email" } },
    token: { url: "https://id.vk.ru/oauth2/auth", form: deviceOf },
    userinfo: { url: USERINFO, request: readProfile },
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#07F", text: "#fff" },
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
