/**
 * Sign in with passkeys.
 *
 * @module
 */
import type { WebAuthnOptions, WebAuthnProvider } from "../contract/provider.ts";

/**
 * Signs people in with passkeys: the device remembers the person, and makes sure that it is its owner who uses it.
 *
 * Needs an adapter. Where it has no `once`, a recorded answer is good again, together with the browser's cookie, until the
 * ceremony ends after five minutes, unless the passkey counts how often it is used. Nobody has to type an address to sign in. A person who registers with an address that somebody has
 * already is refused: sign in first, then add the passkey, within ten minutes. No environment variable is read. The
 * browser posts to `https://<your site>/auth/callback/passkey`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { sqliteAdapter } from "@x/auth/adapters/sqlite";
 * import { passkey } from "@x/auth/providers/passkey";
 *
 * const { handler } = createAuth({ adapter: sqliteAdapter(":memory:"), providers: [passkey()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.w3.org/TR/webauthn-3/#client-side-discoverable-credential | Discoverable credentials}
 */
export function passkey(options: WebAuthnOptions = {}): WebAuthnProvider {
  return {
    id: "passkey",
    name: "Passkey",
    type: "webauthn",
    authenticationOptions: { userVerification: "required" },
    registrationOptions: { authenticatorSelection: { residentKey: "required", userVerification: "required" } },
    options,
  };
}
