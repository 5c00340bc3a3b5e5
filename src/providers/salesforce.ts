/**
 * Sign in with Salesforce.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Salesforce. */
export interface SalesforceProfile extends Profile {
  /** TODO. */
  user_id?: string | null | undefined;
  /** TODO. */
  photos?:
    | {
      picture?: string | null | undefined;
      thumbnail?: string | null | undefined;
    }
    | null
    | undefined;
}

/** Options of {@linkcode salesforce}. */
export interface SalesforceOptions<Id extends string = string> extends OidcOptions<SalesforceProfile, Id> {
  /** TODO. */
  domain?: string | undefined;
}

/**
 * Signs people in with Salesforce.
 *
 * - Register: {@link https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_openid.htm | TODO: name of
 *   the console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/salesforce`.
 * - Environment: `AUTH_SALESFORCE_ID`, `AUTH_SALESFORCE_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { salesforce } from "@x/auth/providers/salesforce";
 *
 * const { handler } = createAuth({ providers: [salesforce()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_openid.htm | TODO}
 */
export function salesforce<Id extends string = "salesforce">(
  options: SalesforceOptions<Id> = {},
): OidcProvider<SalesforceProfile, Id> {
  return oidcProvider({
    id: "salesforce",
    name: "Salesforce",
    issuer: "https://login.salesforce.com",
    idToken: false,
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#00a1e0", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.sub ?? profile.user_id),
      name: profile.name ?? profile.nickname ?? profile.preferred_username,
      email: profile.email,
      image: profile.picture ?? profile.photos?.picture ?? profile.photos?.thumbnail,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - variant: {"when": "sandbox", "issuer": "https://test.salesforce.com"}
// - variant: {"when": "My Domain", "issuer": "https://{domain}.my.salesforce.com"}
// - notes: sub is a URL (https://login.salesforce.com/id/{org}/{user}); better-auth uses user_id. Photo URLs need a session token.
// - options: required [] optional ['issuer', 'domain']
// - revocation endpoint: https://login.salesforce.com/services/oauth2/revoke
// - pkce: supported; docs https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_openid.htm
