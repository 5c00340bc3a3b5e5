/**
 * Sign in with Ory Hydra.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Ory Hydra. */
export interface HydraProfile extends Profile {
  /** URL of a picture. */
  picture?: string | null | undefined;
}

/**
 * Signs people in with an instance of Ory Hydra.
 *
 * - Register: {@link https://www.ory.sh/docs/hydra/5min-tutorial | OAuth2 clients}: create a client with
 *   `hydra create oauth2-client`, with the grant type `authorization_code` and the scopes below. Its redirect URI is
 *   `https://<your site>/auth/callback/hydra`.
 * - Environment: `AUTH_HYDRA_ID`, `AUTH_HYDRA_SECRET`, `AUTH_HYDRA_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`; `offline_access` for a refresh token.
 * - Email: as the application that asks for consent says, with or without `email_verified`.
 * - Refresh: with the scope `offline_access`, if the client has the grant type `refresh_token`.
 * - Logout: `logout: true` goes to `end_session_endpoint` of the metadata.
 *
 * The issuer is required: the public URL of the instance, as `urls.self.issuer` of its configuration says.
 *
 * Hydra knows nobody: names and addresses are what your application for consent puts into the id_token.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { hydra } from "@x/auth/providers/hydra";
 *
 * const { handler } = createAuth({ providers: [hydra({ issuer: "https://id.example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.ory.sh/docs/hydra/5min-tutorial | Ory Hydra in five minutes}
 */
export function hydra<const Id extends string = "hydra">(
  options: OidcOptions<HydraProfile, Id> = {},
): OidcProvider<HydraProfile, Id> {
  return oidcProvider({
    id: "hydra",
    name: "Hydra",
    requiredOptions: ["issuer"],
    checks: ["state", "pkce", "nonce"],
    style: {
      bg: "#fff",
      text: "#0F172A",
      mark: "M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12m-6-.75V3l6-3 6 3v2.25l-6-3zm12 13.5V21l-6 3-6-3v-2.25l6 3z",
    },
    profile: ({ sub, name, nickname, preferred_username, email, picture }) => ({
      id: textId(sub),
      name: name || nickname || preferred_username,
      email,
      image: picture,
    }),
  }, options);
}

export default hydra;
