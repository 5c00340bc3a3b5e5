/**
 * Sign in with Osso, for services that did before.
 *
 * @module
 */
import { textId } from "../../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../../contract/provider.ts";
import type { Profile } from "../../kernel/model.ts";

export type { OAuthProvider } from "../../contract/provider.ts";

/** The profile of a person at Osso. */
export interface OssoProfile extends Profile {
  /** Account id. */
  id?: string | undefined;
  /** The identity provider that the person has signed in with. */
  idp?: string | undefined;
}

/**
 * Signs people in with your instance of Osso. `issuer`, or `AUTH_OSSO_ISSUER`, is required: the URL of the instance.
 *
 * @deprecated Osso is no longer maintained. Use `boxyhqSaml` of `@x/auth/providers/boxyhq-saml`, or `workos` of
 * `@x/auth/providers/workos`.
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://github.com/enterprise-oss/osso | Osso}
 */
export function osso<const Id extends string = "osso">(
  options: OAuthOptions<OssoProfile, Id> = {},
): OAuthProvider<OssoProfile, Id> {
  return oauthProvider({
    id: "osso",
    name: "Osso",
    deprecated: "Osso is no longer maintained: use `boxyhqSaml` of @x/auth/providers/boxyhq-saml",
    requiredOptions: ["issuer"],
    authorization: "/oauth/authorize",
    token: "/oauth/token",
    userinfo: "/oauth/me",
    checks: ["state"],
    profile: ({ id, name, email }) => ({ id: textId(id), name, email, image: null }),
  }, options);
}

export default osso;
