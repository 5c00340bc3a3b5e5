/**
 * Sign in with BankID Norge.
 *
 * @module
 */
import { type ProfileContext, readJson } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with BankID Norge.
 *
 * - Register: {@link https://confluence.bankidnorge.no/confluence/pdoidcl/technical-documentation | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/bankid-no`.
 * - Environment: `AUTH_BANKID_NO_ID`, `AUTH_BANKID_NO_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @see {@link https://confluence.bankidnorge.no/confluence/pdoidcl/technical-documentation | TODO}
 */
export function bankidNo<Id extends string = "bankid-no">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "bankid-no",
    name: "BankID Norge",
    issuer: "https://auth.bankid.no/auth/realms/prod",
    authorization: { params: { ui_locales: "no", login_hint: "BIS" } },
    idToken: false,
    checks: ["state", "pkce", "nonce"],
    client: { token_endpoint_auth_method: "client_secret_post", userinfo_signed_response_alg: "RS256" },
    style: { bg: "#39134c", text: "#fff" },
  }, options);
}

async function readProfile(context: ProfileContext): Promise<Profile> {
  const profile = await readJson<Profile>(context, "None");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - userinfo quirks: {"signed_response_alg": "RS256", "response_content_type": "application/jwt"}
// - variant: {"when": "environment=current (test)", "issuer": "https://auth.current.bankid.no/auth/realms/current"}
// - notes: Vendor advises reading every endpoint from discovery; authorization and userinfo URLs are left null here because no source states them. login_hint selects the identity provider (BIS = substantial/biometric, BID = high).
// - pkce: supported; docs https://confluence.bankidnorge.no/confluence/pdoidcl/technical-documentation
