/**
 * Sign in with a link in an email that Mailtrap sends.
 *
 * @module
 */
import { memberAt } from "./mail/failure.ts";
import { bearer, jsonRequest, type MailOptions, type MailProvider, mailProvider } from "./mail/provider.ts";

export type { MailProvider } from "./mail/provider.ts";

/** Options of {@linkcode mailtrap}. */
export type MailtrapOptions<Id extends string = string> = MailOptions<Id>;

/**
 * Signs people in with a link in an email that Mailtrap sends.
 *
 * Needs an adapter. Reads `AUTH_MAILTRAP_KEY`: an API token with access to the sending domain. Make it at {@link
 * https://mailtrap.io/api-tokens | mailtrap.io/api-tokens}. Add and verify the domain of `from` under Sending
 * Domains.
 *
 * Turn click tracking off for the domain: it rewrites links.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { mailtrap } from "@x/auth/providers/mailtrap";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [mailtrap({ from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `from` is missing or not exactly one mailbox, or a text for a header has several lines.
 * @see {@link https://api-docs.mailtrap.io/docs/mailtrap-api-docs/67f1d70aeb62c-send-email | Send email at Mailtrap}
 */
export function mailtrap<const Id extends string = "mailtrap">(options: MailtrapOptions<Id>): MailProvider<Id> {
  return mailProvider({
    id: "mailtrap",
    service: "Mailtrap",
    keys: "https://mailtrap.io/api-tokens",
    senders: "https://mailtrap.io/sending/domains",
    request: ({ from: { address, name }, to, subject, html, text }, { key }) =>
      jsonRequest("https://send.api.mailtrap.io/api/send", bearer(key), {
        from: { email: address, ...(name && { name }) },
        to: [{ email: to }],
        subject,
        html,
        text,
      }),
    accepted: (json) => memberAt(json, "success") === true,
    error: { words: ["errors.0", "error"] },
    refusals: {
      key: [/unauthorized|token/i],
      address: [/domain|address|recipient/i],
      limit: [/limit/i],
    },
  }, options);
}

export default mailtrap;
