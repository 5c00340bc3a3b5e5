/**
 * Sign in with Intuit.
 *
 * @module
 */
import { joinName, type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Intuit. */
export interface IntuitProfile extends Profile {
  /** TODO. */
  givenName?: string | null | undefined;
  /** TODO. */
  familyName?: string | null | undefined;
  /** TODO. */
  emailVerified?: string | null | undefined;
}

/**
 * Signs people in with Intuit.
 *
 * - Register: {@link
 *   https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/openid-connect |
 *   TODO: name of the console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/intuit`.
 * - Environment: `AUTH_INTUIT_ID`, `AUTH_INTUIT_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.emailVerified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { intuit } from "@x/auth/providers/intuit";
 *
 * const { handler } = createAuth({ providers: [intuit()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/openid-connect | TODO}
 */
export function intuit<Id extends string = "intuit">(
  options: OidcOptions<IntuitProfile, Id> = {},
): OidcProvider<IntuitProfile, Id> {
  return oidcProvider({
    id: "intuit",
    name: "Intuit",
    issuer: "https://oauth.platform.intuit.com/op/v1",
    wellKnown: "https://developer.api.intuit.com/.well-known/openid_configuration",
    idToken: false,
    checks: ["state"],
    style: { bg: "#236CFF", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.sub),
      name: joinName(profile.givenName, profile.familyName) ?? profile.email,
      email: profile.email,
      image: null,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<IntuitProfile> {
  const profile = await readJson<IntuitProfile>(
    context,
    "https://accounts.platform.intuit.com/v1/openid_connect/userinfo",
  );
  return { ...profile, email_verified: Boolean(profile.emailVerified) };
}

// TODO (remove this list when each is done or does not apply):
// - token quirk: x_refresh_token_expires_in extension field
// - variant: {"when": "sandbox", "discovery_url": "https://developer.api.intuit.com/.well-known/openid_sandbox_configuration", "userinfo_endpoint": "https://sandbox-accounts.platform.intuit.com/v1/openid_connect/userinfo"}
// - notes: Discovery path uses an underscore and another host than the issuer; hyphenated copies exist on developer.intuit.com. Claim names are camelCase, not OIDC standard. realmId arrives in the callback query. Both client_secret_basic and client_secret_post are advertised.
// - revocation endpoint: https://developer.api.intuit.com/v2/oauth2/tokens/revoke
// - aliases: ['quickbooks']
// - pkce: undocumented; docs https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/openid-connect
