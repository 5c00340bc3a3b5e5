/**
 * Sign in with Threads.
 *
 * @module
 */
import { conformJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";
import { isObject } from "../kernel/objects.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Threads. */
export interface ThreadsProfile extends Profile {
  /** Account id. Each app gets another one for the same person. */
  id?: string | null | undefined;
  /** The user name. It can change. */
  username?: string | null | undefined;
  /** URL of a picture. It expires. */
  threads_profile_picture_url?: string | null | undefined;
}

/**
 * Signs people in with Threads.
 *
 * - Register: {@link https://developers.facebook.com/apps | Meta for Developers}: create an app with the use case
 *   "Access the Threads API". In its settings, add the redirect callback URL
 *   `https://<your site>/auth/callback/threads`.
 * - Environment: `AUTH_THREADS_ID` (the Threads app id), `AUTH_THREADS_SECRET` (the Threads app secret). The app has
 *   another id and secret, which do not work here.
 * - Scopes: `threads_basic`.
 * - Email: none.
 * - Refresh: none; access tokens live an hour.
 * - Logout: no page for it.
 *
 * Redirect URLs must be https, also while you develop. Until Meta has reviewed the app, only people whom you add to it
 * as Threads testers can sign in.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { threads } from "@x/auth/providers/threads";
 *
 * const { handler } = createAuth({ providers: [threads()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.facebook.com/docs/threads/get-started/get-access-tokens-and-permissions | Access tokens at Threads}
 */
export function threads<const Id extends string = "threads">(
  options: OAuthOptions<ThreadsProfile, Id> = {},
): OAuthProvider<ThreadsProfile, Id> {
  return oauthProvider({
    id: "threads",
    name: "Threads",
    authorization: {
      url: "https://threads.net/oauth/authorize",
      params: { scope: "threads_basic" },
      scopeSeparator: ",",
    },
    token: { url: "https://graph.threads.net/oauth/access_token", conform: conformJson(withTypeOrError) },
    userinfo: "https://graph.threads.net/v1.0/me?fields=id,username,name,threads_profile_picture_url",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#000",
      text: "#fff",
      mark:
        "m18.26 11.1c-.03-3.49-1.92-5.59-5.11-5.59-2.13 0-3.92.96-4.86 2.5l2.06 1.44c.54-.84 1.27-1.54 2.63-1.54 1.53 0 2.32.85 2.54 2.43a15 15 0 0 0-2.23-.18c-4.13 0-6.07 1.87-6.07 4.34s1.94 3.99 4.8 3.99c3.14 0 5.02-2.12 5.78-4.74.8.37 1.35 1.21 1.35 2.47 0 3.39-3.91 5.24-7.22 5.24-4.88 0-8.08-3.21-8.08-8.43 0-6.39 4.23-10.49 9.9-10.49 3.81 0 5.69 1.68 6.97 3.92l2.11-1.48c-1.39-2.9-4.5-4.98-9.17-4.98-7.43 0-12.49 5.28-12.49 12.93 0 7 4.95 11.07 10.85 11.07 4.88 0 9.81-2.85 9.81-7.72 0-2.54-1.46-4.23-3.57-5.18m-6.33 4.85c-1.07 0-2.02-.51-2.02-1.45 0-1.48 1.82-1.94 3.6-1.94.68 0 1.34.05 1.93.18-.42 1.92-1.67 3.21-3.51 3.21z",
    },
    profile: ({ id, username, name, threads_profile_picture_url }) => ({
      id: textId(id),
      name: username || name,
      email: null,
      image: threads_profile_picture_url,
    }),
  }, options);
}

// Errors have two shapes, and neither is that of OAuth.
function withTypeOrError(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const message = isObject(body.error) ? body.error.message : body.error_message;
  if (message === undefined) return { token_type: "bearer", ...body };
  return {
    error: /\bcode\b/i.test(String(message)) ? "invalid_grant" : "invalid_request",
    error_description: message,
  };
}

export default threads;
