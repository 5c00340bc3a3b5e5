/**
 * Sign in with Apple.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Apple. */
export interface AppleProfile extends Profile {
  /** Whether the address is one of Apple's that forward to the person's. Text or a boolean. */
  is_private_email?: boolean | "true" | "false" | undefined;
  /** The field `user` of the form, at the first sign-in only. It is not signed, so only the name is read from it. */
  user?: { readonly name?: { readonly firstName?: string; readonly lastName?: string } | null } | undefined;
}

/** Options of {@linkcode appleClientSecret}. */
export interface AppleClientSecretOptions {
  /** The Team ID of the developer account. */
  teamId: string;
  /** The Key ID of the private key. */
  keyId: string;
  /** The Services ID, as in `AUTH_APPLE_ID`. */
  clientId: string;
  /** The private key: the text of the `.p8` file. */
  privateKey: string;
  /** The current time, in seconds since 1970. */
  issuedAt: number;
}

/**
 * Signs people in with Apple.
 *
 * - Register: {@link https://developer.apple.com/account/resources/identifiers/list/serviceId | Identifiers at Apple}.
 *   Create an App ID and then a Services ID, both with Sign in with Apple. The return URL is
 *   `https://<your site>/auth/callback/apple`. Apple accepts neither `http:` nor `localhost`.
 * - Environment: `AUTH_APPLE_ID` (the Services ID) and `AUTH_APPLE_SECRET` (see {@linkcode appleClientSecret}).
 * - Scopes: `name`, `email`.
 * - Email: the address of the account, or one of Apple's that forwards to it, as the person chooses. `email_verified`
 *   is given to callbacks. It may be text.
 * - Refresh: a refresh token comes with each sign-in. Access tokens live one hour.
 * - Logout: no page for it.
 *
 * Apple sends the name only at a person's first sign-in, so store it. After that, `name` is the email address.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { apple } from "@x/auth/providers/apple";
 *
 * const { handler } = createAuth({ providers: [apple()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.apple.com/documentation/sign_in_with_apple/sign_in_with_apple_rest_api | Apple's REST API}
 */
export function apple<Id extends string = "apple">(
  options: OidcOptions<AppleProfile, Id> = {},
): OidcProvider<AppleProfile, Id> {
  return oidcProvider({
    id: "apple",
    name: "Apple",
    issuer: "https://appleid.apple.com",
    authorization: { params: { scope: "name email", response_mode: "form_post" } },
    checks: ["state", "nonce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#000", text: "#fff" },
    profile: ({ sub, email, user }) => ({
      id: textId(sub),
      name: joinName(user?.name?.firstName, user?.name?.lastName) ?? email,
      email,
      image: null,
    }),
  }, options);
}

/**
 * Makes the client secret for Apple: a JWT signed with your private key. It is valid for half a year.
 *
 * @example Usage
 * ```ts
 * import { appleClientSecret } from "@x/auth/providers/apple";
 *
 * const clientSecret = await appleClientSecret({
 *   teamId: "A1B2C3D4E5",
 *   keyId: "F6G7H8I9J0",
 *   clientId: "com.example.web",
 *   privateKey: await Deno.readTextFile("AuthKey_F6G7H8I9J0.p8"),
 *   issuedAt: Math.floor(Date.now() / 1000),
 * });
 * ```
 *
 * @param options The key, the ids and the current time.
 * @returns The secret, for `AUTH_APPLE_SECRET` or `clientSecret`.
 */
export async function appleClientSecret(options: AppleClientSecretOptions): Promise<string> {
  const { teamId: iss, keyId: kid, clientId: sub, privateKey, issuedAt: iat } = options;
  const es256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const pkcs8 = Uint8Array.from(atob(privateKey.replace(/-----[^-]+-----|\s/g, "")), (char) => char.charCodeAt(0));
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, es256, false, ["sign"]);
  const claims = { iss, iat, exp: iat + 15_777_000, aud: "https://appleid.apple.com", sub };
  const signed = [{ alg: "ES256", kid }, claims].map((part) => base64url(JSON.stringify(part))).join(".");
  const signature = await crypto.subtle.sign(es256, key, new TextEncoder().encode(signed));
  return `${signed}.${base64url(String.fromCharCode(...new Uint8Array(signature)))}`;
}

function base64url(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
