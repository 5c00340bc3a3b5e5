/**
 * Sign in with Eventbrite.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** An email address of a person at Eventbrite. */
export interface EventbriteEmail {
  /** The address. */
  readonly email?: string | null | undefined;
  /** Whether it is the main address. */
  readonly primary?: boolean | null | undefined;
  /** Whether Eventbrite has verified it. */
  readonly verified?: boolean | null | undefined;
}

/** The profile of a person at Eventbrite. */
export interface EventbriteProfile extends Profile {
  /** First name. */
  first_name?: string | null | undefined;
  /** Last name. */
  last_name?: string | null | undefined;
  /** Email addresses. The main one is repeated as `email`, and `verified` of it as `email_verified`. */
  emails?: readonly EventbriteEmail[] | null | undefined;
  /** Id of a picture. */
  image_id?: string | null | undefined;
}

/**
 * Signs people in with Eventbrite.
 *
 * - Register: {@link https://www.eventbrite.com/platform/api-keys | API Keys}: create an API key. Its OAuth redirect
 *   URI is `https://<your site>/auth/callback/eventbrite`.
 * - Environment: `AUTH_EVENTBRITE_ID` (the API key), `AUTH_EVENTBRITE_SECRET` (the client secret).
 * - Scopes: `user.profile`.
 * - Email: the primary address, with `email_verified`.
 * - Refresh: none; access tokens do not expire.
 * - Logout: no page for it.
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
 * @see {@link https://www.eventbrite.com/platform/api#/introduction/authentication | Authentication at Eventbrite}
 */
export function eventbrite<const Id extends string = "eventbrite">(
  options: OAuthOptions<EventbriteProfile, Id> = {},
): OAuthProvider<EventbriteProfile, Id> {
  return oauthProvider({
    id: "eventbrite",
    name: "Eventbrite",
    authorization: { url: "https://www.eventbrite.com/oauth/authorize", params: { scope: "user.profile" } },
    token: "https://www.eventbrite.com/oauth/token",
    userinfo: { url: USER, request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#f05537",
      text: "#000",
      mark:
        "m10.5 5.8a6.66 6.66 0 0 1 6.8 2.5l-11.7 2.7c.4-2.5 2.3-4.6 4.9-5.2m6.9 9.8c-.9 1.3-2.3 2.3-3.9 2.6-2.7.6-5.3-.5-6.8-2.6l11.7-2.6 1.9-.4 3.7-.8c0-.8-.1-1.6-.3-2.3-1.5-6.5-7.9-10.4-14.4-8.9s-10.5 7.8-9 14.1 7.9 10.3 14.4 8.8c3.8-.9 6.8-3.4 8.2-6.6.1-.1-5.5-1.3-5.5-1.3z",
    },
    profile: ({ id, name, emails, image_id }) => ({
      id: textId(id),
      name,
      email: mainOf(emails)?.email,
      image: image_id && `https://img.evbuc.com/${encodeURIComponent(pictureUrl(image_id))}`,
    }),
  }, options);
}

const USER = "https://www.eventbriteapi.com/v3/users/me/";

async function readProfile(context: ProfileContext): Promise<EventbriteProfile> {
  const profile = await readJson<EventbriteProfile>(context, USER);
  const main = mainOf(profile.emails);
  return { ...profile, email: main?.email, email_verified: main?.verified === true };
}

function mainOf(emails: EventbriteProfile["emails"]): EventbriteEmail | undefined {
  return emails?.find(({ primary }) => primary) ?? emails?.[0];
}

function pictureUrl(id: string): string {
  return `https://cdn.evbuc.com/images/${id}/1/original.jpg`;
}

export default eventbrite;
