/**
 * Sign in with a link that is printed on the console, for development.
 *
 * @module
 */
import { InvalidConfig } from "../kernel/errors.ts";
import { optionsFor } from "../contract/options_for.ts";
import type { OutgoingMail } from "../contract/outgoing_mail.ts";
import type { EmailOptions, EmailProvider } from "../contract/provider.ts";
import { systemRuntime } from "../kernel/runtime.ts";

export type { EmailProvider } from "../contract/provider.ts";

/**
 * Signs people in with a link that is printed on the console instead of sent by email. For development only: anybody
 * who reads the console can sign in as anybody.
 *
 * Needs an adapter. Reads `NODE_ENV`, if the permissions of the program allow it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { consoleEmail } from "@x/auth/providers/console-email";
 *
 * const { handler } = createAuth({ providers: [consoleEmail()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `NODE_ENV` is `production`.
 */
export function consoleEmail<const Id extends string = "console-email">(
  options: EmailOptions<Id> = {},
): EmailProvider<Id> {
  if (systemRuntime.env("NODE_ENV") === "production") {
    throw new InvalidConfig("Cannot print sign-in links in production: use a provider that sends email");
  }
  return {
    id: optionsFor("console-email", options).id ?? "console-email" as Id,
    name: "Email",
    type: "email",
    sendVerificationRequest: ({ identifier, url }) => {
      print(`no email was sent. This link signs in as ${identifier}:\n\n  ${url}`);
    },
    ...(!options.sendVerificationRequest && {
      sendMail: ({ to, subject, text }: OutgoingMail) => print(`no email was sent to ${to}: ${subject}\n\n${text}`),
    }),
    options,
  };
}

function print(text: string): void {
  // deno-lint-ignore no-console -- showing emails on the console is what this provider is for
  console.info(`\nFOR DEVELOPMENT ONLY: ${text}\n`);
}

export default consoleEmail;
