/**
 * Sign in with a link in an email that Forward Email sends.
 *
 * @module
 */
import { basic, jsonRequest, type MailOptions, type MailProvider, mailProvider } from "./mail/provider.ts";

export type { MailProvider } from "./mail/provider.ts";

/** Options of {@linkcode forwardemail}. */
export type ForwardEmailOptions<Id extends string = string> = MailOptions<Id>;

/**
 * Signs people in with a link in an email that Forward Email sends.
 *
 * Needs an adapter. Reads `AUTH_FORWARDEMAIL_KEY`: an API token. It is at {@link
 * https://forwardemail.net/my-account/security | forwardemail.net/my-account/security}. Add and verify the domain
 * of `from` under Domains, and turn on outbound SMTP for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { forwardemail } from "@x/auth/providers/forwardemail";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [forwardemail({ from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `from` is missing or not exactly one mailbox, or a text for a header has several lines.
 * @see {@link https://forwardemail.net/en/email-api#outbound-emails | Outbound emails at Forward Email}
 */
export function forwardemail<const Id extends string = "forwardemail">(
  options: ForwardEmailOptions<Id>,
): MailProvider<Id> {
  return mailProvider({
    id: "forwardemail",
    service: "Forward Email",
    keys: "https://forwardemail.net/my-account/security",
    senders: "https://forwardemail.net/my-account/domains",
    request: ({ from, to, subject, html, text }, { key }) =>
      jsonRequest("https://api.forwardemail.net/v1/emails", basic(key, ""), {
        from: from.text,
        to,
        subject,
        html,
        text,
      }),
    error: { code: ["code"], words: ["message", "error"] },
    refusals: {
      key: [/API token/i],
      address: [/domain|alias|recipient|email address/i],
      limit: [/rate limit|limit (?:reached|exceeded)/i],
    },
  }, options);
}

export default forwardemail;
