/**
 * Sign in with Hugging Face.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Hugging Face.
 *
 * - Register: {@link https://huggingface.co/docs/hub/en/oauth | TODO: name of the console}: TODO what to click. The
 *   redirect URI is `https://<your site>/auth/callback/huggingface`.
 * - Environment: `AUTH_HUGGINGFACE_ID`, `AUTH_HUGGINGFACE_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @see {@link https://huggingface.co/docs/hub/en/oauth | TODO}
 */
export function huggingface<Id extends string = "huggingface">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "huggingface",
    name: "Hugging Face",
    issuer: "https://huggingface.co",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#FFD21E", text: "#000" },
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - pkce: supported; docs https://huggingface.co/docs/hub/en/oauth
