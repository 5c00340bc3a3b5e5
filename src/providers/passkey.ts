/**
 * Sign in with passkeys.
 *
 * @module
 */
import { optionsFor } from "../contract/options_for.ts";
import type { WebAuthnOptions, WebAuthnProvider } from "../contract/provider.ts";

export type { WebAuthnProvider } from "../contract/provider.ts";

/**
 * Signs people in with passkeys. The device stores the passkey and verifies that its owner uses it, so nobody types an
 * address to sign in.
 *
 * Needs an adapter. To register with an address that already has a user, a person must sign in first and add the passkey
 * within ten minutes. So a person who registers with an address learns whether it has a user. With `confirm: true`, which needs
 * a provider of type `email`, everybody gets an email first, and nobody learns it. If the adapter has no `once`, somebody who has recorded a sign-in can repeat it with the browser's
 * cookie for five minutes, unless the passkey counts its uses. No environment variable is read. The browser posts to
 * `https://<your site>/auth/callback/passkey`.
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
export function passkey<const Id extends string = "passkey">(options: WebAuthnOptions<Id> = {}): WebAuthnProvider<Id> {
  return {
    id: optionsFor("passkey", options).id ?? "passkey" as Id,
    name: "Passkey",
    type: "webauthn",
    authenticationOptions: { userVerification: "required" },
    registrationOptions: { authenticatorSelection: { residentKey: "required", userVerification: "required" } },
    options,
  };
}

export default passkey;
