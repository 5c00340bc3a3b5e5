/**
 * Sign in with Hugging Face.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

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
    style: {
      bg: "#FFD21E",
      text: "#000",
      mark:
        "m12 1.1c-5.7 0-10.4 4.7-10.4 10.4 0 1.1.2 2.2.5 3.2 0-.2.2-.5.4-.6a1 1 0 0 1 .5-.1c.3 0 .6.1.9.3.2.1.4.4.7.6.2.3.4.7.7 1v0c0-.3.1-.6.2-.9s.4-.5.8-.5c.3-.1.6 0 .8.2s.3.3.4.4c.1.3.2.5.2.6 0 0 .7 1.5 1.7 2.5.6.6 1 1.2 1 1.9.1.6-.1 1.1-.3 1.6.6.1 1.3.2 1.9.2.7 0 1.3-.1 1.9-.2-.2-.5-.4-1-.3-1.6 0-.7.4-1.3 1-1.9 1-1 1.7-2.5 1.7-2.5 0-.1.1-.3.2-.6.1-.1.2-.3.4-.4a1.1 1.1 0 0 1 .8-.2c.4 0 .6.3.8.5s.2.6.2.9v0c.3-.3.5-.7.7-1 .3-.2.5-.5.7-.7.3-.1.6-.2.9-.2a1 1 0 0 1 .5.1c.2.2.4.4.4.6l0 .1a10.3 10.3 0 0 0 .6-3.3c0-5.7-4.7-10.4-10.5-10.4m-3.7 5.5a1.5 1.5 0 0 1 .7.2 1.5 1.5 0 0 1 .7 2c-.2.3-.8-.2-1.1-.1-.4.1-.6.9-1 .7a1.5 1.5 0 0 1 .7-2.8m7.5 0a1.5 1.5 0 0 1 .7 2.8c-.4.2-.5-.6-.9-.7-.4-.1-.9.4-1.1.1a1.5 1.5 0 0 1 .6-2 1.5 1.5 0 0 1 .7-.2m-10.7 1.5a1 1 0 1 1 0 2 1 1 0 0 1 0-2m13.9 0a1 1 0 1 1 0 2 1 1 0 0 1 0-2m-10.5 3.4c.6 0 2 1.1 3.6 1.1 1.6 0 2.9-1.1 3.5-1.1.2 0 .3.1.3.4 0 .9-.4 2.3-1.5 3.2-.2-.7-1.4-1.4-1.7-1.3q0 0 0 0l0 0 0 0-.1.1q0 0 0 0l0 0a1 1 0 0 0-.1.1l0 0q0 .1-.1.2a1 1 0 0 1-.1.2 1.2 1.2 0 0 1-.2.1q0 .1 0 .1a1.3 1.3 0 0 1-.3-.3 1 1 0 0 1-.1-.1c-.1-.2-.1-.3-.3-.4 0 0-.1 0-.2 0q-.1.1-.2.1-.1 0-.1.1l-.2 0q0 .1-.1.1a3 3 0 0 0-.1.1 3 3 0 0 0-.3.2 2 2 0 0 0-.1.2 2 2 0 0 0-.1.1l0 0a2 2 0 0 0-.1.1l0 0a1.2 1.2 0 0 0-.1.2q0 .1-.1.1c-1.1-.9-1.5-2.3-1.5-3.2 0-.3.1-.4.3-.4m.8 10.3c.8-1.2.8-2.1-.3-3.2-1.2-1.1-1.8-2.7-1.8-2.7s-.3-1-.8-.9-1 1.5.2 2.4c1.1.8-.3 1.4-.7.6-.5-.8-1.7-2.9-2.3-3.3s-1.1-.1-1 .7 2.8 2.8 2.6 3.2-1.2-.5-1.2-.5-2.9-2.6-3.5-1.9.5 1.2 2.1 2.2c1.5.9 1.6 1.2 1.4 1.5s-3.7-2.5-4-1.3c-.3 1.2 3.5 1.6 3.3 2.4-.2.9-2.7-1.6-3.2-.6-.5.9 3.5 2 3.5 2 1.3.4 4.6 1.1 5.7-.6m5.4 0c-.9-1.2-.8-2.1.3-3.2 1.2-1.1 1.8-2.7 1.8-2.7s.3-1 .8-.9 1 1.5-.2 2.4c-1.1.8.3 1.4.7.6.5-.8 1.7-2.9 2.3-3.3s1.1-.1 1 .7-2.8 2.8-2.6 3.2 1.2-.5 1.2-.5 2.9-2.6 3.5-1.9-.5 1.2-2.1 2.2c-1.5.9-1.6 1.2-1.4 1.5s3.7-2.5 4-1.3c.3 1.2-3.5 1.6-3.3 2.4.2.9 2.7-1.6 3.2-.6.5.9-3.5 2-3.5 2-1.3.4-4.6 1.1-5.7-.6",
    },
    profile: ({ sub, name, preferred_username, email, picture }) => ({
      id: textId(sub),
      name: name || preferred_username,
      email,
      image: picture,
    }),
  }, options);
}

export default huggingface;
