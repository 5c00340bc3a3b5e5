/**
 * Sign in with Eventbrite.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Eventbrite. */
export interface EventbriteProfile extends Profile {
  /** TODO. */
  emails?:
    | readonly ({
      primary?: string | null | undefined;
      email?: string | null | undefined;
      verified?: string | null | undefined;
    } | null)[]
    | null
    | undefined;
}

/**
 * Signs people in with Eventbrite.
 *
 * - Register: {@link https://www.eventbrite.com/platform/api#/introduction/authentication | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/eventbrite`.
 * - Environment: `AUTH_EVENTBRITE_ID`, `AUTH_EVENTBRITE_SECRET`.
 * - Scopes: `user.profile`.
 * - Email: TODO path {"path": "$.emails[?(@.primary)].email", "fallbacks": ["$.emails[0].email"]} verified {"path":
 *   "$.emails[?(@.primary)].verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { eventbrite } from "@x/auth/providers/eventbrite";
 *
 * const { handler } = createAuth({ providers: [eventbrite()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.eventbrite.com/platform/api#/introduction/authentication | TODO}
 */
export function eventbrite<Id extends string = "eventbrite">(
  options: OAuthOptions<EventbriteProfile, Id> = {},
): OAuthProvider<EventbriteProfile, Id> {
  return oauthProvider({
    id: "eventbrite",
    name: "Eventbrite",
    authorization: { url: "https://www.eventbrite.com/oauth/authorize", params: { scope: "user.profile" } },
    token: "https://www.eventbrite.com/oauth/token",
    userinfo: { url: "https://www.eventbriteapi.com/v3/users/me/", request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#f05537", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.name,
      email: profile.emails?.find((each) => each.primary)?.email ?? profile.emails?.[0]?.email,
      image: null,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<EventbriteProfile> {
  const profile = await readJson<EventbriteProfile>(context, "https://www.eventbriteapi.com/v3/users/me/");
  return { ...profile, email_verified: Boolean(profile.emails?.find((each) => each.primary)?.verified) };
}

// TODO (remove this list when each is done or does not apply):
// - profile image: https://img.evbuc.com/https%3A%2F%2Fcdn.evbuc.com%2Fimages%2F{$.image_id}%2F1%2Foriginal.jpg
// - notes: Image only when image_id is non-null. The vendor documents no scope list.
// - pkce: unsupported; docs https://www.eventbrite.com/platform/api#/introduction/authentication
