/**
 * Sign in with NetSuite.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** Options of {@linkcode netsuite}. */
export interface NetSuiteOptions<Id extends string = string> extends OAuthOptions<Profile, Id> {
  /** TODO. */
  accountId: string;
  /** TODO. */
  userinfoUrl: string;
  /** TODO. */
  prompt?: string | undefined;
}

/**
 * Signs people in with NetSuite.
 *
 * - Register: {@link https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_157771510070.html | TODO:
 *   name of the console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/netsuite`.
 * - Environment: `AUTH_NETSUITE_ID`, `AUTH_NETSUITE_SECRET`.
 * - Scopes: `restlets`, `rest_webservices`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { netsuite } from "@x/auth/providers/netsuite";
 *
 * const { handler } = createAuth({ providers: [netsuite({ issuer: "https://id.example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_157771510070.html | TODO}
 */
export function netsuite<Id extends string = "netsuite">(options: NetSuiteOptions<Id>): OAuthProvider<Profile, Id> {
  return oauthProvider({
    id: "netsuite",
    name: "NetSuite",
    authorization: {
      url: "https://{account_id}.app.netsuite.com/app/login/oauth2/authorize.nl",
      params: { scope: "restlets rest_webservices" },
    },
    token: "https://{account_id}.suitetalk.api.netsuite.com/services/rest/auth/oauth2/v1/token",
    checks: ["state", "pkce"],
    style: { bg: "#181a1b", text: "#fbfbfb" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.name,
      email: profile.email,
      image: null,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: No profile API: userinfo_url is a RESTlet the customer deploys, e.g. https://{account_id}.restlets.api.netsuite.com/app/site/hosting/restlet.nl?script={script}&deploy={deploy}, returning the current user. Sandbox account ids use hyphen and lower case in host names.
// - options: required ['account_id', 'userinfo_url'] optional ['prompt']
// - revocation endpoint: https://{account_id}.suitetalk.api.netsuite.com/services/rest/auth/oauth2/v1/revoke
// - pkce: supported; docs https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_157771510070.html
