/**
 * Sign in with Slack.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Slack. */
export interface SlackProfile extends Profile {
  /** TODO. */
  "https://slack.com/user_image_512"?: string | null | undefined;
}

/** Options of {@linkcode slack}. */
export interface SlackOptions<Id extends string = string> extends OidcOptions<SlackProfile, Id> {
  /** TODO. */
  team?: string | undefined;
}

/**
 * Signs people in with Slack.
 *
 * - Register: {@link https://docs.slack.dev/authentication/sign-in-with-slack/ | TODO: name of the console}: TODO
 *   what to click. The redirect URI is `https://<your site>/auth/callback/slack`.
 * - Environment: `AUTH_SLACK_ID`, `AUTH_SLACK_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.slack.dev/authentication/sign-in-with-slack/ | TODO}
 */
export function slack<Id extends string = "slack">(options: SlackOptions<Id> = {}): OidcProvider<SlackProfile, Id> {
  return oidcProvider({
    id: "slack",
    name: "Slack",
    issuer: "https://slack.com",
    checks: ["state", "nonce"],
    style: { bg: "#611f69", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.name,
      email: profile.email,
      image: profile.picture ?? profile["https://slack.com/user_image_512"],
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - token quirk: errors arrive with HTTP 200 and {"ok":false,"error":...}
// - notes: sub equals the claim https://slack.com/user_id (workspace-scoped user id). PKCE is accepted by openid.connect.token but not advertised. redirect URI must be https.
// - options: required [] optional ['team']
// - pkce: supported; docs https://docs.slack.dev/authentication/sign-in-with-slack/
