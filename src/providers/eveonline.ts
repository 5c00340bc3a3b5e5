/**
 * Sign in with EVE Online.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at EVE Online. */
export interface EVEOnlineProfile extends Profile {
  /** TODO. */
  CharacterID?: string | null | undefined;
  /** TODO. */
  CharacterName?: string | null | undefined;
}

/**
 * Signs people in with EVE Online.
 *
 * - Register: {@link https://developers.eveonline.com/docs/services/sso/ | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/eveonline`.
 * - Environment: `AUTH_EVEONLINE_ID`, `AUTH_EVEONLINE_SECRET`.
 * - Scopes: `publicData`.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { eveonline } from "@x/auth/providers/eveonline";
 *
 * const { handler } = createAuth({ providers: [eveonline()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.eveonline.com/docs/services/sso/ | TODO}
 */
export function eveonline<Id extends string = "eveonline">(
  options: OAuthOptions<EVEOnlineProfile, Id> = {},
): OAuthProvider<EVEOnlineProfile, Id> {
  return oauthProvider({
    id: "eveonline",
    name: "EVE Online",
    authorization: { url: "https://login.eveonline.com/v2/oauth/authorize", params: { scope: "publicData" } },
    token: "https://login.eveonline.com/v2/oauth/token",
    checks: ["state", "pkce"],
    profile: (profile) => ({
      id: textId(profile.sub ?? profile.CharacterID),
      name: profile.name ?? profile.CharacterName,
      email: null,
      image: null,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - profile image: https://images.evetech.net/characters/{character_id}/portrait?size=128
// - no brand colours: choose neutral ones
// - token quirk: access_token is an RS256 JWT: sub=CHARACTER:EVE:{character_id}, aud contains client_id and "EVE Online", iss is login.eveonline.com with or without https://
// - notes: Metadata at https://login.eveonline.com/.well-known/oauth-authorization-server. Auth.js still calls https://login.eveonline.com/oauth/verify (CharacterID, CharacterName), announced deprecated since 2021-11-01. image.eveonline.com was replaced by images.evetech.net.
// - revocation endpoint: https://login.eveonline.com/v2/oauth/revoke
// - pkce: supported; docs https://developers.eveonline.com/docs/services/sso/
