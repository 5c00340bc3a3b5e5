/**
 * Sign in with PayPal.
 *
 * @module
 */
import { joinName, type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at PayPal. */
export interface PayPalProfile extends Profile {
  /** Id of the person: a URL. */
  user_id?: string | null | undefined;
  /** Id of the account, as in payments. */
  payer_id?: string | null | undefined;
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** Whether PayPal has verified the account; this is not about the address. */
  verified_account?: boolean | "true" | "false" | null | undefined;
  /** Email addresses. The primary one is repeated as `email`, and `confirmed` of it as `email_verified`. */
  emails?:
    | readonly {
      /** The address. */
      readonly value?: string | null | undefined;
      /** Whether it is the main one. */
      readonly primary?: boolean | "true" | "false" | null | undefined;
      /** Whether it is verified. */
      readonly confirmed?: boolean | "true" | "false" | null | undefined;
    }[]
    | null
    | undefined;
}

/** Options of {@linkcode paypal}. */
export interface PayPalOptions<Id extends string = string> extends OAuthOptions<PayPalProfile, Id> {
  /** Where people have their accounts: `"sandbox"` is for tests, with its own client. @default {"live"} */
  environment?: "live" | "sandbox" | undefined;
}

/**
 * Signs people in with PayPal.
 *
 * - Register: {@link https://developer.paypal.com/dashboard/applications/live | Apps and credentials at PayPal}:
 *   create an app, switch "Log in with PayPal" on, choose which members of the profile it may read, and enter the
 *   return URL `https://<your site>/auth/callback/paypal`.
 * - Environment: `AUTH_PAYPAL_ID`, `AUTH_PAYPAL_SECRET`.
 * - Scopes: `openid`, `email`, `profile`.
 * - Email: the primary address, with `email_verified` if PayPal says whether it is confirmed.
 * - Refresh: a refresh token comes with each sign-in. Access tokens live eight hours.
 * - Logout: no page for it.
 *
 * PayPal reviews an app before people other than its owner can sign in.
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
 * @param options Where people have their accounts, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.paypal.com/docs/log-in-with-paypal/ | Log in with PayPal}
 */
export function paypal<const Id extends string = "paypal">(
  options: PayPalOptions<Id> = {},
): OAuthProvider<PayPalProfile, Id> {
  const host = optionsFor("paypal", options).environment === "sandbox" ? "sandbox.paypal.com" : "paypal.com";
  const userinfo = `https://api-m.${host}/v1/identity/oauth2/userinfo?schema=paypalv1.1`;
  return oauthProvider({
    id: "paypal",
    name: "PayPal",
    authorization: { url: `https://www.${host}/signin/authorize`, params: { scope: "openid email profile" } },
    token: `https://api-m.${host}/v1/oauth2/token`,
    userinfo: { url: userinfo, request: (context) => readProfile(context, userinfo) },
    checks: ["state"],
    style: {
      bg: "#002991",
      text: "#fff",
      mark:
        "m15.61 4.65h-6.67l-2.29 14.6h-4.83l3.04-19.25h8c3.75 0 6.37 2.29 6.47 5.51-.65-.47-2.11-.86-3.72-.86m6.57 5.55c0 3.41-3.01 6.85-6.96 6.85h-2.49l-1.13 6.95h-4.86l1.85-11.54h3.59c4.21 0 7.34-3.63 7.15-6.95a5.24 5.24 0 0 1 2.85 4.69m-12.53-4.65h6.41c.91 0 1.94.22 2.36.54-.19 2.74-2.65 5.48-6.44 5.48h-3.27z",
    },
    profile: ({ user_id, payer_id, name, given_name, family_name, email, picture }) => ({
      id: textId(user_id || payer_id),
      name: name || joinName(given_name, family_name),
      email,
      image: picture,
    }),
  }, options);
}

async function readProfile(context: ProfileContext, url: string): Promise<PayPalProfile> {
  const profile = await readJson<PayPalProfile>(context, url);
  const primary = profile.emails?.find((each) => isTrue(each.primary));
  const stated = (profile.email ? profile.email_verified : primary?.confirmed) ?? undefined;
  return {
    ...profile,
    email: profile.email || primary?.value,
    email_verified: stated === undefined ? undefined : isTrue(stated),
  };
}

// PayPal writes booleans as text, too.
function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

export default paypal;
