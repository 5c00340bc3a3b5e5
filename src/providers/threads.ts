/**
 * Sign in with Threads.
 *
 * @module
 */
import { conformJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";
import { isObject } from "../kernel/objects.ts";

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
 *   another id and secret besides, which do not work here.
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
export function threads<Id extends string = "threads">(
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
    style: { bg: "#000", text: "#fff" },
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
