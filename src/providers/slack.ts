/**
 * Sign in with Slack.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Slack. */
export interface SlackProfile extends Profile {
  /** Id of the person in the workspace. */
  sub: string;
  /** Full name. */
  name?: string | undefined;
  /** Email address. */
  email?: string | undefined;
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** Id of the person in the workspace: the same as `sub`. */
  "https://slack.com/user_id"?: string | null | undefined;
  /** Id of the workspace. */
  "https://slack.com/team_id"?: string | null | undefined;
  /** Name of the workspace. */
  "https://slack.com/team_name"?: string | null | undefined;
  /** Subdomain of the workspace. */
  "https://slack.com/team_domain"?: string | null | undefined;
  /** URL of a picture of 512 pixels. */
  "https://slack.com/user_image_512"?: string | null | undefined;
}

/** Options of {@linkcode slack}. */
export interface SlackOptions<Id extends string = string> extends OidcOptions<SlackProfile, Id> {
  /**
   * Id of the workspace that Slack offers first, such as `T0123456789`. People can choose another one: to admit one
   * workspace only, compare `profile["https://slack.com/team_id"]` in the `signIn` callback.
   *
   * @default none
   */
  team?: string | undefined;
}

/**
 * Signs people in with Slack.
 *
 * - Register: {@link https://api.slack.com/apps | Your Apps}: create an app from scratch. Under OAuth & Permissions,
 *   add the redirect URL `https://<your site>/auth/callback/slack`. The client id and secret are under Basic
 *   Information.
 * - Environment: `AUTH_SLACK_ID`, `AUTH_SLACK_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: an address with `email_verified`.
 * - Refresh: none, unless token rotation is switched on for the app.
 * - Logout: no page for it.
 *
 * Slack accepts https redirect URLs only, also on localhost. Accounts belong to a workspace: somebody in two of them
 * has two ids. Until the app is distributed publicly, only people of the workspace it was made in can sign in.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { slack } from "@x/auth/providers/slack";
 *
 * const { handler } = createAuth({ providers: [slack()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The workspace, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.slack.dev/authentication/sign-in-with-slack/ | Sign in with Slack}
 */
export function slack<const Id extends string = "slack">(
  options: SlackOptions<Id> = {},
): OidcProvider<SlackProfile, Id> {
  const { team, ...overrides } = optionsFor("slack", options);
  return oidcProvider({
    id: "slack",
    name: "Slack",
    issuer: "https://slack.com",
    authorization: { params: { scope: "openid profile email", team } },
    checks: ["state", "nonce"],
    style: {
      bg: "#611f69",
      text: "#fff",
      mark:
        "m5.04 15.16a2.53 2.53 0 0 1-2.52 2.53 2.53 2.53 0 0 1-2.52-2.53 2.53 2.53 0 0 1 2.52-2.52h2.52zm1.27 0a2.53 2.53 0 0 1 2.53-2.51 2.53 2.53 0 0 1 2.52 2.51v6.32a2.53 2.53 0 0 1-2.52 2.52 2.53 2.53 0 0 1-2.53-2.52zm2.53-10.12a2.53 2.53 0 0 1-2.53-2.52 2.53 2.53 0 0 1 2.53-2.52 2.53 2.53 0 0 1 2.52 2.52v2.52zm0 1.27a2.53 2.53 0 0 1 2.52 2.53 2.52 2.52 0 0 1-2.52 2.52h-6.32a2.53 2.53 0 0 1-2.52-2.52 2.53 2.53 0 0 1 2.52-2.53zm10.12 2.53a2.53 2.53 0 0 1 2.52-2.53 2.53 2.53 0 0 1 2.52 2.53 2.53 2.53 0 0 1-2.52 2.52h-2.52zm-1.27 0a2.53 2.53 0 0 1-2.53 2.52 2.53 2.53 0 0 1-2.51-2.52v-6.32a2.53 2.53 0 0 1 2.51-2.52 2.53 2.53 0 0 1 2.53 2.52zm-2.53 10.12c1.4 0 2.52 1.13 2.53 2.52a2.53 2.53 0 0 1-2.53 2.52 2.53 2.53 0 0 1-2.52-2.52v-2.52zm0-1.27a2.53 2.53 0 0 1-2.51-2.53 2.52 2.52 0 0 1 2.51-2.51h6.32a2.53 2.53 0 0 1 2.52 2.51 2.53 2.53 0 0 1-2.52 2.53z",
    },
    profile: ({ sub, name, email, picture, "https://slack.com/user_image_512": large }) => ({
      id: textId(sub),
      name,
      email,
      image: picture ?? large,
    }),
  }, overrides);
}

export default slack;
