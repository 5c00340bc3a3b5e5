/**
 * Sign in with Eventbrite.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

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
    style: { bg: "#f05537", text: "#000" },
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
