/**
 * Sign in with passkeys and security keys.
 *
 * @module
 */
import { optionsFor } from "../contract/options_for.ts";
import type { WebAuthnOptions, WebAuthnProvider } from "../contract/provider.ts";

export type { WebAuthnProvider } from "../contract/provider.ts";

/**
 * Signs people in with passkeys and security keys, also with those that cannot verify their user.
 *
 * The authenticator must store the key, so that nobody types an address to sign in. For older security keys, which store
 * nothing, set `allowCredentialsByEmail` and read what it gives away.
 *
 * Needs an adapter. Prefer `passkey`, which requires a PIN, a fingerprint or the like, unless old security keys have to
 * work. No environment variable is read. The browser posts to `https://<your site>/auth/callback/webauthn`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { webauthn } from "@x/auth/providers/webauthn";
 *
 * const { handler } = createAuth({ adapter: memoryAdapter(), providers: [webauthn()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.w3.org/TR/webauthn-3/ | Web Authentication Level 3}
 */
export function webauthn<const Id extends string = "webauthn">(
  options: WebAuthnOptions<Id> = {},
): WebAuthnProvider<Id> {
  return { id: optionsFor("webauthn", options).id ?? "webauthn" as Id, name: "WebAuthn", type: "webauthn", options };
}

export default webauthn;
