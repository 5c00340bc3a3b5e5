/**
 * Sign in with Mercado Libre.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Mercado Libre. */
export interface MercadoLibreProfile extends Profile {
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
  AR: "mercadolibre.com.ar",
  BO: "mercadolibre.com.bo",
  BR: "mercadolivre.com.br",
  CL: "mercadolibre.cl",
  CO: "mercadolibre.com.co",
  CR: "mercadolibre.co.cr",
  DO: "mercadolibre.com.do",
  EC: "mercadolibre.com.ec",
  GT: "mercadolibre.com.gt",
  HN: "mercadolibre.com.hn",
  MX: "mercadolibre.com.mx",
  NI: "mercadolibre.com.ni",
  PA: "mercadolibre.com.pa",
  PE: "mercadolibre.com.pe",
  PY: "mercadolibre.com.py",
  SV: "mercadolibre.com.sv",
  UY: "mercadolibre.com.uy",
  VE: "mercadolibre.com.ve",
};

/** Options of {@linkcode mercadolibre}. */
export interface MercadoLibreOptions<Id extends string = string> extends OAuthOptions<MercadoLibreProfile, Id> {
  /** Whose site people sign in at, such as `"BR"`. @default the international one */
  country?:
    | "AR"
    | "BO"
    | "BR"
    | "CL"
    | "CO"
    | "CR"
    | "DO"
    | "EC"
    | "GT"
    | "HN"
    | "MX"
    | "NI"
    | "PA"
    | "PE"
    | "PY"
    | "SV"
    | "UY"
    | "VE"
    | undefined;
}

/**
 * Signs people in with Mercado Libre.
 *
 * - Register: {@link https://developers.mercadolibre.com.ar/devcenter | DevCenter of Mercado Libre}: create an
 *   application and enter the redirect URI `https://<your site>/auth/callback/mercadolibre`; only https is accepted.
 *   Let the application use PKCE.
 * - Environment: `AUTH_MERCADOLIBRE_ID`, `AUTH_MERCADOLIBRE_SECRET`.
 * - Scopes: none: they are set in the application, among them `read` and `offline_access`.
 * - Email: the address of the account; nobody says whether it is verified.
 * - Refresh: a refresh token comes if the application has the scope `offline_access`. It works once, and each refresh
 *   brings another. Access tokens live six hours.
 * - Logout: no page for it.
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
 * @param options The country, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.mercadolibre.com.ar/en_us/authentication-and-authorization | OAuth 2.0 at Mercado Libre}
 */
export function mercadolibre<const Id extends string = "mercadolibre">(
  options: MercadoLibreOptions<Id> = {},
): OAuthProvider<MercadoLibreProfile, Id> {
  const site = SITES[optionsFor("mercadolibre", options).country ?? ""] ?? "mercadolibre.com";
  return oauthProvider({
    id: "mercadolibre",
    name: "Mercado Libre",
    authorization: { url: `https://auth.${site}/authorization`, params: { scope: "" } },
    token: "https://api.mercadolibre.com/oauth/token",
    userinfo: "https://api.mercadolibre.com/users/me",
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#FFE600", text: "#000" },
    profile: ({ id, first_name, last_name, nickname, email, thumbnail }) => ({
      id: textId(id),
      name: joinName(first_name, last_name) || nickname,
      email,
      image: thumbnail?.picture_url,
    }),
  }, options);
}

export default mercadolibre;
