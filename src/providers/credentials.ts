/**
 * Sign in with what somebody types: a name and a password, a code, anything the application can check itself.
 *
 * @module
 */
import type { CredentialsOptions, CredentialsProvider } from "../contract/provider.ts";

/**
 * Signs people in by fields that the application checks in `authorize`.
 *
 * `authorize` returns the user, whose `id` names the account, or `null` to refuse. To say why, throw an error that
 * extends `CredentialsSignin` and has a `code`: the browser reads the code, so it must not tell whether an account
 * exists. What arrives is unknown input; slowing down guesses and comparing passwords safely is up to `authorize`.
 *
 * No environment variable is read. The form is sent to `https://<your site>/auth/callback/credentials`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { CredentialsSignin } from "@x/auth/errors";
 * import { credentials } from "@x/auth/providers/credentials";
 *
 * class WrongCode extends CredentialsSignin {
 *   override code = "wrong_code";
 * }
 *
 * const { handler } = createAuth({
 *   providers: [credentials({
 *     credentials: { code: { label: "Code", autocomplete: "one-time-code" } },
 *     authorize({ code }) {
 *       if (code !== "123456") throw new WrongCode("Cannot sign in: the code is wrong");
 *       return { id: "1", name: "Ada" };
 *     },
 *   })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options `authorize`, the fields of the form, and what differs from the defaults.
 * @returns The provider.
 */
export function credentials(
  options: CredentialsOptions & Required<Pick<CredentialsOptions, "authorize">>,
): CredentialsProvider {
  return { id: "credentials", name: "Credentials", type: "credentials", options };
}
