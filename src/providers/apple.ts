/**
 * Sign in with Apple.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Apple. */
export interface AppleProfile extends Profile {
  /** Account id. It is the same for all applications of a team. */
  sub: string;
  /** Email address, perhaps one that forwards. */
  email?: string | undefined;
  /** How sure Apple is that this is a person: 0 unsupported, 1 unknown, 2 likely. */
  real_user_status?: 0 | 1 | 2 | undefined;
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
 * The button looks as Apple's guidelines for "Sign in with Apple" ask. Do not change its colours, its mark or its name.
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
export function apple<const Id extends string = "apple">(
  options: OidcOptions<AppleProfile, Id> = {},
): OidcProvider<AppleProfile, Id> {
  return oidcProvider({
    id: "apple",
    name: "Apple",
    issuer: "https://appleid.apple.com",
    authorization: { params: { scope: "name email", response_mode: "form_post" } },
    checks: ["state", "nonce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#000",
      bgDark: "#fff",
      fixed: true,
      text: "#fff",
      textDark: "#000",
      mark:
        "m12.15 6.9c-.95 0-2.41-1.08-3.96-1.04-2.04.02-3.91 1.18-4.96 3.01-2.12 3.67-.55 9.1 1.52 12.09 1.01 1.45 2.21 3.09 3.79 3.04 1.52-.07 2.09-.99 3.94-.99 1.83 0 2.35.99 3.96.95 1.63-.03 2.67-1.48 3.67-2.95 1.16-1.69 1.64-3.32 1.66-3.41-.03-.02-3.18-1.22-3.21-4.86-.03-3.04 2.48-4.49 2.59-4.56-1.43-2.09-3.62-2.32-4.39-2.37-2-.16-3.67 1.09-4.61 1.09zm3.38-3.07c.84-1.01 1.4-2.43 1.24-3.83-1.2.05-2.66.8-3.53 1.82-.78.89-1.45 2.34-1.27 3.71 1.34.11 2.71-.69 3.56-1.7",
    },
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

export default apple;
