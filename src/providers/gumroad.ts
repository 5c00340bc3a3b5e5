/**
 * Sign in with Gumroad.
 *
 * @module
 */
import { type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** A person at Gumroad. */
export interface GumroadUser {
  /** Account id. */
  readonly user_id?: string | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** Email address. */
  readonly email?: string | null | undefined;
  /** URL of a picture. */
  readonly profile_url?: string | null | undefined;
  /** URL of the person's page. */
  readonly url?: string | null | undefined;
  /** What the person says about themselves. */
  readonly bio?: string | null | undefined;
}

/** The profile of a person at Gumroad. */
export interface GumroadProfile extends Profile {
  /** Whether the request succeeded. */
  success?: boolean | undefined;
  /** The person. */
  user?: GumroadUser | null | undefined;
}

/**
 * Signs people in with Gumroad.
 *
 * - Register: {@link https://gumroad.com/settings/advanced | Settings, Advanced}: create an application. Its redirect
 *   URI is `https://<your site>/auth/callback/gumroad`.
 * - Environment: `AUTH_GUMROAD_ID`, `AUTH_GUMROAD_SECRET`.
 * - Scopes: `view_profile`.
 * - Email: an address that nobody vouches for.
 * - Refresh: none; access tokens do not expire.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { gumroad } from "@x/auth/providers/gumroad";
 *
 * const { handler } = createAuth({ providers: [gumroad()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://gumroad.com/api#api-authentication | OAuth 2.0 at Gumroad}
 */
export function gumroad<const Id extends string = "gumroad">(
  options: OAuthOptions<GumroadProfile, Id> = {},
): OAuthProvider<GumroadProfile, Id> {
  return oauthProvider({
    id: "gumroad",
    name: "Gumroad",
    authorization: { url: "https://gumroad.com/oauth/authorize", params: { scope: "view_profile" } },
    token: "https://api.gumroad.com/oauth/token",
    userinfo: { url: USER, request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#FF90E8",
      text: "#000",
      mark:
        "m12 0a12 12 0 0 0-12 12 12 12 0 0 0 12 12 12 12 0 0 0 12-12 12 12 0 0 0-12-12zm-.01 5.12c4.48 0 6 3.02 6.07 4.74h-3.24c-.07-.96-.9-2.4-2.9-2.4-2.13 0-3.51 1.86-3.51 4.12 0 2.27 1.38 4.13 3.51 4.13 1.93 0 2.76-1.51 3.1-3.03h-3.1v-1.23h6.51v6.32h-2.85v-3.99c-.21 1.45-1.11 4.27-4.62 4.27-3.52 0-5.59-2.82-5.59-6.33 0-3.64 2.28-6.6 6.62-6.6z",
    },
    profile: ({ user }) => ({
      id: textId(user?.user_id),
      name: user?.name,
      email: user?.email,
      image: user?.profile_url,
    }),
  }, options);
}

const USER = "https://api.gumroad.com/v2/user";

async function readProfile(context: ProfileContext): Promise<GumroadProfile> {
  const profile = await readJson<GumroadProfile>(context, USER);
  // Errors come with status 200, too.
  if (profile.success !== true) throw profileError(context, "answered without success");
  return profile;
}

export default gumroad;
