/**
 * Sign in with a Synology NAS.
 *
 * @module
 */
import { belowIssuer } from "../contract/endpoint_url.ts";
import { textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at a Synology NAS. */
export interface SynologyProfile extends Profile {
  /** The name the person signs in with. */
  username?: string | null | undefined;
  /** Groups of the person, with the scope `groups`. */
  groups?: readonly string[] | null | undefined;
  /** The profile in the form of older versions. */
  data?: { readonly user_id?: string | number | null; readonly user_name?: string | null } | null | undefined;
}

/**
 * Signs people in with the accounts of a Synology NAS, whose package SSO Server must run.
 *
 * - Register: {@link https://kb.synology.com/en-global/DSM/help/SSOServer/sso_server_desc | SSO Server}: open the
 *   package on your NAS, switch the OIDC server on under Service, and add an application of the type OIDC. Its redirect
 *   URI is `https://<your site>/auth/callback/synology`.
 * - Environment: `AUTH_SYNOLOGY_ID`, `AUTH_SYNOLOGY_SECRET`, `AUTH_SYNOLOGY_ISSUER`.
 * - Scopes: `openid`, `email`; `groups` adds the groups of the person.
 * - Email: an address that nobody vouches for: administrators enter it.
 * - Refresh: none.
 * - Logout: no page for it.
 *
 * The issuer is required: `https://<your NAS>/webman/sso`, with the port if there is one. The id_token is stored and
 * not read.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { synology } from "@x/auth/providers/synology";
 *
 * const { handler } = createAuth({ providers: [synology({ issuer: "https://nas.example.com:5001/webman/sso" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://kb.synology.com/en-global/DSM/help/SSOServer/sso_server_desc | SSO Server of Synology}
 */
export function synology<const Id extends string = "synology">(
  options: OAuthOptions<SynologyProfile, Id> = {},
): OAuthProvider<SynologyProfile, Id> {
  const { issuer } = optionsFor("synology", options);
  return oauthProvider({
    id: "synology",
    name: "Synology",
    requiredOptions: ["issuer"],
    authorization: { url: belowIssuer(issuer, "/SSOOauth.cgi"), params: { scope: "openid email" } },
    token: belowIssuer(issuer, "/SSOAccessToken.cgi"),
    userinfo: belowIssuer(issuer, "/SSOUserInfo.cgi"),
    checks: ["state", "pkce"],
    // https://kb.synology.com/en-global/DSM/help/DSM/AdminCenter/file_user_create: administrators enter what they want.
    vouches: "no",
    style: { bg: "#B5B5B6", text: "#000" },
    profile: ({ sub, username, name, email, data }) => ({
      id: textId(sub) ?? textId(data?.user_id),
      name: username || name || data?.user_name,
      email,
      image: null,
    }),
  }, options);
}

export default synology;
