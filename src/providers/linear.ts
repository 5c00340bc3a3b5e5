/**
 * Sign in with Linear.
 *
 * @module
 */
import { type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** A person at Linear. */
export interface LinearViewer {
  /** Account id. */
  readonly id?: string | null | undefined;
  /** Full name. */
  readonly name?: string | null | undefined;
  /** Nickname. */
  readonly displayName?: string | null | undefined;
  /** Email address. */
  readonly email?: string | null | undefined;
  /** URL of a picture. */
  readonly avatarUrl?: string | null | undefined;
}

/** The profile of a person at Linear. */
export interface LinearProfile extends Profile {
  /** What was asked for. */
  data?: { readonly viewer?: LinearViewer | null | undefined } | null | undefined;
}

/**
 * Signs people in with Linear.
 *
 * - Register: {@link https://linear.app/settings/api/applications/new | Settings, API}: create an OAuth
 *   application, and make it public if people of other workspaces sign in. Its callback URL is
 *   `https://<your site>/auth/callback/linear`.
 * - Environment: `AUTH_LINEAR_ID`, `AUTH_LINEAR_SECRET`.
 * - Scopes: `read`, which each request must have.
 * - Email: an address that nobody vouches for.
 * - Refresh: a refresh token comes with each sign-in; access tokens live 24 hours.
 * - Logout: no page for it.
 *
 * The account belongs to a workspace: in each one, the same person has another id.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { linear } from "@x/auth/providers/linear";
 *
 * const { handler } = createAuth({ providers: [linear()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://linear.app/developers/oauth-2-0-authentication | OAuth 2.0 at Linear}
 */
export function linear<const Id extends string = "linear">(
  options: OAuthOptions<LinearProfile, Id> = {},
): OAuthProvider<LinearProfile, Id> {
  return oauthProvider({
    id: "linear",
    name: "Linear",
    authorization: { url: "https://linear.app/oauth/authorize", params: { scope: "read" }, scopeSeparator: "," },
    token: "https://api.linear.app/oauth/token",
    userinfo: { url: API, request: readProfile },
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#5E6AD2",
      text: "#fff",
      mark:
        "m2.89 4.18a11.98 11.98 0 0 1 9.1-4.18c6.63 0 12.01 5.38 12.01 12.01 0 3.64-1.62 6.9-4.18 9.1l-16.93-16.93zm-1.07 1.45 16.55 16.55c-.52.33-1.07.62-1.65.87l-15.77-15.77c.25-.58.54-1.13.87-1.65zm-1.5 3.53 14.52 14.52c-.71.17-1.45.28-2.2.32l-12.64-12.64a12 12 0 0 1 .32-2.2zm-.17 4.87 9.82 9.82a12.02 12.02 0 0 1-9.82-9.83z",
    },
    profile: ({ data }) => ({
      id: textId(data?.viewer?.id),
      name: data?.viewer?.name || data?.viewer?.displayName,
      email: data?.viewer?.email,
      image: data?.viewer?.avatarUrl,
    }),
  }, options);
}

const API = "https://api.linear.app/graphql";

async function readProfile(context: ProfileContext): Promise<LinearProfile> {
  const body = { query: "query { viewer { id name displayName email avatarUrl } }" };
  const profile = await readJson<LinearProfile>(context, API, { body });
  // Errors of GraphQL come with status 200.
  if (!profile.data?.viewer) throw profileError(context, "answered without a viewer");
  return profile;
}

export default linear;
