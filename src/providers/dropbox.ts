/**
 * Sign in with Dropbox.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Dropbox. */
export interface DropboxProfile extends Profile {
  /** TODO. */
  account_id?: string | null | undefined;
  /** TODO. */
  name?:
    | {
      display_name?: string | null | undefined;
    }
    | null
    | undefined;
  /** TODO. */
  profile_photo_url?: string | null | undefined;
}

/**
 * Signs people in with Dropbox.
 *
 * - Register: {@link https://developers.dropbox.com/oauth-guide | TODO: name of the console}: TODO what to click. The
 *   redirect URI is `https://<your site>/auth/callback/dropbox`.
 * - Environment: `AUTH_DROPBOX_ID`, `AUTH_DROPBOX_SECRET`.
 * - Scopes: `account_info.read`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { dropbox } from "@x/auth/providers/dropbox";
 *
 * const { handler } = createAuth({ providers: [dropbox()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.dropbox.com/oauth-guide | TODO}
 */
export function dropbox<Id extends string = "dropbox">(
  options: OAuthOptions<DropboxProfile, Id> = {},
): OAuthProvider<DropboxProfile, Id> {
  return oauthProvider({
    id: "dropbox",
    name: "Dropbox",
    authorization: {
      url: "https://www.dropbox.com/oauth2/authorize",
      params: { scope: "account_info.read", token_access_type: "offline" },
    },
    token: "https://api.dropboxapi.com/oauth2/token",
    userinfo: { url: "https://api.dropboxapi.com/2/users/get_current_account", request: readProfile },
    checks: ["state", "pkce"],
    style: { bg: "#0061fe", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.account_id),
      name: profile.name?.display_name,
      email: profile.email,
      image: profile.profile_photo_url,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<DropboxProfile> {
  const profile = await readJson<DropboxProfile>(context, "https://api.dropboxapi.com/2/users/get_current_account");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - userinfo quirks: {"method": "POST", "body": "empty, no Content-Type"}
// - notes: token_access_type=offline is only needed for refresh tokens. Dropbox also offers OIDC (scopes openid email profile, userinfo https://api.dropboxapi.com/2/openid/userinfo).
// - revocation endpoint: https://api.dropboxapi.com/2/auth/token/revoke
// - pkce: supported; docs https://developers.dropbox.com/oauth-guide
