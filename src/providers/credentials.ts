/**
 * Sign in with fields that the application checks itself, such as a name and a password, or a code.
 *
 * @module
 */
import type { CommonOptions, CredentialsOptions, CredentialsProvider } from "../contract/provider.ts";
import type { Awaitable, User } from "../kernel/model.ts";

export type { CredentialsProvider } from "../contract/provider.ts";

/**
 * Signs people in with fields that the application checks in `authorize`.
 *
 * `authorize` returns the user, whose `id` identifies the account, or `null` to refuse. To say why, throw an error that
 * extends `CredentialsSignin` and has a `code`. The browser gets the code, so it must not reveal whether an account
 * exists. The fields are untrusted input. `authorize` must limit guesses and compare passwords in constant time.
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
export function credentials<
  const Id extends string = "credentials",
  Field extends string = string,
  Fields extends object | undefined = Readonly<Record<string, unknown>>,
>(
  options: CommonOptions<Id> & Pick<CredentialsProvider<Id, Field>, "credentials"> & {
    // `authorize` may name its own fields, as it does in applications that were written for Auth.js.
    authorize(fields: Fields, request: Request): Awaitable<User | null | undefined>;
  },
): CredentialsProvider<Id, Field> {
  return {
    // Without options, in JavaScript, it lacks `authorize`, which is said.
    id: options?.id ?? "credentials" as Id,
    name: "Credentials",
    type: "credentials",
    options: options as CredentialsOptions<Id, Field>,
  };
}

export default credentials;
