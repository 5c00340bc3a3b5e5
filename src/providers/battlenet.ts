/**
 * Sign in with Battle.net.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Battle.net. */
export interface BattlenetProfile extends Profile {
  /** The BattleTag: a name with a number, such as `Ada#1815`. It can change. */
  battle_tag?: string | null | undefined;
  /** What the userinfo endpoint calls the BattleTag. */
  battletag?: string | null | undefined;
}

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
export function battlenet<Id extends string = "battlenet">(
  options: OidcOptions<BattlenetProfile, Id> = {},
): OidcProvider<BattlenetProfile, Id> {
  return oidcProvider({
    id: "battlenet",
    name: "Battle.net",
    issuer: "https://oauth.battle.net",
    authorization: { params: { scope: "openid" } },
    checks: ["state", "nonce"],
    style: { bg: "#148eff", text: "#fff" },
    profile: ({ sub, battle_tag, battletag }) => ({
      id: textId(sub),
      name: battle_tag || battletag,
      email: null,
      image: null,
    }),
  }, options);
}
