/**
 * Sign in with Mercado Libre.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Mercado Libre. */
export interface MercadoLibreProfile extends Profile {
  /** TODO. */
  first_name?: string | null | undefined;
  /** TODO. */
  last_name?: string | null | undefined;
  /** TODO. */
  thumbnail?:
    | {
      picture_url?: string | null | undefined;
    }
    | null
    | undefined;
}

/** Options of {@linkcode mercadolibre}. */
export interface MercadoLibreOptions<Id extends string = string> extends OAuthOptions<MercadoLibreProfile, Id> {
  /** TODO. */
  country?: string | undefined;
}

/**
 * Signs people in with Mercado Libre.
 *
 * - Register: {@link https://developers.mercadolibre.com.ar/en_us/authentication-and-authorization | TODO: name of
 *   the console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/mercadolibre`.
 * - Environment: `AUTH_MERCADOLIBRE_ID`, `AUTH_MERCADOLIBRE_SECRET`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { mercadolibre } from "@x/auth/providers/mercadolibre";
 *
 * const { handler } = createAuth({ providers: [mercadolibre()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.mercadolibre.com.ar/en_us/authentication-and-authorization | TODO}
 */
export function mercadolibre<Id extends string = "mercadolibre">(
  options: MercadoLibreOptions<Id> = {},
): OAuthProvider<MercadoLibreProfile, Id> {
  return oauthProvider({
    id: "mercadolibre",
    name: "Mercado Libre",
    authorization: { url: "https://auth.mercadolibre.com/authorization", params: {} },
    token: "https://api.mercadolibre.com/oauth/token",
    userinfo: "https://api.mercadolibre.com/users/me",
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: joinName(profile.first_name, profile.last_name) ?? profile.nickname,
      email: profile.email,
      image: profile.thumbnail?.picture_url,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - no brand colours: choose neutral ones
// - token quirk: user_id in token response
// - variant: {"when": "country", "authorization_hosts": {"AR": "auth.mercadolibre.com.ar", "BO": "auth.mercadolibre.com.bo", "BR": "auth.mercadolivre.com.br", "CL": "auth.mercadolibre.cl", "CO": "auth.mercadolibre.com.co", "CR": "auth.mercadolibre.co.cr", "DO": "auth.mercadolibre.com.do", "EC": "auth.mercadolibre.com.ec", "GT": "auth.mercadolibre.com.gt", "HN": "auth.mercadolibre.com.hn", "MX": "auth.mercadolibre.com.mx", "NI": "auth.mercadolibre.com.ni", "PA": "auth.mercadolibre.com.pa", "PE": "auth.mercadolibre.com.pe", "PY": "auth.mercadolibre.com.py", "SV": "auth.mercadolibre.com.sv", "UY": "auth.mercadolibre.com.uy", "VE": "auth.mercadolibre.com.ve"}}
// - options: required [] optional ['country']
// - optional scopes: ['read', 'offline_access']
// - pkce: supported; docs https://developers.mercadolibre.com.ar/en_us/authentication-and-authorization
