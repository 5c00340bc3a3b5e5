/**
 * Sign in with Bungie.
 *
 * @module
 */
import { type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

const ORIGIN = "https://www.bungie.net";
const USER = `${ORIGIN}/Platform/User/GetMembershipsForCurrentUser/`;

/** The profile of a person at Bungie. */
export interface BungieProfile extends Profile {
  /** The account, and the accounts in games that belong to it. */
  Response?: {
    readonly bungieNetUser?: BungieNetUser | null;
    readonly destinyMemberships?: readonly Readonly<Record<string, unknown>>[];
    readonly primaryMembershipId?: string;
  } | undefined;
  /** 1 for success. */
  ErrorCode?: number | undefined;
  /** The name of the error code, such as `Success`. */
  ErrorStatus?: string | undefined;
}

/** An account at Bungie.net. */
export interface BungieNetUser {
  /** Account id: a number as text. */
  readonly membershipId?: string | undefined;
  /** The name to show. */
  readonly displayName?: string | null | undefined;
  /** The name with its number, such as `Ada#1815`. */
  readonly uniqueName?: string | null | undefined;
  /** Path of a picture. */
  readonly profilePicturePath?: string | null | undefined;
}

/** Options of {@linkcode bungie}. */
export interface BungieOptions<Id extends string = string> extends OAuthOptions<BungieProfile, Id> {
  /** The API key of the app. Required: Bungie answers no request without it. */
  apiKey?: string | undefined;
}

/**
 * Signs people in with Bungie.net, the accounts of Destiny.
 *
 * - Register: {@link https://www.bungie.net/en/Application | Applications at Bungie}. Create an app with the OAuth
 *   client type Confidential, and copy its API key, too. The redirect URL is
 *   `https://<your site>/auth/callback/bungie`. An app has one, and it must be https.
 * - Environment: `AUTH_BUNGIE_ID`, `AUTH_BUNGIE_SECRET`. `AUTH_BUNGIE_KEY`, the API key, is read if you give the
 *   factory itself: `providers: [bungie]`.
 * - Scopes: none. Tokens have the scopes of the app.
 * - Email: Bungie gives no address.
 * - Refresh: a refresh token comes with each sign-in and is valid for 90 days. Access tokens live one hour.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { bungie } from "@x/auth/providers/bungie";
 *
 * const { handler } = createAuth({ providers: [bungie({ apiKey: "0a1b2c3d4e5f" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The API key, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://github.com/Bungie-net/api/wiki/OAuth-Documentation | OAuth at Bungie}
 */
export function bungie<const Id extends string = "bungie">(
  options: BungieOptions<Id> = {},
): OAuthProvider<BungieProfile, Id> {
  const { apiKey } = optionsFor("bungie", options);
  return oauthProvider({
    id: "bungie",
    name: "Bungie",
    authorization: { url: "https://www.bungie.net/en/OAuth/Authorize", params: { scope: "", reauth: "true" } },
    token: "https://www.bungie.net/platform/app/oauth/token/",
    userinfo: { url: USER, request: (context) => readProfile(context, apiKey) },
    checks: ["state"],
    requiredOptions: ["apiKey"],
    style: { bg: "#0075BB", text: "#fff" },
    profile: ({ Response: { bungieNetUser: user } = {} }) => ({
      id: textId(user?.membershipId),
      name: user?.displayName || user?.uniqueName,
      email: null,
      image: user?.profilePicturePath ? ORIGIN + user.profilePicturePath.replace(/^\/?/, "/") : null,
    }),
  }, options);
}

async function readProfile(context: ProfileContext, apiKey = ""): Promise<BungieProfile> {
  const profile = await readJson<BungieProfile>(context, USER, { headers: { "x-api-key": apiKey } });
  if (profile.ErrorCode === 1) return profile;
  throw profileError(context, `answered with ${profile.ErrorStatus ?? "an error"}`);
}

export default bungie;
