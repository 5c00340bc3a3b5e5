/**
 * Sign in with Kinde.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Kinde. */
export interface KindeProfile extends Profile {
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** Code of the organization that the person signed in to. */
  org_code?: string | undefined;
}

/**
 * Signs people in with a business of Kinde.
 *
 * - Register: {@link https://app.kinde.com | Kinde}: add an application of the type "Back-end web" in the settings of
 *   your business. Its allowed callback URL is `https://<your site>/auth/callback/kinde`.
 * - Environment: `AUTH_KINDE_ID`, `AUTH_KINDE_SECRET`, `AUTH_KINDE_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`; `offline` for a refresh token.
 * - Email: with `email_verified`.
 * - Refresh: with the scope `offline`.
 * - Logout: `logout: true` goes to `end_session_endpoint` of the metadata, or else to `/logout`. Add
 *   `https://<your site>/auth/signout/kinde` to the allowed logout redirect URLs.
 *
 * The issuer is required: the domain of your business, such as `https://example.kinde.com`, or a domain of your own.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { kinde } from "@x/auth/providers/kinde";
 *
 * const { handler } = createAuth({ providers: [kinde({ issuer: "https://example.kinde.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.kinde.com/ | Documentation of Kinde}
 */
export function kinde<const Id extends string = "kinde">(
  options: OidcOptions<KindeProfile, Id> = {},
): OidcProvider<KindeProfile, Id> {
  return oidcProvider({
    id: "kinde",
    name: "Kinde",
    requiredOptions: ["issuer"],
    checks: ["state", "pkce", "nonce"],
    logoutFallback: { url: "/logout", returnParam: "redirect" },
    style: { bg: "#fff", text: "#0F0F0F" },
    profile: ({ sub, name, nickname, preferred_username, email, picture }) => ({
      id: textId(sub),
      name: name || nickname || preferred_username,
      email,
      image: picture,
    }),
  }, options);
}

export default kinde;
