/**
 * Sign in with Mercado Pago.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Mercado Pago. */
export interface MercadoPagoProfile extends Profile {
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

/** Options of {@linkcode mercadopago}. */
export interface MercadoPagoOptions<Id extends string = string> extends OAuthOptions<MercadoPagoProfile, Id> {
  /** TODO. */
  country?: string | undefined;
}

/**
 * Signs people in with Mercado Pago.
 *
 * - Register: {@link https://www.mercadopago.com.ar/developers/en/docs/security/oauth/creation | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/mercadopago`.
 * - Environment: `AUTH_MERCADOPAGO_ID`, `AUTH_MERCADOPAGO_SECRET`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { mercadopago } from "@x/auth/providers/mercadopago";
 *
 * const { handler } = createAuth({ providers: [mercadopago()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.mercadopago.com.ar/developers/en/docs/security/oauth/creation | TODO}
 */
export function mercadopago<Id extends string = "mercadopago">(
  options: MercadoPagoOptions<Id> = {},
): OAuthProvider<MercadoPagoProfile, Id> {
  return oauthProvider({
    id: "mercadopago",
    name: "Mercado Pago",
    authorization: { url: "https://auth.mercadopago.com/authorization", params: { platform_id: "mp" } },
    token: "https://api.mercadopago.com/oauth/token",
    userinfo: "https://api.mercadopago.com/users/me",
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#00B1EA", text: "#000" },
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
// - variant: {"when": "country", "authorization_hosts": {"AR": "auth.mercadopago.com.ar", "BR": "auth.mercadopago.com.br", "CL": "auth.mercadopago.cl", "CO": "auth.mercadopago.com.co", "MX": "auth.mercadopago.com.mx", "PE": "auth.mercadopago.com.pe", "UY": "auth.mercadopago.com.uy"}}
// - notes: platform_id=mp is sent by Socialite and the vendor, not by arctic.
// - options: required [] optional ['country']
// - optional scopes: ['read', 'offline_access']
// - pkce: supported; docs https://www.mercadopago.com.ar/developers/en/docs/security/oauth/creation
