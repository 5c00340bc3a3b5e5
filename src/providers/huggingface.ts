/**
 * Sign in with Hugging Face.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Hugging Face. */
export interface HuggingFaceProfile extends Profile {
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** Whether the person has a PRO subscription. */
  isPro?: boolean | undefined;
}

/** The name that Auth.js has for {@linkcode HuggingFaceProfile}. */
export type HuggingfaceProfile = HuggingFaceProfile;

/**
 * Signs people in with Hugging Face.
 *
 * - Register: {@link https://huggingface.co/settings/applications/new | Connected Apps}: create an application with the
 *   scopes `openid`, `profile` and `email`. Its redirect URL is `https://<your site>/auth/callback/huggingface`.
 * - Environment: `AUTH_HUGGINGFACE_ID`, `AUTH_HUGGINGFACE_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: with `email_verified`.
 * - Refresh: not documented.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { huggingface } from "@x/auth/providers/huggingface";
 *
 * const { handler } = createAuth({ providers: [huggingface()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://huggingface.co/docs/hub/en/oauth | OpenID Connect at Hugging Face}
 */
export function huggingface<const Id extends string = "huggingface">(
  options: OidcOptions<HuggingFaceProfile, Id> = {},
): OidcProvider<HuggingFaceProfile, Id> {
  return oidcProvider({
    id: "huggingface",
    name: "Hugging Face",
    issuer: "https://huggingface.co",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#FFD21E", text: "#000" },
    profile: ({ sub, name, preferred_username, email, picture }) => ({
      id: textId(sub),
      name: name || preferred_username,
      email,
      image: picture,
    }),
  }, options);
}

export default huggingface;
