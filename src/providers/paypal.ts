/**
 * Sign in with PayPal.
 *
 * @module
 */
import { joinName, type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at PayPal. */
export interface PayPalProfile extends Profile {
  /** TODO. */
  user_id?: string | null | undefined;
  /** TODO. */
  payer_id?: string | null | undefined;
  /** TODO. */
  emails?:
    | readonly ({
      primary?: string | null | undefined;
      value?: string | null | undefined;
      confirmed?: string | null | undefined;
    } | null)[]
    | null
    | undefined;
}

/** Options of {@linkcode paypal}. */
export interface PayPalOptions<Id extends string = string> extends OAuthOptions<PayPalProfile, Id> {
  /** TODO. */
  environment?: string | undefined;
}

/**
 * Signs people in with PayPal.
 *
 * - Register: {@link https://developer.paypal.com/docs/log-in-with-paypal/ | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/paypal`.
 * - Environment: `AUTH_PAYPAL_ID`, `AUTH_PAYPAL_SECRET`.
 * - Scopes: `openid`, `email`, `profile`.
 * - Email: TODO path {"path": "$.email", "fallbacks": ["$.emails[?(@.primary)].value"]} verified {"path":
 *   "$.email_verified", "fallbacks": ["$.emails[?(@.primary)].confirmed"]}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { paypal } from "@x/auth/providers/paypal";
 *
 * const { handler } = createAuth({ providers: [paypal()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.paypal.com/docs/log-in-with-paypal/ | TODO}
 */
export function paypal<Id extends string = "paypal">(
  options: PayPalOptions<Id> = {},
): OAuthProvider<PayPalProfile, Id> {
  return oauthProvider({
    id: "paypal",
    name: "PayPal",
    authorization: { url: "https://www.paypal.com/signin/authorize", params: { scope: "openid email profile" } },
    token: "https://api-m.paypal.com/v1/oauth2/token",
    userinfo: { url: "https://api-m.paypal.com/v1/identity/oauth2/userinfo?schema=paypalv1.1", request: readProfile },
    checks: ["state"],
    style: { bg: "#002991", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.user_id ?? profile.payer_id),
      name: profile.name ?? joinName(profile.given_name, profile.family_name),
      email: profile.email ?? profile.emails?.find((each) => each.primary)?.value,
      image: profile.picture,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<PayPalProfile> {
  const profile = await readJson<PayPalProfile>(
    context,
    "https://api-m.paypal.com/v1/identity/oauth2/userinfo?schema=paypalv1.1",
  );
  return {
    ...profile,
    email_verified: Boolean(profile.email_verified ?? profile.emails?.find((each) => each.primary)?.confirmed),
  };
}

// TODO (remove this list when each is done or does not apply):
// - token quirk: Basic client authentication is mandatory
// - userinfo quirks: {"query": {"schema": "paypalv1.1"}, "headers": {"Accept": "application/json"}}
// - variant: {"when": "environment=sandbox", "authorization_endpoint": "https://www.sandbox.paypal.com/signin/authorize", "token_endpoint": "https://api-m.sandbox.paypal.com/v1/oauth2/token", "userinfo_endpoint": "https://api-m.sandbox.paypal.com/v1/identity/oauth2/userinfo?schema=paypalv1.1"}
// - notes: better-auth defaults to sandbox and sends no scope; Socialite requests openid profile email. user_id is a URL ending in the payer-specific id. paypalv1.1 schema puts addresses in emails[].
// - options: required [] optional ['environment']
// - pkce: undocumented; docs https://developer.paypal.com/docs/log-in-with-paypal/
