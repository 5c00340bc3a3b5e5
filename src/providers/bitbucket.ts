/**
 * Sign in with Bitbucket.
 *
 * @module
 */
import { type ProfileContext, readJson, readOptionalJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

const USER = "https://api.bitbucket.org/2.0/user";

/** The profile of a person at Bitbucket. */
export interface BitbucketProfile extends Profile {
  /** Account id, the same in all products of Atlassian. */
  account_id?: string | null | undefined;
  /** Id of the account at Bitbucket, in braces. */
  uuid?: string | null | undefined;
  /** The name to show. */
  display_name?: string | null | undefined;
  /** The user name. It can change. */
  username?: string | null | undefined;
  /** URLs, by what they lead to. */
  links?: Readonly<Partial<Record<"avatar" | "html" | "self", { readonly href?: string }>>> | undefined;
}

/**
 * Signs people in with Bitbucket Cloud.
 *
 * - Register: {@link https://bitbucket.org/account/workspaces/ | Workspaces of Bitbucket}. In the settings of a
 *   workspace, add an OAuth consumer with the permissions Account: Email and Read. The callback URL is
 *   `https://<your site>/auth/callback/bitbucket`. The key is the client id.
 * - Environment: `AUTH_BITBUCKET_ID`, `AUTH_BITBUCKET_SECRET`.
 * - Scopes: `account`. It includes `email`.
 * - Email: the primary address, by a separate request. `email_verified` is given to callbacks.
 * - Refresh: a refresh token comes with each sign-in. Access tokens live two hours.
 * - Logout: no page for it.
 *
 * A token has the permissions of the consumer. Without those for the email address there is none, and the sign-in goes
 * on.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { bitbucket } from "@x/auth/providers/bitbucket";
 *
 * const { handler } = createAuth({ providers: [bitbucket()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.atlassian.com/cloud/bitbucket/oauth-2/ | OAuth 2.0 at Bitbucket}
 */
export function bitbucket<const Id extends string = "bitbucket">(
  options: OAuthOptions<BitbucketProfile, Id> = {},
): OAuthProvider<BitbucketProfile, Id> {
  return oauthProvider({
    id: "bitbucket",
    name: "Bitbucket",
    authorization: { url: "https://bitbucket.org/site/oauth2/authorize", params: { scope: "account" } },
    token: "https://bitbucket.org/site/oauth2/access_token",
    userinfo: { url: USER, request: readProfile },
    checks: ["state"],
    style: {
      bg: "#205081",
      text: "#fff",
      mark:
        "m.78 1.21a.77.77 0 0 0-.77.9l3.26 19.8c.09.5.52.87 1.03.88h15.65a.77.77 0 0 0 .77-.65l3.27-20.03a.77.77 0 0 0-.77-.89zm13.74 14.32h-5l-1.35-7.06h7.56z",
    },
    profile: ({ account_id, uuid, display_name, username, email, links }) => ({
      id: textId(account_id || uuid),
      name: display_name || username,
      email,
      image: links?.avatar?.href,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<BitbucketProfile> {
  const profile = await readJson<BitbucketProfile>(context, USER);
  const emails = await readOptionalJson<EmailsAnswer>(context, `${USER}/emails`);
  const primary = emails?.values?.find(({ is_primary }) => is_primary);
  return primary ? { ...profile, email: primary.email, email_verified: primary.is_confirmed === true } : profile;
}

interface EmailsAnswer {
  readonly values?: readonly { readonly email: string; readonly is_primary: boolean; readonly is_confirmed: boolean }[];
}

export default bitbucket;
