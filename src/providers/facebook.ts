/**
 * Sign in with Facebook.
 *
 * @module
 */
import { conformJson, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";
import { isObject } from "../kernel/objects.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Facebook. */
export interface FacebookProfile extends Profile {
  /** Account id. Each app gets another one for the same person. */
  id: string;
  /** The name to show. */
  name?: string | null | undefined;
  /** Email address. People with a telephone number only have none. */
  email?: string | null | undefined;
  /** The picture. */
  picture?:
    | {
      readonly data?:
        | {
          /** URL of the picture. It expires. */
          readonly url?: string | null | undefined;
          /** Whether it is the grey one of people without a picture. */
          readonly is_silhouette?: boolean | undefined;
        }
        | null
        | undefined;
    }
    | null
    | undefined;
}

/** Options of {@linkcode facebook}. */
export interface FacebookOptions<Id extends string = string> extends OAuthOptions<FacebookProfile, Id> {
  /** Id of a configuration of Facebook Login for Business, which names the permissions. @default none */
  configId?: string | undefined;
  /** The fields of the profile. @default {["id", "name", "email", "picture"]} */
  fields?: readonly string[] | undefined;
  /** Version of the Graph API. @default {"v24.0"} */
  graphApiVersion?: string | undefined;
}

/**
 * Signs people in with Facebook.
 *
 * - Register: {@link https://developers.facebook.com/apps | Meta for Developers}: create an app and add Facebook Login
 *   to it. In its settings, the valid OAuth redirect URI is `https://<your site>/auth/callback/facebook`.
 * - Environment: `AUTH_FACEBOOK_ID` (the app id), `AUTH_FACEBOOK_SECRET` (the app secret).
 * - Scopes: `email`, `public_profile`.
 * - Email: an address that nobody vouches for; none if the account has no address or the person does not share it.
 * - Refresh: none; access tokens live about 60 days.
 * - Logout: no page for it.
 *
 * While the app is in development mode, only people with a role in it can sign in, and `http://localhost` works without
 * being registered. Redirect URIs of a live app must be https.
 *
 * A version of the Graph API works for about two years. Calls to an older one are answered by the oldest that is left.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { facebook } from "@x/auth/providers/facebook";
 *
 * const { handler } = createAuth({ providers: [facebook()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The version, the fields, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow | Facebook Login without an SDK}
 */
export function facebook<const Id extends string = "facebook">(
  options: FacebookOptions<Id> = {},
): OAuthProvider<FacebookProfile, Id> {
  const { configId, fields = FIELDS, graphApiVersion = "v24.0", ...overrides } = optionsFor("facebook", options);
  const graph = `https://graph.facebook.com/${graphApiVersion}`;
  return oauthProvider({
    id: "facebook",
    name: "Facebook",
    authorization: {
      url: `https://www.facebook.com/${graphApiVersion}/dialog/oauth`,
      params: { scope: "email public_profile", ...(configId && { config_id: configId }) },
      scopeSeparator: ",",
    },
    token: { url: `${graph}/oauth/access_token`, conform: conformJson(withError) },
    userinfo: `${graph}/me?fields=${fields.join(",")}`,
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#006aff",
      text: "#fff",
      mark:
        "m9.1 23.69v-7.98h-2.47v-3.67h2.47v-1.58c0-4.08 1.85-5.97 5.86-5.97.4 0 .95.04 1.47.1a8.68 8.68 0 0 1 1.14.19v3.33a8.62 8.62 0 0 0-.66-.04 26.8 26.8 0 0 0-.73-.01c-.71 0-1.26.1-1.67.31a1.69 1.69 0 0 0-.68.62c-.26.42-.38 1-.38 1.76v1.29h3.92l-.38 2.11-.29 1.56h-3.25v8.25c5.95-.72 10.55-5.78 10.55-11.92 0-6.62-5.37-12-12-12s-12 5.38-12 12c0 5.63 3.87 10.35 9.1 11.65z",
    },
    profile: ({ id, name, email, picture }) => ({ id: textId(id), name, email, image: picture?.data?.url }),
  }, overrides);
}

const FIELDS: readonly string[] = ["id", "name", "email", "picture"];

/** The `error_subcode` of a code that has expired, and of one that was used. */
const SPENT: readonly unknown[] = [36007, 36009];

// Errors of the Graph API are objects.
function withError(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { error } = body;
  if (!isObject(error)) return body;
  return {
    error: SPENT.includes(error.error_subcode) ? "invalid_grant" : "invalid_request",
    error_description: error.message,
  };
}

export default facebook;
