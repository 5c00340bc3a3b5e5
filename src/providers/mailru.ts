/**
 * Sign in with Mail.ru.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Mail.ru. */
export interface MailruProfile extends Profile {
  /** TODO. */
  image?: string | null | undefined;
}

/**
 * Signs people in with Mail.ru.
 *
 * - Register: {@link https://o2.mail.ru/docs | TODO: name of the console}: TODO what to click. The redirect URI is
 *   `https://<your site>/auth/callback/mailru`.
 * - Environment: `AUTH_MAILRU_ID`, `AUTH_MAILRU_SECRET`.
 * - Scopes: `userinfo`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { mailru } from "@x/auth/providers/mailru";
 *
 * const { handler } = createAuth({ providers: [mailru()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://o2.mail.ru/docs | TODO}
 */
export function mailru<Id extends string = "mailru">(
  options: OAuthOptions<MailruProfile, Id> = {},
): OAuthProvider<MailruProfile, Id> {
  return oauthProvider({
    id: "mailru",
    name: "Mail.ru",
    authorization: { url: "https://oauth.mail.ru/login", params: { scope: "userinfo" } },
    token: "https://oauth.mail.ru/token",
    userinfo: { url: "https://oauth.mail.ru/userinfo", request: readProfile },
    checks: ["state"],
    style: { bg: "#005FF9", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id ?? profile.email),
      name: profile.name ?? profile.nickname,
      email: profile.email,
      image: profile.image,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<MailruProfile> {
  const profile = await readJson<MailruProfile>(context, "https://oauth.mail.ru/userinfo");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - userinfo quirks: {"token_in": "query", "token_param": "access_token"}
// - notes: userinfo takes the token as query parameter access_token (Socialite, goth). Auth.js sends a Bearer header and its default profile looks for picture, while the API field is image. state is mandatory for the authorization request.
// - pkce: undocumented; docs https://o2.mail.ru/docs
