/**
 * Sign in with Battle.net.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Battle.net. */
export interface BattlenetProfile extends Profile {
  /** The BattleTag: a name with a number, such as `Ada#1815`. It can change. */
  battle_tag?: string | null | undefined;
  /** What the userinfo endpoint calls the BattleTag. */
  battletag?: string | null | undefined;
}

/** The name that Auth.js has for {@linkcode BattlenetProfile}. */
export type BattleNetProfile = BattlenetProfile;

/**
 * Signs people in with Battle.net, the game service of Blizzard.
 *
 * - Register: {@link https://community.developer.battle.net/access/clients | API access at Battle.net}. Create a
 *   client. The redirect URL is `https://<your site>/auth/callback/battlenet`.
 * - Environment: `AUTH_BATTLENET_ID`, `AUTH_BATTLENET_SECRET`, and `AUTH_BATTLENET_ISSUER` for another issuer than
 *   `https://oauth.battle.net`.
 * - Scopes: `openid`. For the characters of a game, add `wow.profile`, `sc2.profile` or `d3.profile`.
 * - Email: Battle.net gives no address.
 * - Refresh: no refresh token. Access tokens live one day.
 * - Logout: no page for it.
 *
 * All regions but China have the same issuer. That of China is `https://oauth.battlenet.com.cn`, where you register
 * separately.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { battlenet } from "@x/auth/providers/battlenet";
 *
 * const { handler } = createAuth({ providers: [battlenet()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://community.developer.battle.net/documentation/guides/using-oauth | OAuth at Battle.net}
 */
export function battlenet<const Id extends string = "battlenet">(
  options: OidcOptions<BattlenetProfile, Id> = {},
): OidcProvider<BattlenetProfile, Id> {
  return oidcProvider({
    id: "battlenet",
    name: "Battle.net",
    issuer: "https://oauth.battle.net",
    authorization: { params: { scope: "openid" } },
    checks: ["state", "nonce"],
    style: {
      bg: "#148eff",
      text: "#000",
      mark:
        "m18.94 8.3c-3.04-1.41-7.41-2.3-11.51-1.97.2-1.36.71-2.31 1.54-2.51 1.15-.27 2.4.48 3.6 1.86.78.1 1.71.28 2.35.43-2.17-4.1-5.09-6.39-7.31-5.55-1.69.65-2.56 2.97-2.45 6.1-2.2.47-3.92 1.3-5.01 2.49-.06.07-.19.23-.14.31.03.06.14-.01.19-.04 1.28-.89 2.91-1.37 5.03-1.68.3 3.34 1.71 7.56 4.05 10.95-1.28.51-2.35.54-2.94-.08-.81-.86-.79-2.32-.19-4.04a26.76 26.76 0 0 1-.81-2.26c-2.46 3.94-2.98 7.61-1.14 9.11 1.4 1.14 3.85.73 6.5-.92 1.51 1.67 3.08 2.74 4.67 3.09.08.02.28.04.33-.03.03-.06-.08-.13-.13-.15-1.41-.66-2.64-1.83-3.97-3.52 2.74-1.93 5.7-5.26 7.46-8.98 1.08.86 1.64 1.77 1.4 2.59-.34 1.13-1.61 1.84-3.4 2.19a27.7 27.7 0 0 1-1.55 1.82c4.63.16 8.08-1.22 8.46-3.56.28-1.79-1.3-3.7-4.06-5.17.7-2.14.84-4.04.35-5.59-.03-.08-.11-.27-.2-.27-.06 0-.06.13-.06.19.14 1.54-.26 3.2-1.06 5.19zm-8.53 9.86c-1.96-3.14-3.09-6.84-3.08-10.59 3.7-.12 7.47.75 10.71 2.63-1.74 3.27-4.39 6.1-7.63 7.96h0z",
    },
    profile: ({ sub, battle_tag, battletag }) => ({
      id: textId(sub),
      name: battle_tag || battletag,
      email: null,
      image: null,
    }),
  }, options);
}

export default battlenet;
