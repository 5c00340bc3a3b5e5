/**
 * Sign in with Bungie.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Bungie. */
export interface BungieProfile extends Profile {
  /** TODO. */
  Response?:
    | {
      bungieNetUser?:
        | {
          membershipId?: string | null | undefined;
          displayName?: string | null | undefined;
          uniqueName?: string | null | undefined;
        }
        | null
        | undefined;
    }
    | null
    | undefined;
}

/** Options of {@linkcode bungie}. */
export interface BungieOptions<Id extends string = string> extends OAuthOptions<BungieProfile, Id> {
  /** TODO. */
  apiKey: string;
}

/**
 * Signs people in with Bungie.
 *
 * - Register: {@link https://github.com/Bungie-net/api/wiki/OAuth-Documentation | TODO: name of the console}: TODO
 *   what to click. The redirect URI is `https://<your site>/auth/callback/bungie`.
 * - Environment: `AUTH_BUNGIE_ID`, `AUTH_BUNGIE_SECRET`.
 * - Scopes: none.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { bungie } from "@x/auth/providers/bungie";
 *
 * const { handler } = createAuth({ providers: [bungie({ issuer: "https://id.example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://github.com/Bungie-net/api/wiki/OAuth-Documentation | TODO}
 */
export function bungie<Id extends string = "bungie">(options: BungieOptions<Id>): OAuthProvider<BungieProfile, Id> {
  return oauthProvider({
    id: "bungie",
    name: "Bungie",
    authorization: { url: "https://www.bungie.net/en/OAuth/Authorize", params: { reauth: "true" } },
    token: "https://www.bungie.net/platform/app/oauth/token/",
    userinfo: { url: "https://www.bungie.net/Platform/User/GetMembershipsForCurrentUser/", request: readProfile },
    checks: ["state"],
    style: { bg: "#0075BB", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.Response?.bungieNetUser?.membershipId),
      name: profile.Response?.bungieNetUser?.displayName ?? profile.Response?.bungieNetUser?.uniqueName,
      email: null,
      image: null,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<BungieProfile> {
  const profile = await readJson<BungieProfile>(
    context,
    "https://www.bungie.net/Platform/User/GetMembershipsForCurrentUser/",
  );
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - profile image: https://www.bungie.net{$.Response.bungieNetUser.profilePicturePath}
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - token quirk: membership_id in the token response is the Bungie.net user id
// - userinfo quirks: {"headers": {"X-API-Key": "{api_key}"}}
// - notes: Scopes are set on the app. Every Platform call needs X-API-Key. Auth.js ships the URL with a literal {membershipId} that users must override; arctic documents GetCurrentBungieNetUser. redirect URI must be https and is fixed per app.
// - options: required ['api_key'] optional []
// - pkce: unsupported; docs https://github.com/Bungie-net/api/wiki/OAuth-Documentation
