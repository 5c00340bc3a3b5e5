/**
 * Sign in with the Norwegian BankID.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person with a Norwegian BankID. */
export interface BankidNoProfile extends Profile {
  /** The personal identifier in the certificate of the person. */
  bankid_altsub?: string | undefined;
  /** The national identity number, with the scope `nnin_altsub`. */
  nnin_altsub?: string | undefined;
}

/** The name that Auth.js has for {@linkcode BankidNoProfile}. */
export type BankIDNorwayProfile = BankidNoProfile;

/**
 * Signs people in with the Norwegian BankID.
 *
 * - Register: {@link https://bankid.no/bedrift | BankID for companies}. There is no console: BankID or one of its
 *   partners registers you by contract. The redirect URI is `https://<your site>/auth/callback/bankid-no`.
 * - Environment: `AUTH_BANKID_NO_ID`, `AUTH_BANKID_NO_SECRET`, and `AUTH_BANKID_NO_ISSUER` for another issuer than
 *   `https://auth.bankid.no/auth/realms/prod`.
 * - Scopes: `openid`, `profile`, `email`. For the national identity number, add `nnin_altsub`, if your contract allows
 *   it.
 * - Email: the address that the person gave, if any. BankID does not say whether it is verified.
 * - Refresh: none is known.
 * - Logout: `logout: true` works if the metadata has an `end_session_endpoint`.
 *
 * The issuer for tests is `https://auth.current.bankid.no/auth/realms/current`.
 *
 * People sign in with BankID Biometric, in Norwegian. The parameters of `authorization` change that:
 * `login_hint: "BID"` asks for BankID at the high level of assurance, and `ui_locales: "en"` for English.
 *
 * The profile is read at the userinfo endpoint, whose answer is signed with RS256.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { bankidNo } from "@x/auth/providers/bankid-no";
 *
 * const { handler } = createAuth({ providers: [bankidNo()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://confluence.bankidnorge.no/confluence/pdoidcl/technical-documentation | OpenID Connect at BankID}
 */
export function bankidNo<const Id extends string = "bankid-no">(
  options: OidcOptions<BankidNoProfile, Id> = {},
): OidcProvider<BankidNoProfile, Id> {
  return oidcProvider({
    id: "bankid-no",
    name: "BankID Norge",
    issuer: "https://auth.bankid.no/auth/realms/prod",
    authorization: { params: { ui_locales: "no", login_hint: "BIS" } },
    idToken: false,
    checks: ["state", "pkce", "nonce"],
    client: { token_endpoint_auth_method: "client_secret_post", userinfo_signed_response_alg: "RS256" },
    style: { bg: "#39134c", text: "#fff" },
    profile: ({ sub, name, email }) => ({ id: textId(sub), name, email, image: null }),
  }, options);
}

export default bankidNo;
