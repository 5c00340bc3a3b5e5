/**
 * Sign in with Lichess.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Lichess. */
export interface LichessProfile extends Profile {
  /** TODO. */
  username?: string | null | undefined;
}

/**
 * Signs people in with Lichess.
 *
 * - Register: {@link https://lichess.org/api#tag/OAuth | TODO: name of the console}: TODO what to click. The redirect
 *   URI is `https://<your site>/auth/callback/lichess`.
 * - Environment: `AUTH_LICHESS_ID`.
 * - Scopes: `email:read`.
 * - Email: TODO path {"path": "email:$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { lichess } from "@x/auth/providers/lichess";
 *
 * const { handler } = createAuth({ providers: [lichess()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://lichess.org/api#tag/OAuth | TODO}
 */
export function lichess<Id extends string = "lichess">(
  options: OAuthOptions<LichessProfile, Id> = {},
): OAuthProvider<LichessProfile, Id> {
  return oauthProvider({
    id: "lichess",
    name: "Lichess",
    authorization: { url: "https://lichess.org/oauth", params: { scope: "email:read" } },
    token: "https://lichess.org/api/token",
    userinfo: { url: "https://lichess.org/api/account", request: readProfile },
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "none" },
    style: { bg: "#000000", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.username,
      email: null,
      image: null,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<LichessProfile> {
  const profile = await readJson<LichessProfile>(context, "https://lichess.org/api/account");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - profile email: email:$.email
// - token quirk: tokens live about a year; no refresh tokens
// - extra request: {"method": "GET", "url": "https://lichess.org/api/account/email", "purpose": "email address; needs scope email:read", "alias": "email"}
// - notes: Public client without registration: any unique client_id string, no secret. Revocation is DELETE on /api/token.
// - revocation endpoint: https://lichess.org/api/token
// - pkce: required; docs https://lichess.org/api#tag/OAuth
