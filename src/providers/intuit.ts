/**
 * Sign in with Intuit.
 *
 * @module
 */
import { joinName, type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Intuit. */
export interface IntuitProfile extends Profile {
  /** First name. */
  givenName?: string | null | undefined;
  /** Last name. */
  familyName?: string | null | undefined;
  /** Whether Intuit has verified the address. Repeated as `email_verified`. */
  emailVerified?: boolean | null | undefined;
  /** Telephone number, with the scope `phone`. */
  phoneNumber?: string | null | undefined;
}

/** Options of {@linkcode intuit}. */
export interface IntuitOptions<Id extends string = string> extends OidcOptions<IntuitProfile, Id> {
  /** Whether the client id is one for development. @default {false} */
  sandbox?: boolean | undefined;
}

/**
 * Signs people in with Intuit, the company of QuickBooks.
 *
 * - Register: {@link https://developer.intuit.com/app/developer/dashboard | My Apps}: create an app. Under its keys and
 *   credentials, the redirect URI is `https://<your site>/auth/callback/intuit`.
 * - Environment: `AUTH_INTUIT_ID`, `AUTH_INTUIT_SECRET`.
 * - Scopes: `openid`, `profile`, `email`; `com.intuit.quickbooks.accounting` for the API of QuickBooks.
 * - Email: with `email_verified`.
 * - Refresh: a refresh token comes with each sign-in; access tokens live one hour.
 * - Logout: no page for it.
 *
 * An app has two pairs of keys. Those for development take `http://localhost` as a redirect URI and need
 * `sandbox: true`; those for production take https only.
 *
 * With `id: "quickbooks"` accounts, callback URL and environment variables are those of applications that call the
 * provider so.
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
 * @param options The kind of the keys, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/openid-connect | OpenID Connect at Intuit}
 */
export function intuit<const Id extends string = "intuit">(
  options: IntuitOptions<Id> = {},
): OidcProvider<IntuitProfile, Id> {
  const { sandbox, ...overrides } = optionsFor("intuit", options);
  const document = sandbox ? "openid_sandbox_configuration" : "openid_configuration";
  const user = `https://${sandbox ? "sandbox-" : ""}accounts.platform.intuit.com/v1/openid_connect/userinfo`;
  return oidcProvider({
    id: "intuit",
    name: "Intuit",
    issuer: "https://oauth.platform.intuit.com/op/v1",
    wellKnown: `https://developer.api.intuit.com/.well-known/${document}`,
    userinfo: { url: user, request: (context) => readProfile(user, context) },
    // The id_token says who signed in, and nothing more about them.
    idToken: false,
    checks: ["state"],
    style: { bg: "#236CFF", text: "#000" },
    profile: ({ sub, givenName, familyName, email }) => ({
      id: textId(sub),
      name: joinName(givenName, familyName) ?? email,
      email,
      image: null,
    }),
  }, overrides);
}

async function readProfile(url: string, context: ProfileContext): Promise<IntuitProfile> {
  const profile = await readJson<IntuitProfile>(context, url);
  return { ...profile, email_verified: profile.emailVerified === true };
}

export default intuit;
