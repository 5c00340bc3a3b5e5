/**
 * Sign in with ClickUp.
 *
 * @module
 */
import { conformJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at ClickUp. */
export interface ClickUpProfile extends Profile {
  /** The account. */
  user?: {
    readonly id?: number | string;
    readonly username?: string | null;
    readonly email?: string | null;
    readonly profilePicture?: string | null;
    readonly color?: string | null;
    readonly initials?: string | null;
  } | undefined;
}

/**
 * Signs people in with ClickUp.
 *
 * - Register: {@link https://app.clickup.com/settings/apps | Apps in the settings of ClickUp}. Create a new app; only
 *   owners and admins of a workspace can. The redirect URL is `https://<your site>/auth/callback/click-up`.
 * - Environment: `AUTH_CLICK_UP_ID`, `AUTH_CLICK_UP_SECRET`.
 * - Scopes: none. The person chooses the workspaces that the token is for.
 * - Email: the address of the account. ClickUp does not say whether it is verified.
 * - Refresh: no refresh token. Access tokens do not expire.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { clickUp } from "@x/auth/providers/click-up";
 *
 * const { handler } = createAuth({ providers: [clickUp()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.clickup.com/docs/authentication | Authentication at ClickUp}
 */
export function clickUp<const Id extends string = "click-up">(
  options: OAuthOptions<ClickUpProfile, Id> = {},
): OAuthProvider<ClickUpProfile, Id> {
  return oauthProvider({
    id: "click-up",
    name: "ClickUp",
    authorization: { url: "https://app.clickup.com/api", params: { scope: "" } },
    token: { url: "https://api.clickup.com/api/v2/oauth/token", conform: conformJson(toStandard) },
    userinfo: "https://api.clickup.com/api/v2/user",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#24292f",
      text: "#fff",
      mark:
        "m2 18.44 3.69-2.83c1.96 2.56 4.04 3.74 6.36 3.74 2.31 0 4.33-1.17 6.21-3.7l3.74 2.75c-2.7 3.66-6.06 5.6-9.95 5.6-3.87 0-7.26-1.92-10.05-5.56zm10.04-12.29-6.57 5.66-3.03-3.52 9.62-8.29 9.54 8.3-3.05 3.5z",
    },
    profile: ({ user }) => ({
      id: textId(user?.id),
      name: user?.username,
      email: user?.email,
      image: user?.profilePicture,
    }),
  }, options);
}

// Errors of ClickUp are `{ err, ECODE }`, and the type of the token may be missing.
function toStandard({ err, ECODE, ...body }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!err) return { token_type: "bearer", ...body };
  const error = /\bcode\b/i.test(String(err)) ? "invalid_grant" : String(ECODE ?? "unknown");
  return { error, error_description: String(err) };
}

export default clickUp;
