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
  /** First name. */
  first_name?: string | null | undefined;
  /** Last name. */
  last_name?: string | null | undefined;
  /** URL of a picture. */
  image?: string | null | undefined;
  /** Date of birth, `DD.MM.YYYY`. */
  birthday?: string | null | undefined;
}

/**
 * Signs people in with Mail.ru.
 *
 * - Register: {@link https://o2.mail.ru/app/ | applications at Mail.ru}: create an application and enter the redirect
 *   URI `https://<your site>/auth/callback/mailru`.
 * - Environment: `AUTH_MAILRU_ID`, `AUTH_MAILRU_SECRET`.
 * - Scopes: `userinfo`.
 * - Email: the mailbox of the account; Mail.ru has no member that says whether it is verified.
 * - Refresh: a refresh token comes with each sign-in. Access tokens live an hour.
 * - Logout: no page for it.
 *
 * Since July 2025 Mail.ru accepts new applications for its other APIs only, and asks new sites to sign people in
 * through VK ID. Older applications keep working.
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
 * @see {@link https://o2.mail.ru/docs | OAuth 2.0 at Mail.ru}
 */
export function mailru<Id extends string = "mailru">(
  options: OAuthOptions<MailruProfile, Id> = {},
): OAuthProvider<MailruProfile, Id> {
  return oauthProvider({
    id: "mailru",
    name: "Mail.ru",
    authorization: { url: "https://oauth.mail.ru/login", params: { scope: "userinfo" } },
    token: "https://oauth.mail.ru/token",
    userinfo: { url: USERINFO, request: readProfile },
    checks: ["state"],
    style: { bg: "#005FF9", text: "#fff" },
    profile: ({ id, name, nickname, email, image }) => ({
      id: textId(id),
      name: name || nickname,
      email,
      image,
    }),
  }, options);
}

const USERINFO = "https://oauth.mail.ru/userinfo";

async function readProfile(context: ProfileContext): Promise<MailruProfile> {
  const { access_token = "" } = context.tokens;
  return await readJson<MailruProfile>(context, USERINFO, { scheme: null, query: { access_token } });
}
