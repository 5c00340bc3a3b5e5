/**
 * Sign in with Etsy.
 *
 * @module
 */
import { joinName, type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Etsy. */
export interface EtsyProfile extends Profile {
  /** Account id. */
  user_id?: number | string | null | undefined;
  /** First name. */
  first_name?: string | null | undefined;
  /** Last name. */
  last_name?: string | null | undefined;
  /** Email address. */
  primary_email?: string | null | undefined;
  /** URL of a picture, 75 by 75 pixels. */
  image_url_75x75?: string | null | undefined;
}

/**
 * Signs people in with Etsy.
 *
 * - Register: {@link https://www.etsy.com/developers/your-apps | Your Apps}: create an app and wait until Etsy has
 *   approved it. Then edit its callback URLs: `https://<your site>/auth/callback/etsy`.
 * - Environment: `AUTH_ETSY_ID` (the keystring), `AUTH_ETSY_SECRET` (the shared secret).
 * - Scopes: `email_r`, `profile_r`.
 * - Email: an address that nobody vouches for.
 * - Refresh: a refresh token comes with each sign-in and lives 90 days, the access token one hour.
 * - Logout: no page for it.
 *
 * The callback URL must be https, also while you develop.
 *
 * The client is public: no secret goes to the token endpoint. The shared secret is sent where the profile is read, in
 * the header `x-api-key`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { etsy } from "@x/auth/providers/etsy";
 *
 * const { handler } = createAuth({ providers: [etsy()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.etsy.com/documentation/essentials/authentication/ | Authentication at Etsy}
 */
export function etsy<const Id extends string = "etsy">(
  options: OAuthOptions<EtsyProfile, Id> = {},
): OAuthProvider<EtsyProfile, Id> {
  return oauthProvider({
    id: "etsy",
    name: "Etsy",
    authorization: { url: "https://www.etsy.com/oauth/connect", params: { scope: "email_r profile_r" } },
    token: "https://api.etsy.com/v3/public/oauth/token",
    userinfo: { request: readProfile },
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "none" },
    style: {
      bg: "#F16521",
      text: "#000",
      mark:
        "m8.56 2.44c0-.32.03-.52.59-.52h7.46c1.3 0 2.02 1.12 2.54 3.2l.42 1.66h1.27c.23-4.72.43-6.78.43-6.78s-3.19.36-5.09.36h-9.54l-5.12-.16v1.37l1.73.32c1.21.24 1.5.5 1.6 1.61 0 0 .11 3.27.11 8.64 0 5.38-.09 8.61-.09 8.61 0 .97-.39 1.33-1.59 1.57l-1.73.33v1.35l5.13-.16h8.55c1.94 0 6.39.16 6.39.16.11-1.17.75-6.48.86-7.06h-1.2l-1.28 2.91c-1.01 2.28-2.48 2.44-4.11 2.44h-4.91c-1.63 0-2.42-.64-2.42-2.05v-7.44s3.62 0 4.79.1c.92.06 1.47.32 1.76 1.59l.39 1.7h1.41l-.09-4.28.2-4.3h-1.39l-.45 1.89c-.29 1.24-.48 1.47-1.76 1.6-1.66.17-4.81.14-4.81.14v-8.79h-.05z",
    },
    profile: ({ user_id, first_name, last_name, primary_email, image_url_75x75 }) => ({
      id: textId(user_id),
      name: joinName(first_name, last_name),
      email: primary_email,
      image: image_url_75x75,
    }),
  }, options);
}

const USERS = "https://openapi.etsy.com/v3/application/users";

async function readProfile(context: ProfileContext): Promise<EtsyProfile> {
  const { clientId, clientSecret } = context.provider;
  const headers = { "x-api-key": clientSecret ? `${clientId}:${clientSecret}` : clientId };
  // Says who signed in, and nothing more about them.
  const { user_id } = await readJson<EtsyProfile>(context, `${USERS}/me`, { headers });
  if (!/^\d+$/.test(String(user_id))) throw profileError(context, "answered without a user_id");
  return await readJson<EtsyProfile>(context, `${USERS}/${user_id}`, { headers });
}

export default etsy;
