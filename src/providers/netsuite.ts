/**
 * Sign in with NetSuite.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at NetSuite, as the RESTlet of {@linkcode netsuite} gives it. */
export interface NetSuiteProfile extends Profile {
  /** Id of the role that the person chose. */
  role?: number | string | undefined;
  /** Name of that role. */
  roleId?: string | undefined;
  /** Id of the location of the employee. */
  location?: number | string | undefined;
  /** Id of the department of the employee. */
  department?: number | string | undefined;
  /** Id of the subsidiary. */
  subsidiary?: number | string | undefined;
}

/** Options of {@linkcode netsuite}. */
export interface NetSuiteOptions<Id extends string = string> extends OAuthOptions<NetSuiteProfile, Id> {
  /** Id of the account, such as `1234567` or, of a sandbox, `1234567_SB1`. */
  accountId: string;
  /** URL of the RESTlet that gives the profile. */
  userinfo: NonNullable<OAuthOptions<NetSuiteProfile>["userinfo"]>;
}

/**
 * Signs people in with an account of NetSuite.
 *
 * - Register: {@link https://system.netsuite.com | NetSuite}: under "Setup", "Integration", "Manage Integrations",
 *   create an integration with the authorization code grant, the scopes RESTlets and REST web services, and the
 *   redirect URI `https://<your site>/auth/callback/netsuite`.
 * - Environment: `AUTH_NETSUITE_ID`, `AUTH_NETSUITE_SECRET`.
 * - Scopes: `restlets`, `rest_webservices`.
 * - Email: what the RESTlet gives; nobody says whether it is verified.
 * - Refresh: a refresh token comes with each sign-in and lives seven days. Access tokens live an hour.
 * - Logout: no page for it.
 *
 * NetSuite has no API for the profile. Deploy a RESTlet that returns the members of `runtime.getCurrentUser()` as
 * JSON, let the roles of your people use it, and set its external URL as `userinfo`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { netsuite } from "@x/auth/providers/netsuite";
 *
 * const { handler } = createAuth({
 *   providers: [netsuite({
 *     accountId: "1234567",
 *     userinfo: "https://1234567.restlets.api.netsuite.com/app/site/hosting/restlet.nl?script=1&deploy=1",
 *   })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The account, the RESTlet, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_157771510070.html | OAuth 2.0 at NetSuite}
 */
export function netsuite<const Id extends string = "netsuite">(
  options: NetSuiteOptions<Id>,
): OAuthProvider<NetSuiteProfile, Id> {
  const { accountId }: Partial<NetSuiteOptions> = optionsFor("netsuite", options);
  // The account of a sandbox, 1234567_SB1, has the host 1234567-sb1.
  const account = accountId?.toLowerCase().replaceAll("_", "-");
  return oauthProvider({
    id: "netsuite",
    name: "NetSuite",
    requiredOptions: ["accountId", "userinfo"],
    authorization: {
      url: account && `https://${account}.app.netsuite.com/app/login/oauth2/authorize.nl`,
      params: { scope: "restlets rest_webservices" },
    },
    token: account && `https://${account}.suitetalk.api.netsuite.com/services/rest/auth/oauth2/v1/token`,
    checks: ["state", "pkce"],
    style: { bg: "#181a1b", text: "#fbfbfb" },
    profile: ({ id, name, email }) => ({ id: textId(id), name, email, image: null }),
  }, options);
}

export default netsuite;
