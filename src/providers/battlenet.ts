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
  /** TODO. */
  battle_tag?: string | null | undefined;
  /** TODO. */
  battletag?: string | null | undefined;
}

/**
 * Signs people in with Battle.net.
 *
 * - Register: {@link https://community.developer.battle.net/documentation/guides/using-oauth | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/battlenet`.
 * - Environment: `AUTH_BATTLENET_ID`, `AUTH_BATTLENET_SECRET`, `AUTH_BATTLENET_ISSUER`.
 * - Scopes: `openid`.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { battlenet } from "@x/auth/providers/battlenet";
 *
 * const { handler } = createAuth({ providers: [battlenet({ issuer: "https://oauth.battle.net" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://community.developer.battle.net/documentation/guides/using-oauth | TODO}
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
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.battle_tag ?? profile.battletag,
      email: null,
      image: null,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - variant: {"when": "region=cn", "issuer": "https://oauth.battlenet.com.cn"}
// - variant: {"when": "legacy regional hosts", "issuer": "https://{us|eu|kr|tw}.battle.net/oauth"}
// - variant: {"when": "legacy cn host", "issuer": "https://www.battlenet.com.cn/oauth"}
// - notes: id_token claim is battle_tag; the userinfo endpoint spells it battletag and adds numeric id. No email, no avatar.
// - optional scopes: ['wow.profile', 'sc2.profile', 'd3.profile']
// - pkce: undocumented; docs https://community.developer.battle.net/documentation/guides/using-oauth
