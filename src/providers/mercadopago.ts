/**
 * Sign in with Mercado Pago.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Mercado Pago. */
export interface MercadoPagoProfile extends Profile {
  /** First name. */
  first_name?: string | null | undefined;
  /** Last name. */
  last_name?: string | null | undefined;
  /** The country of the account, such as `AR`. */
  country_id?: string | null | undefined;
  /** A picture. */
  thumbnail?:
    | {
      /** Its URL. */
      readonly picture_url?: string | null | undefined;
    }
    | null
    | undefined;
}

/** Where people sign in, by country. */
const SITES: Readonly<Record<string, string>> = {
  AR: "mercadopago.com.ar",
  BR: "mercadopago.com.br",
  CL: "mercadopago.cl",
  CO: "mercadopago.com.co",
  MX: "mercadopago.com.mx",
  PE: "mercadopago.com.pe",
  UY: "mercadopago.com.uy",
};

/** Options of {@linkcode mercadopago}. */
export interface MercadoPagoOptions<Id extends string = string> extends OAuthOptions<MercadoPagoProfile, Id> {
  /** Whose site people sign in at, such as `"BR"`. @default the international one */
  country?: "AR" | "BR" | "CL" | "CO" | "MX" | "PE" | "UY" | undefined;
}

/**
 * Signs people in with Mercado Pago.
 *
 * - Register: {@link https://www.mercadopago.com.ar/developers/panel/app | applications at Mercado Pago}: create an
 *   application, enter the redirect URL `https://<your site>/auth/callback/mercadopago` in its details, and let it use
 *   the authorization code flow with PKCE.
 * - Environment: `AUTH_MERCADOPAGO_ID`, `AUTH_MERCADOPAGO_SECRET`.
 * - Scopes: none: they are set in the application, among them `read` and `offline_access`.
 * - Email: the address of the account; nobody says whether it is verified.
 * - Refresh: a refresh token comes if the application has the scope `offline_access`. Access tokens live 180 days.
 * - Logout: no page for it.
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
 * @param options The country, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.mercadopago.com.ar/developers/en/docs/security/oauth/creation | OAuth 2.0 at Mercado Pago}
 */
export function mercadopago<const Id extends string = "mercadopago">(
  options: MercadoPagoOptions<Id> = {},
): OAuthProvider<MercadoPagoProfile, Id> {
  const site = SITES[optionsFor("mercadopago", options).country ?? ""] ?? "mercadopago.com";
  return oauthProvider({
    id: "mercadopago",
    name: "Mercado Pago",
    authorization: { url: `https://auth.${site}/authorization`, params: { scope: "", platform_id: "mp" } },
    token: "https://api.mercadopago.com/oauth/token",
    userinfo: "https://api.mercadopago.com/users/me",
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#00B1EA", text: "#000" },
    profile: ({ id, first_name, last_name, nickname, email, thumbnail }) => ({
      id: textId(id),
      name: joinName(first_name, last_name) || nickname,
      email,
      image: thumbnail?.picture_url,
    }),
  }, options);
}

export default mercadopago;
