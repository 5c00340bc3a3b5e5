/**
 * Sign in with a link in an email that Brevo sends.
 *
 * @module
 */
import { jsonRequest, type MailOptions, type MailProvider, mailProvider } from "./mail/provider.ts";

export type { MailProvider } from "./mail/provider.ts";

/** Options of {@linkcode brevo}. */
export type BrevoOptions<Id extends string = string> = MailOptions<Id>;

/**
 * Signs people in with a link in an email that Brevo sends.
 *
 * Needs an adapter. Reads `AUTH_BREVO_KEY`: an API key (not the SMTP key). Make it at {@link
 * https://app.brevo.com/settings/keys/api | app.brevo.com}. Verify the address of `from`, or authenticate its
 * domain, under Senders, Domains & Dedicated IPs. If keys are limited to IP addresses, add those of your server.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { brevo } from "@x/auth/providers/brevo";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [brevo({ from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `from` is missing or not exactly one mailbox, or a text for a header has several lines.
 * @see {@link https://developers.brevo.com/reference/sendtransacemail | Send a transactional email at Brevo}
 */
export function brevo<const Id extends string = "brevo">(options: BrevoOptions<Id>): MailProvider<Id> {
  return mailProvider({
    id: "brevo",
    service: "Brevo",
    keys: "https://app.brevo.com/settings/keys/api",
    senders: "https://app.brevo.com/senders",
    request: ({ from: { address, name }, to, subject, html, text }, { key }) =>
      jsonRequest("https://api.brevo.com/v3/smtp/email", { "api-key": key }, {
        sender: { email: address, ...(name && { name }) },
        to: [{ email: to }],
        subject,
        htmlContent: html,
        textContent: text,
      }),
    error: { code: ["code"], words: ["message"] },
    refusals: {
      key: ["unauthorized", "permission_denied"],
      address: [/sender|email is not valid|invalid email|blacklist/i],
      limit: ["not_enough_credits", "too_many_requests", 402],
    },
  }, options);
}

export default brevo;
