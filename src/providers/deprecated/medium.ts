/**
 * Sign in with Medium, for services that did before.
 *
 * @module
 */
import { textId } from "../../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../../contract/provider.ts";
import type { Profile } from "../../kernel/model.ts";

export type { OAuthProvider } from "../../contract/provider.ts";

/** The profile of a person at Medium. */
export interface MediumProfile extends Profile {
  /** The profile itself. */
  data?:
    | {
      /** Account id. */
      readonly id?: string | undefined;
      /** The name to show. */
      readonly name?: string | null | undefined;
      /** The user name. It can change. */
      readonly username?: string | undefined;
      /** URL of the page of the person. */
      readonly url?: string | undefined;
      /** URL of a picture. */
      readonly imageUrl?: string | null | undefined;
    }
    | undefined;
}

/**
 * Signs people in with Medium, which gives no email address.
 *
 * @deprecated Medium has archived its API and registers no applications. Choose another provider.
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://github.com/Medium/medium-api-docs | API of Medium}
 */
export function medium<const Id extends string = "medium">(
  options: OAuthOptions<MediumProfile, Id> = {},
): OAuthProvider<MediumProfile, Id> {
  return oauthProvider({
    id: "medium",
    name: "Medium",
    deprecated: "Medium has archived its API and registers no applications: choose another provider",
    authorization: { url: "https://medium.com/m/oauth/authorize", params: { scope: "basicProfile" } },
    token: "https://api.medium.com/v1/tokens",
    userinfo: "https://api.medium.com/v1/me",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile: ({ data }) => ({ id: textId(data?.id), name: data?.name, email: null, image: data?.imageUrl }),
  }, options);
}

export default medium;
