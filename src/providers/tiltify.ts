/**
 * Sign in with Tiltify.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Tiltify. */
export interface TiltifyProfile extends Profile {
  /** What the profile is wrapped in. */
  data?: TiltifyUser | null | undefined;
}

/** The person in a {@linkcode TiltifyProfile}. */
export interface TiltifyUser {
  /** Account id. */
  readonly id?: string | null | undefined;
  /** The user name. It can change. */
  readonly username?: string | null | undefined;
  /** Email address, if Tiltify gives it to the application. */
  readonly email?: string | null | undefined;
  /** The picture. */
  readonly avatar?: { readonly src?: string | null | undefined; readonly alt?: string | null | undefined } | null;
}

/**
 * Signs people in with Tiltify.
 *
 * - Register: {@link https://app.tiltify.com/developers | Developers}: create an application. Its redirect URI is
 *   `https://<your site>/auth/callback/tiltify`.
 * - Environment: `AUTH_TILTIFY_ID`, `AUTH_TILTIFY_SECRET`.
 * - Scopes: `public`.
 * - Email: an address that nobody vouches for, if Tiltify gives it.
 * - Refresh: a refresh token comes with each sign-in.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { tiltify } from "@x/auth/providers/tiltify";
 *
 * const { handler } = createAuth({ providers: [tiltify()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.tiltify.com/docs/authentication | Authentication at Tiltify}
 */
export function tiltify<const Id extends string = "tiltify">(
  options: OAuthOptions<TiltifyProfile, Id> = {},
): OAuthProvider<TiltifyProfile, Id> {
  return oauthProvider({
    id: "tiltify",
    name: "Tiltify",
    authorization: { url: "https://v5api.tiltify.com/oauth/authorize", params: { scope: "public" } },
    token: "https://v5api.tiltify.com/oauth/token",
    userinfo: { url: USERINFO, request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#333", text: "#fff" },
    profile: ({ data }) => ({
      id: textId(data?.id),
      name: data?.username,
      email: data?.email,
      image: data?.avatar?.src,
    }),
  }, options);
}

const USERINFO = "https://v5api.tiltify.com/api/public/current-user";

function readProfile(context: ProfileContext): Promise<TiltifyProfile> {
  return readJson(context, USERINFO, { headers: { "client-id": context.provider.clientId } });
}

export default tiltify;
