/**
 * Sign in with Lichess.
 *
 * @module
 */
import { type ProfileContext, readJson, readOptionalJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Lichess. */
export interface LichessProfile extends Profile {
  /** Account id: the user name in lower case. */
  id?: string | null | undefined;
  /** The user name. */
  username?: string | null | undefined;
  /** Title, such as `GM` or `BOT`. */
  title?: string | null | undefined;
  /** URL of the person's page. */
  url?: string | null | undefined;
}

/**
 * Signs people in with Lichess.
 *
 * - Register: {@link https://lichess.org/api#tag/OAuth | nothing to register}: choose any client id that nobody else
 *   uses, such as the name of your site. The redirect URI is `https://<your site>/auth/callback/lichess`.
 * - Environment: `AUTH_LICHESS_ID`.
 * - Scopes: `email:read`.
 * - Email: an address that nobody vouches for; none without the scope.
 * - Refresh: none; access tokens live about a year.
 * - Logout: no page for it.
 *
 * The client is public: there is no secret, and PKCE protects the code.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { lichess } from "@x/auth/providers/lichess";
 *
 * const { handler } = createAuth({ providers: [lichess({ clientId: "example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://lichess.org/api#tag/OAuth | OAuth 2.0 at Lichess}
 */
export function lichess<const Id extends string = "lichess">(
  options: OAuthOptions<LichessProfile, Id> = {},
): OAuthProvider<LichessProfile, Id> {
  return oauthProvider({
    id: "lichess",
    name: "Lichess",
    authorization: { url: "https://lichess.org/oauth", params: { scope: "email:read" } },
    token: "https://lichess.org/api/token",
    userinfo: { url: ACCOUNT, request: readProfile },
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "none" },
    style: {
      bg: "#000000",
      text: "#fff",
      mark:
        "m10.46 6.16a.24.24 0 0 0-.3.17c-.8 2.78 2.82 5.57 5.22 7.42.65.51 1.21.94 1.59 1.3 1.74 1.64 2.56 2.85 2.73 3.17a.24.24 0 0 0 .27.13c.05-.02 4.73-1.3 3.94-4.58a.26.26 0 0 0-.02-.06l-5.69-10.3.73-3.11a.24.24 0 0 0-.26-.3c-1.7.2-3.12.44-4.5 1.43-4.85-.33-8.72.9-11.21 3.54-2.63 2.77-3.21 6.55-2.87 9.16.76 5.65 5.19 8.63 9.08 9.53.99.23 1.97.34 2.92.34 3.34 0 6.3-1.38 7.95-3.85a.24.24 0 0 0-.38-.3c-3.41 3.53-9 4.13-13.29 1.44-4.49-2.81-6.21-8.41-3.91-12.74 2.28-4.33 6.34-6.19 11.43-5.24.05.01.11 0 .16-.03l.34-.2c.92-.54 1.96-1.15 2.87-1.27l-.69 1.99a.24.24 0 0 0 .02.2l6.08 10.19c-.19 2.03-1.71 2.51-2.23 2.61-.28-.64-.81-1.36-2.3-2.8-.43-.41-1.21-.94-2.13-1.56-2.36-1.6-5.93-4.02-5.39-5.98a.24.24 0 0 0-.16-.3z",
    },
    profile: ({ id, username, email }) => ({ id: textId(id), name: username, email, image: null }),
  }, options);
}

const ACCOUNT = "https://lichess.org/api/account";

async function readProfile(context: ProfileContext): Promise<LichessProfile> {
  const profile = await readJson<LichessProfile>(context, ACCOUNT);
  const answer = await readOptionalJson<{ readonly email?: string }>(context, `${ACCOUNT}/email`);
  return { ...profile, email: answer?.email ?? null };
}

export default lichess;
