/**
 * Sign in with Lichess.
 *
 * @module
 */
import { type ProfileContext, readJson, readOptionalJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

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
export function lichess<Id extends string = "lichess">(
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
    style: { bg: "#000000", text: "#fff" },
    profile: ({ id, username, email }) => ({ id: textId(id), name: username, email, image: null }),
  }, options);
}

const ACCOUNT = "https://lichess.org/api/account";

async function readProfile(context: ProfileContext): Promise<LichessProfile> {
  const profile = await readJson<LichessProfile>(context, ACCOUNT);
  const answer = await readOptionalJson<{ readonly email?: string }>(context, `${ACCOUNT}/email`);
  return { ...profile, email: answer?.email ?? null };
}
