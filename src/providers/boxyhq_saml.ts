/**
 * Sign in with SAML, by a server of BoxyHQ SAML Jackson (now Ory Polis).
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { belowIssuer } from "../contract/endpoint_url.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person who signs in with SAML. */
export interface BoxyhqSamlProfile extends Profile {
  /** Account id, as the identity provider of the company sends it. */
  id?: string | null | undefined;
  /** First name. */
  firstName?: string | null | undefined;
  /** Last name. */
  lastName?: string | null | undefined;
  /** What was asked for: the company and the product, among others. */
  requested?: Readonly<Record<string, unknown>> | undefined;
  /** All attributes of the assertion, by name. */
  raw?: Readonly<Record<string, unknown>> | undefined;
}

/** The name that Auth.js has for {@linkcode BoxyhqSamlProfile}. */
export type BoxyHQSAMLProfile = BoxyhqSamlProfile;

/** Options of {@linkcode boxyhqSaml}. */
export interface BoxyhqSamlOptions<Id extends string = string> extends OAuthOptions<BoxyhqSamlProfile, Id> {
  /** The company whose connection is used, as it is registered. */
  tenant?: string | undefined;
  /** The product whose connection is used, as it is registered. */
  product?: string | undefined;
  /** Id of the connection, for a company that has several. */
  idpHint?: string | undefined;
}

/**
 * Signs people in with the SAML of their company, by a server of BoxyHQ SAML Jackson (now Ory Polis), which turns it
 * into OAuth 2.0.
 *
 * - Register: {@link https://boxyhq.com/docs/jackson/saml-flow | Admin portal of your server}. Make a connection for
 *   each company. The redirect URL is `https://<your site>/auth/callback/boxyhq-saml`. The connection has a client id
 *   and secret; or set `tenant` and `product`, with `dummy` as the client id and the `CLIENT_SECRET_VERIFIER` of the
 *   server (by default `dummy`) as the secret.
 * - Environment: `AUTH_BOXYHQ_SAML_ID`, `AUTH_BOXYHQ_SAML_SECRET` and `AUTH_BOXYHQ_SAML_ISSUER`. The issuer is
 *   required: the URL of the server, such as `https://sso.example.com`.
 * - Scopes: none. With `openid` the server would speak OpenID Connect.
 * - Email: the address that the identity provider of the company sends. Nobody else vouches for it.
 * - Refresh: no refresh token. Access tokens live five minutes.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { boxyhqSaml } from "@x/auth/providers/boxyhq-saml";
 *
 * const { handler } = createAuth({
 *   providers: [boxyhqSaml({ issuer: "https://sso.example.com", tenant: "example.org", product: "demo" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The server, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://boxyhq.com/docs/jackson/saml-flow | SAML at BoxyHQ}
 */
export function boxyhqSaml<const Id extends string = "boxyhq-saml">(
  options: BoxyhqSamlOptions<Id> = {},
): OAuthProvider<BoxyhqSamlProfile, Id> {
  const { tenant, product, idpHint, ...overrides } = optionsFor("boxyhq-saml", options);
  const { issuer } = options;
  return oauthProvider({
    id: "boxyhq-saml",
    name: "BoxyHQ SAML",
    authorization: {
      url: belowIssuer(issuer, "/api/oauth/authorize"),
      params: { scope: "", provider: "saml", tenant, product, idp_hint: idpHint },
    },
    token: belowIssuer(issuer, "/api/oauth/token"),
    userinfo: belowIssuer(issuer, "/api/oauth/userinfo"),
    requiredOptions: ["issuer"],
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#25c2a0", text: "#000" },
    profile: ({ id, firstName, lastName, email }) => ({
      id: textId(id),
      name: joinName(firstName, lastName),
      email,
      image: null,
    }),
  }, overrides);
}

export default boxyhqSaml;
