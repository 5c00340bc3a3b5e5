/**
 * Sign in with 42 School.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at 42. */
export interface School42Profile extends Profile {
  /** Account id. */
  id?: number | string | null | undefined;
  /** The name that the person signs in with. */
  login?: string | null | undefined;
  /** First name. */
  first_name?: string | null | undefined;
  /** Last name. */
  last_name?: string | null | undefined;
  /** The full name that the person goes by. */
  usual_full_name?: string | null | undefined;
  /** The name to show. */
  displayname?: string | null | undefined;
  /** The picture, as it is and in smaller versions. */
  image?:
    | {
      readonly link?: string | null;
      readonly versions?: Readonly<Record<"large" | "medium" | "small" | "micro", string | null>>;
    }
    | null
    | undefined;
  /** Whether the person works for 42. */
  "staff?"?: boolean | undefined;
  /** Whether the person has left the school. */
  "alumni?"?: boolean | undefined;
  /** The schools that the person belongs to. */
  campus?: readonly { readonly id: number; readonly name: string }[] | undefined;
}

/** The name that Auth.js has for {@linkcode School42Profile}. */
export type FortyTwoProfile = School42Profile;

/**
 * Signs people in with the intranet of 42, the network of programming schools.
 *
 * - Register: {@link https://profile.intra.42.fr/oauth/applications | API applications in the intranet of 42}. Register
 *   a new app; you need an account of a school. The redirect URI is `https://<your site>/auth/callback/42-school`.
 * - Environment: `AUTH_42_SCHOOL_ID`, `AUTH_42_SCHOOL_SECRET`.
 * - Scopes: `public`.
 * - Email: the address in the intranet. 42 does not say whether it is verified.
 * - Refresh: a refresh token comes with each sign-in. Access tokens live two hours.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { school42 } from "@x/auth/providers/42-school";
 *
 * const { handler } = createAuth({ providers: [school42()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://api.intra.42.fr/apidoc/guides/web_application_flow | OAuth 2.0 at 42}
 */
export function school42<const Id extends string = "42-school">(
  options: OAuthOptions<School42Profile, Id> = {},
): OAuthProvider<School42Profile, Id> {
  return oauthProvider({
    id: "42-school",
    name: "42 School",
    authorization: { url: "https://api.intra.42.fr/oauth/authorize", params: { scope: "public" } },
    token: "https://api.intra.42.fr/oauth/token",
    userinfo: "https://api.intra.42.fr/v2/me",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#000000",
      text: "#fff",
      mark:
        "m19.58 16.85h4.42v-4.44zm4.42-13.28h-4.42v4.42l-4.42 4.42v4.44h4.42v-4.44l4.42-4.42zm-4.42 0h-4.42v4.42zm-6.32 8.84h-8.84l8.84-8.84h-4.42l-8.84 8.84v3.6h8.84v4.42h4.42z",
    },
    profile: ({ id, usual_full_name, displayname, login, email, image }) => ({
      id: textId(id),
      name: usual_full_name || displayname || login,
      email,
      image: image?.link,
    }),
  }, options);
}

export default school42;
