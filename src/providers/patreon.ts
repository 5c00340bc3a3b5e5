/**
 * Sign in with Patreon.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Patreon. */
export interface PatreonProfile extends Profile {
  /** TODO. */
  data?:
    | {
      id?: string | null | undefined;
      attributes?:
        | {
          full_name?: string | null | undefined;
          email?: string | null | undefined;
          image_url?: string | null | undefined;
          is_email_verified?: string | null | undefined;
        }
        | null
        | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Patreon.
 *
 * - Register: {@link https://docs.patreon.com/#apiv2-oauth | TODO: name of the console}: TODO what to click. The
 *   redirect URI is `https://<your site>/auth/callback/patreon`.
 * - Environment: `AUTH_PATREON_ID`, `AUTH_PATREON_SECRET`.
 * - Scopes: `identity`, `identity[email]`.
 * - Email: TODO path {"path": "$.data.attributes.email", "fallbacks": []} verified {"path":
 *   "$.data.attributes.is_email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { patreon } from "@x/auth/providers/patreon";
 *
 * const { handler } = createAuth({ providers: [patreon()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.patreon.com/#apiv2-oauth | TODO}
 */
export function patreon<Id extends string = "patreon">(
  options: OAuthOptions<PatreonProfile, Id> = {},
): OAuthProvider<PatreonProfile, Id> {
  return oauthProvider({
    id: "patreon",
    name: "Patreon",
    authorization: { url: "https://www.patreon.com/oauth2/authorize", params: { scope: "identity identity[email]" } },
    token: "https://www.patreon.com/api/oauth2/token",
    userinfo: {
      url:
        "https://www.patreon.com/api/oauth2/v2/identity?fields%5Buser%5D=email,full_name,image_url,is_email_verified",
      request: readProfile,
    },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#e85b46", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.data?.id),
      name: profile.data?.attributes?.full_name,
      email: profile.data?.attributes?.email,
      image: profile.data?.attributes?.image_url,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<PatreonProfile> {
  const profile = await readJson<PatreonProfile>(
    context,
    "https://www.patreon.com/api/oauth2/v2/identity?fields%5Buser%5D=email,full_name,image_url,is_email_verified",
  );
  return { ...profile, email_verified: Boolean(profile.data?.attributes?.is_email_verified) };
}

// TODO (remove this list when each is done or does not apply):
// - userinfo quirks: {"headers": {"User-Agent": "recommended by vendor"}}
// - variant: {"when": "deprecated v1 (Auth.js)", "userinfo_endpoint": "https://www.patreon.com/api/oauth2/api/current_user"}
// - notes: v2 returns only requested fields. Vendor calls v1 deprecated.
// - pkce: unsupported; docs https://docs.patreon.com/#apiv2-oauth
