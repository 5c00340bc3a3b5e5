/**
 * Sign in with an address and a password.
 *
 * @module
 */
import { optionsFor } from "../contract/options_for.ts";
import { markPasswords, type PasswordOptions, type PasswordProvider } from "../passwords/settings.ts";

export type { HashVerdict, PasswordHash } from "../hashing/password_hash.ts";
export type { BreachAnswer, BreachCheck, BreachRuntime } from "../passwords/breach.ts";
export type { LegacyHash } from "../passwords/legacy.ts";
export type {
  PasswordField,
  PasswordLengthOptions,
  PasswordOptions,
  PasswordProvider,
  PasswordRules,
  PasswordStore,
  SignUp,
} from "../passwords/settings.ts";

/**
 * Signs people in with an address and a password, which the service keeps as a slow hash. They register, and choose a new
 * password, with links that are sent to their address: nobody becomes a user before the address is proven, and a password
 * counts for that address only.
 *
 * Needs an adapter with records, and a way to send mail: a provider of a mail service, or `mail` of the configuration. The
 * adapters of this package have records; add them to another one with `withRecords`, or keep the hashes yourself with
 * `store`. Guesses are limited by default, see `limits()` of `@x/auth/limits`. No environment variable is read. The form is
 * sent to `https://<your site>/auth/callback/password`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { sqliteAdapter } from "@x/auth/adapters/sqlite";
 * import { password } from "@x/auth/providers/password";
 *
 * const { handler } = createAuth({
 *   adapter: sqliteAdapter(":memory:"),
 *   mail: ({ to, subject }) => console.log(`To ${to}: ${subject}`),
 *   providers: [password()],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider. A configuration has one at most.
 * @see {@link https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver | NIST SP 800-63B-4, section 3.1.1}
 */
export function password(options: PasswordOptions = {}): PasswordProvider {
  return markPasswords({
    id: "password",
    name: "Password",
    type: "credentials",
    credentials: {
      email: { label: "Email", type: "email", required: true, autocomplete: "username" },
      password: { label: "Password", type: "password", required: true, autocomplete: "current-password" },
    },
    options: optionsFor("password", options),
  });
}

export default password;
