/**
 * Sign in with Linear.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Linear. */
export interface LinearProfile extends Profile {
  /** TODO. */
  data?:
    | {
      viewer?:
        | {
          id?: string | null | undefined;
          name?: string | null | undefined;
          displayName?: string | null | undefined;
          email?: string | null | undefined;
          avatarUrl?: string | null | undefined;
        }
        | null
        | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Linear.
 *
 * - Register: {@link https://linear.app/developers/oauth-2-0-authentication | TODO: name of the console}: TODO what
 *   to click. The redirect URI is `https://<your site>/auth/callback/linear`.
 * - Environment: `AUTH_LINEAR_ID`, `AUTH_LINEAR_SECRET`.
 * - Scopes: `read`.
 * - Email: TODO path {"path": "$.data.viewer.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { linear } from "@x/auth/providers/linear";
 *
 * const { handler } = createAuth({ providers: [linear()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://linear.app/developers/oauth-2-0-authentication | TODO}
 */
export function linear<Id extends string = "linear">(
  options: OAuthOptions<LinearProfile, Id> = {},
): OAuthProvider<LinearProfile, Id> {
  return oauthProvider({
    id: "linear",
    name: "Linear",
    authorization: { url: "https://linear.app/oauth/authorize", params: { scope: "read" }, scopeSeparator: "," },
    token: "https://api.linear.app/oauth/token",
    userinfo: { url: "https://api.linear.app/graphql", request: readProfile },
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#5E6AD2", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.data?.viewer?.id),
      name: profile.data?.viewer?.name ?? profile.data?.viewer?.displayName,
      email: profile.data?.viewer?.email,
      image: profile.data?.viewer?.avatarUrl,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<LinearProfile> {
  const profile = await readJson<LinearProfile>(context, "https://api.linear.app/graphql");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - userinfo quirks: {"method": "POST", "content_type": "application/json", "graphql": "query { viewer { id name email avatarUrl } }"}
// - notes: read must always be present. actor=user is the default actor. Both sources send space-separated scopes although the vendor documents commas; with only read it makes no difference.
// - revocation endpoint: https://api.linear.app/oauth/revoke
// - pkce: supported; docs https://linear.app/developers/oauth-2-0-authentication
