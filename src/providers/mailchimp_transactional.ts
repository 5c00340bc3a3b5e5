/**
 * Sign in with a link in an email that Mailchimp Transactional (Mandrill) sends.
 *
 * @module
 */
import { memberAt } from "./mail/failure.ts";
import { jsonRequest, type MailOptions, type MailProvider, mailProvider } from "./mail/provider.ts";

export type { MailProvider } from "./mail/provider.ts";

/** Options of {@linkcode mailchimpTransactional}. */
export type MailchimpTransactionalOptions<Id extends string = string> = MailOptions<Id>;

/**
 * Signs people in with a link in an email that Mailchimp Transactional (Mandrill) sends.
 *
 * Needs an adapter. Reads `AUTH_MAILCHIMP_TRANSACTIONAL_KEY`: an API key. Make it at {@link
 * https://mandrillapp.com/settings | mandrillapp.com/settings}; a key for tests sends nothing. Verify the domain of
 * `from` under Settings, Domains.
 *
 * Click and open tracking are turned off for these emails.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { mailchimpTransactional } from "@x/auth/providers/mailchimp-transactional";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [mailchimpTransactional({ from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `from` is missing or not exactly one mailbox, or a text for a header has several lines.
 * @see {@link https://mailchimp.com/developer/transactional/api/messages/send-new-message/ | Send a message at Mailchimp}
 */
export function mailchimpTransactional<const Id extends string = "mailchimp-transactional">(
  options: MailchimpTransactionalOptions<Id>,
): MailProvider<Id> {
  return mailProvider({
    id: "mailchimp-transactional",
    service: "Mailchimp Transactional",
    keys: "https://mandrillapp.com/settings",
    senders: "https://mandrillapp.com/settings/sending-domains",
    request: ({ from: { address, name }, to, subject, html, text }, { key }) =>
      jsonRequest("https://mandrillapp.com/api/1.0/messages/send", {}, {
        key,
        message: {
          from_email: address,
          ...(name && { from_name: name }),
          to: [{ email: to, type: "to" }],
          subject,
          html,
          text,
          // A rewritten link would pass the token on, and look like a link to somebody else.
          track_clicks: false,
          track_opens: false,
        },
      }),
    accepted: (json) => ["sent", "queued", "scheduled"].includes(String(memberAt(json, "0.status"))),
    error: { code: ["name", "0.reject_reason", "0.status"], words: ["message"] },
    refusals: {
      key: ["Invalid_Key"],
      address: [
        "rejected",
        "invalid",
        "invalid-sender",
        "unsigned",
        "hard-bounce",
        "soft-bounce",
        "spam",
        "unsub",
        "ValidationError",
      ],
      limit: ["PaymentRequired", "test-mode-limit"],
    },
  }, options);
}

export default mailchimpTransactional;
