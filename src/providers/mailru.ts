/**
 * Sign in with Mail.ru.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
export function mailru<const Id extends string = "mailru">(
  options: OAuthOptions<MailruProfile, Id> = {},
): OAuthProvider<MailruProfile, Id> {
  return oauthProvider({
    id: "mailru",
    name: "Mail.ru",
    authorization: { url: "https://oauth.mail.ru/login", params: { scope: "userinfo" } },
    token: "https://oauth.mail.ru/token",
    userinfo: { url: USERINFO, request: readProfile },
    checks: ["state"],
    style: {
      bg: "#005FF9",
      text: "#fff",
      mark:
        "m15.61 12c0 1.99-1.62 3.61-3.61 3.61-1.99 0-3.61-1.62-3.61-3.61 0-1.99 1.62-3.61 3.61-3.61 1.99 0 3.61 1.62 3.61 3.61m-3.61-12c-6.62 0-12 5.38-12 12s5.38 12 12 12c2.42 0 4.76-.72 6.76-2.09l.03-.02-1.61-1.88-.03.02a9.49 9.49 0 0 1-5.15 1.51c-5.26 0-9.54-4.28-9.54-9.54 0-5.26 4.28-9.54 9.54-9.54 5.26 0 9.54 4.28 9.54 9.54a9.63 9.63 0 0 1-.23 2.05c-.3 1.24-1.16 1.62-1.82 1.57-.65-.06-1.42-.52-1.42-1.66v-1.96a6.08 6.08 0 0 0-6.07-6.07 6.08 6.08 0 0 0-6.07 6.07 6.08 6.08 0 0 0 6.07 6.07 6.02 6.02 0 0 0 4.3-1.79 3.9 3.9 0 0 0 3.32 1.8c.87 0 1.74-.29 2.44-.82.72-.55 1.25-1.33 1.55-2.28.05-.16.14-.51.14-.51l0-.01c.17-.76.25-1.52.25-2.46 0-6.62-5.38-12-12-12",
    },
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

export default mailru;
