/**
 * Sign in with Dropbox.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

const ACCOUNT = "https://api.dropboxapi.com/2/users/get_current_account";

/** The profile of a person at Dropbox. */
export interface DropboxProfile extends Profile {
  /** Account id: `dbid:` and 35 characters. */
  account_id?: string | null | undefined;
  /** URL of a picture. */
  profile_photo_url?: string | null | undefined;
  /** Country code, such as `GB`. */
  country?: string | null | undefined;
  /** Whether the account is blocked. */
  disabled?: boolean | undefined;
  /** Id of the person in their team, if they have one. */
  team_member_id?: string | undefined;
}

/**
 * Signs people in with Dropbox.
 *
 * - Register: {@link https://www.dropbox.com/developers/apps | App Console of Dropbox}. Create an app with scoped
 *   access and the permission `account_info.read`. The redirect URI is `https://<your site>/auth/callback/dropbox`.
 *   Until Dropbox approves the app, only a few people can sign in.
 * - Environment: `AUTH_DROPBOX_ID` (the app key), `AUTH_DROPBOX_SECRET`.
 * - Scopes: `account_info.read`.
 * - Email: the address of the account. `email_verified` is given to callbacks.
 * - Refresh: a refresh token comes with each sign-in, because of the parameter `token_access_type=offline`. Access
 *   tokens live four hours.
 * - Logout: no page for it.
 *
 * Dropbox has the parts of the name in one object. In the profile they are `name`, `given_name` and `family_name`.
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
 * @see {@link https://developers.dropbox.com/oauth-guide | OAuth 2.0 at Dropbox}
 */
export function dropbox<const Id extends string = "dropbox">(
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
    userinfo: { url: ACCOUNT, request: readProfile },
    checks: ["state", "pkce"],
    style: {
      bg: "#0061fe",
      text: "#fff",
      mark:
        "m6 1.81-6 3.82 6 3.82 6-3.82-6-3.82zm12 0-6 3.82 6 3.82 6-3.82-6-3.82zm-18 11.46 6 3.83 6-3.83-6-3.82-6 3.82zm18-3.82-6 3.82 6 3.83 6-3.83-6-3.82zm-12 8.92 6 3.82 6-3.82-6-3.82-6 3.82z",
    },
    profile: ({ account_id, name, email, profile_photo_url }) => ({
      id: textId(account_id),
      name,
      email,
      image: profile_photo_url,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<DropboxProfile> {
  // Dropbox refuses a body, and a type of one.
  const { name, ...account } = await readJson<AccountAnswer>(context, ACCOUNT, { method: "POST" });
  return { ...account, name: name?.display_name, given_name: name?.given_name, family_name: name?.surname };
}

interface AccountAnswer extends Omit<DropboxProfile, "name"> {
  readonly name?: Readonly<Partial<Record<"display_name" | "given_name" | "surname", string | null>>> | null;
}

export default dropbox;
