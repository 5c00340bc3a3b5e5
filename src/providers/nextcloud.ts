/**
 * Sign in with Nextcloud.
 *
 * @module
 */
import { belowIssuer } from "../contract/endpoint_url.ts";
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Nextcloud. */
export interface NextcloudProfile extends Profile {
  /** The name to show. */
  displayname?: string | null | undefined;
  /** The name to show, as some versions spell it. */
  "display-name"?: string | null | undefined;
  /** Groups of the person. */
  groups?: readonly string[] | undefined;
  /** URL of a picture. */
  picture?: string | null | undefined;
}

/**
 * Signs people in with a Nextcloud server.
 *
 * - Register:
 *   {@link https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html | administration settings of your server}:
 *   under "Security", "OAuth 2.0 clients", add a client with the redirection URI
 *   `https://<your site>/auth/callback/nextcloud`.
 * - Environment: `AUTH_NEXTCLOUD_ID`, `AUTH_NEXTCLOUD_SECRET`, `AUTH_NEXTCLOUD_ISSUER`.
 * - Scopes: none.
 * - Email: the address in the profile, if there is one. People enter it themselves, and nobody says whether it is
 *   verified.
 * - Refresh: a refresh token comes with each sign-in. Access tokens live an hour.
 * - Logout: no page for it.
 *
 * The issuer is required: the URL of the server, such as `https://cloud.example.com`. If its pages begin with
 * `/index.php`, set `authorization` and `token` to the URLs with that path.
 *
 * An access token of Nextcloud can do whatever the person can, because there are no scopes.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { nextcloud } from "@x/auth/providers/nextcloud";
 *
 * const { handler } = createAuth({ providers: [nextcloud({ issuer: "https://cloud.example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The URL of the server, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html | OAuth 2.0 at Nextcloud}
 */
export function nextcloud<Id extends string = "nextcloud">(
  options: OAuthOptions<NextcloudProfile, Id> = {},
): OAuthProvider<NextcloudProfile, Id> {
  const { issuer } = options;
  return oauthProvider({
    id: "nextcloud",
    name: "Nextcloud",
    requiredOptions: ["issuer"],
    authorization: { url: belowIssuer(issuer, "/apps/oauth2/authorize"), params: { scope: "" } },
    token: belowIssuer(issuer, "/apps/oauth2/api/v1/token"),
    userinfo: { url: belowIssuer(issuer, "/ocs/v2.php/cloud/user"), request: readProfile },
    checks: ["state"],
    style: { bg: "#fff", text: "#0082C9" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.displayname || profile["display-name"],
      email: profile.email,
      image: profile.picture,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<NextcloudProfile> {
  const { userinfo: { url = "" }, issuer } = context.provider;
  const headers = { "OCS-APIRequest": "true" };
  const { ocs } = await readJson<{ readonly ocs?: { readonly data?: NextcloudProfile } }>(context, url, { headers });
  const id = textId(ocs?.data?.id);
  return { ...ocs?.data, ...(id && { picture: belowIssuer(issuer, `/avatar/${encodeURIComponent(id)}/512`) }) };
}
