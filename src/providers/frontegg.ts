/**
 * Sign in with Frontegg.
 *
 * @module
 */
import { belowIssuer } from "../contract/endpoint_url.ts";
import { textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Frontegg. */
export interface FronteggProfile extends Profile {
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** URL of a picture, as the API for users calls it. */
  profilePictureUrl?: string | null | undefined;
  /** Id of the tenant that the person signed in to. */
  tenantId?: string | undefined;
}

/**
 * Signs people in with an environment of Frontegg.
 *
 * - Register: {@link https://portal.frontegg.com | Frontegg portal}: in the settings of the hosted login of your
 *   environment, the redirect URL is `https://<your site>/auth/callback/frontegg`.
 * - Environment: `AUTH_FRONTEGG_ID`, `AUTH_FRONTEGG_SECRET`, `AUTH_FRONTEGG_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: with `email_verified`.
 * - Refresh: as the settings of the environment say.
 * - Logout: `logout: true` goes to `end_session_endpoint` of the metadata, or else to `/oauth/logout`.
 *
 * The issuer is required: the domain of the environment, such as `https://example.frontegg.com`, or a domain of your
 * own.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { frontegg } from "@x/auth/providers/frontegg";
 *
 * const { handler } = createAuth({ providers: [frontegg({ issuer: "https://example.frontegg.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.frontegg.com/ | Frontegg for developers}
 */
export function frontegg<const Id extends string = "frontegg">(
  options: OidcOptions<FronteggProfile, Id> = {},
): OidcProvider<FronteggProfile, Id> {
  return oidcProvider({
    id: "frontegg",
    name: "Frontegg",
    wellKnown: belowIssuer(optionsFor("frontegg", options).issuer, "/oauth/.well-known/openid-configuration"),
    requiredOptions: ["issuer"],
    checks: ["state", "pkce", "nonce"],
    logoutFallback: { url: "/oauth/logout" },
    style: { bg: "#fff", text: "#000" },
    profile: ({ sub, name, nickname, preferred_username, email, picture, profilePictureUrl }) => ({
      id: textId(sub),
      name: name || nickname || preferred_username,
      email,
      image: picture || profilePictureUrl,
    }),
  }, options);
}

export default frontegg;
