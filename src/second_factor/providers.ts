/**
 * How providers say that they have asked for two factors, by their documentation.
 *
 * @module
 */
import type { UpstreamClaims, UpstreamLevel } from "./settings.ts";

/**
 * Reads whether Okta has asked for two factors: `acr` is `urn:okta:loa:2fa:any`, or `amr` has `mfa`. Ask for it with
 * `acr_values`.
 *
 * @see {@link https://developer.okta.com/docs/guides/step-up-authentication/main/ | Okta: step-up authentication}
 *
 * @example Usage
 * ```ts
 * import { okta } from "@x/auth/providers/okta";
 * import { oktaMfa, secondFactor } from "@x/auth/second-factor";
 *
 * export const provider = okta({
 *   issuer: "https://example.okta.com",
 *   clientId: "id",
 *   clientSecret: "secret",
 *   authorization: { params: { acr_values: "urn:okta:loa:2fa:any" } },
 * });
 * export const feature = secondFactor({ upstream: { okta: oktaMfa } });
 * ```
 */
export function oktaMfa(claims: UpstreamClaims): 1 | 2 {
  return claims.acr === "urn:okta:loa:2fa:any" || hasMfa(claims) ? 2 : 1;
}

/**
 * Reads whether Auth0 has asked for two factors: `amr` has `mfa`. Ask for it with `acr_values`, and let an Action of Auth0
 * act on that.
 *
 * @see {@link https://auth0.com/docs/secure/multi-factor-authentication/step-up-authentication/configure-step-up-authentication-for-web-apps | Auth0: step-up authentication}
 *
 * @example Usage
 * ```ts
 * import { auth0Mfa, secondFactor } from "@x/auth/second-factor";
 *
 * export const feature = secondFactor({ upstream: { auth0: auth0Mfa } });
 * ```
 */
export function auth0Mfa(claims: UpstreamClaims): 1 | 2 {
  return hasMfa(claims) ? 2 : 1;
}

/**
 * Reads whether Google has asked for two factors when it began its own session with the browser: `amr` has `mfa`. Google
 * says so to verified applications that ask for it with `claims`.
 *
 * @see {@link https://developers.google.com/identity/siwg/security-bundle | Google: security bundle}
 *
 * @example Usage
 * ```ts
 * import { google } from "@x/auth/providers/google";
 * import { googleMfa, secondFactor } from "@x/auth/second-factor";
 *
 * export const provider = google({
 *   clientId: "id",
 *   clientSecret: "secret",
 *   authorization: { params: { claims: { id_token: { amr: { essential: true } } } } },
 * });
 * export const feature = secondFactor({ upstream: { google: googleMfa } });
 * ```
 */
export function googleMfa(claims: UpstreamClaims): 1 | 2 {
  return hasMfa(claims) ? 2 : 1;
}

/**
 * Reads whether Microsoft Entra ID has enforced an authentication context that demands two factors. Ask for it with
 * `claims`. What a context demands is decided by the tenant, so list only a provider of one tenant.
 *
 * @param context The id of the context, `c1` to `c25`, whose Conditional Access policy demands multifactor authentication.
 * @see {@link https://learn.microsoft.com/en-us/entra/identity-platform/developer-guide-conditional-access-authentication-context | Microsoft: authentication contexts}
 *
 * @example Usage
 * ```ts
 * import { entraMfa, secondFactor } from "@x/auth/second-factor";
 *
 * // The provider has `authorization: { params: { claims: { id_token: { acrs: { essential: true, value: "c1" } } } } }`.
 * export const feature = secondFactor({ upstream: { "microsoft-entra-id": entraMfa("c1") } });
 * ```
 */
export function entraMfa(context: string): UpstreamLevel {
  return ({ acrs }) => acrs?.includes(context) ? 2 : 1;
}

function hasMfa({ amr }: UpstreamClaims): boolean {
  return amr?.includes("mfa") === true;
}
