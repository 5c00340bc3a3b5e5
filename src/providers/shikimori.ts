/**
 * Sign in with Shikimori.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Shikimori. */
export interface ShikimoriProfile extends Profile {
  /** TODO. */
  image?:
    | {
      x160?: string | null | undefined;
    }
    | null
    | undefined;
  /** TODO. */
  avatar?: string | null | undefined;
}

/**
 * Signs people in with Shikimori.
 *
 * - Register: {@link https://shikimori.one/oauth | TODO: name of the console}: TODO what to click. The redirect URI
 *   is `https://<your site>/auth/callback/shikimori`.
 * - Environment: `AUTH_SHIKIMORI_ID`, `AUTH_SHIKIMORI_SECRET`.
 * - Scopes: none.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { shikimori } from "@x/auth/providers/shikimori";
 *
 * const { handler } = createAuth({ providers: [shikimori()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://shikimori.one/oauth | TODO}
 */
export function shikimori<Id extends string = "shikimori">(
  options: OAuthOptions<ShikimoriProfile, Id> = {},
): OAuthProvider<ShikimoriProfile, Id> {
  return oauthProvider({
    id: "shikimori",
    name: "Shikimori",
    authorization: { url: "https://shikimori.one/oauth/authorize", params: {} },
    token: "https://shikimori.one/oauth/token",
    userinfo: { url: "https://shikimori.one/api/users/whoami", request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#343434", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.nickname ?? profile.name,
      email: null,
      image: profile.image?.x160 ?? profile.avatar,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<ShikimoriProfile> {
  const profile = await readJson<ShikimoriProfile>(context, "https://shikimori.one/api/users/whoami");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - userinfo quirks: {"headers": {"User-Agent": "application name required"}}
// - notes: The site has changed its TLD several times (org, one); check the current host. No email.
// - pkce: unsupported; docs https://shikimori.one/oauth
