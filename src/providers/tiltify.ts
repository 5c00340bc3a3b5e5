/**
 * Sign in with Tiltify.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Tiltify. */
export interface TiltifyProfile extends Profile {
  /** TODO. */
  data?:
    | {
      id?: string | null | undefined;
      username?: string | null | undefined;
      email?: string | null | undefined;
      avatar?:
        | {
          src?: string | null | undefined;
        }
        | null
        | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Tiltify.
 *
 * - Register: {@link https://developers.tiltify.com/docs/authentication | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/tiltify`.
 * - Environment: `AUTH_TILTIFY_ID`, `AUTH_TILTIFY_SECRET`.
 * - Scopes: `public`.
 * - Email: TODO path {"path": "$.data.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @see {@link https://developers.tiltify.com/docs/authentication | TODO}
 */
export function tiltify<Id extends string = "tiltify">(
  options: OAuthOptions<TiltifyProfile, Id> = {},
): OAuthProvider<TiltifyProfile, Id> {
  return oauthProvider({
    id: "tiltify",
    name: "Tiltify",
    authorization: { url: "https://v5api.tiltify.com/oauth/authorize", params: { scope: "public" } },
    token: "https://v5api.tiltify.com/oauth/token",
    userinfo: { url: "https://v5api.tiltify.com/api/public/current-user", request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile: (profile) => ({
      id: textId(profile.data?.id),
      name: profile.data?.username,
      email: profile.data?.email,
      image: profile.data?.avatar?.src,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<TiltifyProfile> {
  const profile = await readJson<TiltifyProfile>(context, "https://v5api.tiltify.com/api/public/current-user");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - no brand colours: choose neutral ones
// - userinfo quirks: {"headers": {"Client-Id": "{client_id} (arctic documentation)"}}
// - notes: Profile field names are from the public user schema and unverified here.
// - pkce: undocumented; docs https://developers.tiltify.com/docs/authentication
