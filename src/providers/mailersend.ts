/**
 * Sign in with a link in an email that MailerSend sends.
 *
 * @module
 */
import { memberAt } from "./mail/failure.ts";
import { bearer, jsonRequest, type MailOptions, type MailProvider, mailProvider } from "./mail/provider.ts";

export type { MailProvider } from "./mail/provider.ts";

/** Options of {@linkcode mailersend}. */
export type MailerSendOptions<Id extends string = string> = MailOptions<Id>;

/**
 * Signs people in with a link in an email that MailerSend sends.
 *
 * Needs an adapter. Reads `AUTH_MAILERSEND_KEY`: an API token with the scope Email. Make it at {@link
 * https://app.mailersend.com/api-tokens | app.mailersend.com/api-tokens}. Verify the domain of `from` under
 * Domains. A trial account sends to its own address only.
 *
 * Turn click tracking off for the domain: it rewrites links.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { mailersend } from "@x/auth/providers/mailersend";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [mailersend({ from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `from` is missing or not exactly one mailbox, or a text for a header has several lines.
 * @see {@link https://developers.mailersend.com/api/v1/email.html | Email at MailerSend}
 */
export function mailersend<const Id extends string = "mailersend">(options: MailerSendOptions<Id>): MailProvider<Id> {
  return mailProvider({
    id: "mailersend",
    service: "MailerSend",
    keys: "https://app.mailersend.com/api-tokens",
    senders: "https://app.mailersend.com/domains",
    request: ({ from: { address, name }, to, subject, html, text }, { key }) =>
      jsonRequest("https://api.mailersend.com/v1/email", bearer(key), {
        from: { email: address, ...(name && { name }) },
        to: [{ email: to }],
        subject,
        html,
        text,
      }),
    // Accepted, but sent to nobody: the recipient is on the suppression list.
    accepted: (json) => memberAt(json, "warnings.0.type") !== "ALL_SUPPRESSED",
    error: { code: ["warnings.0.type"], words: ["message"] },
    refusals: {
      address: ["ALL_SUPPRESSED", /domain must be verified|from\.email|to\.0\.email|Trial accounts/i],
      limit: [/Too Many Attempts|quota|limit/i, 402],
    },
  }, options);
}

export default mailersend;
