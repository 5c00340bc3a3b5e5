/**
 * Sign in with Nextcloud.
 *
 * @module
 */
import { belowIssuer } from "../contract/endpoint_url.ts";
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
 * An access token of Nextcloud can do everything that the person can, because there are no scopes.
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
export function nextcloud<const Id extends string = "nextcloud">(
  options: OAuthOptions<NextcloudProfile, Id> = {},
): OAuthProvider<NextcloudProfile, Id> {
  const { issuer } = optionsFor("nextcloud", options);
  return oauthProvider({
    id: "nextcloud",
    name: "Nextcloud",
    requiredOptions: ["issuer"],
    authorization: { url: belowIssuer(issuer, "/apps/oauth2/authorize"), params: { scope: "" } },
    token: belowIssuer(issuer, "/apps/oauth2/api/v1/token"),
    userinfo: { url: belowIssuer(issuer, "/ocs/v2.php/cloud/user"), request: readProfile },
    checks: ["state"],
    // https://docs.nextcloud.com/server/latest/user_manual/en/userpreferences.html: people enter what they want.
    vouches: "no",
    style: {
      bg: "#fff",
      text: "#000",
      mark:
        "m12.02 6.54c-2.5 0-4.6 1.71-5.24 4.01-.56-1.23-1.8-2.1-3.23-2.1a3.57 3.57 0 0 0-3.55 3.55 3.57 3.57 0 0 0 3.55 3.55c1.43 0 2.67-.87 3.23-2.1.64 2.3 2.74 4.01 5.24 4.01 2.49 0 4.57-1.69 5.23-3.97.57 1.21 1.78 2.06 3.2 2.06a3.57 3.57 0 0 0 3.55-3.55 3.57 3.57 0 0 0-3.55-3.55c-1.42 0-2.63.86-3.2 2.06-.66-2.28-2.75-3.97-5.23-3.97zm0 2.08c1.88 0 3.38 1.5 3.38 3.38 0 1.88-1.5 3.38-3.38 3.38a3.36 3.36 0 0 1-3.38-3.38c0-1.88 1.5-3.38 3.38-3.38zm-8.47 1.91c.82 0 1.47.65 1.47 1.47s-.64 1.47-1.47 1.47a1.45 1.45 0 0 1-1.46-1.47c0-.82.64-1.47 1.46-1.47zm16.9 0c.82 0 1.47.65 1.47 1.47s-.65 1.47-1.47 1.47a1.45 1.45 0 0 1-1.47-1.47c0-.82.64-1.47 1.47-1.47z",
    },
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

export default nextcloud;
