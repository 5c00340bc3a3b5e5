/**
 * Sign in with a link in an email that Twilio SendGrid sends.
 *
 * @module
 */
import { bearer, jsonRequest, type MailOptions, type MailProvider, mailProvider } from "./mail/provider.ts";

export type { MailProvider } from "./mail/provider.ts";

/** Options of {@linkcode sendgrid}. */
export interface SendGridOptions<Id extends string = string> extends MailOptions<Id> {
  /** Where the account is. @default {"US"} */
  region?: "US" | "EU" | undefined;
}

/**
 * Signs people in with a link in an email that Twilio SendGrid sends.
 *
 * Needs an adapter. Reads `AUTH_SENDGRID_KEY`: an API key with the permission Mail Send. Make it in the console
 * under Settings, API Keys. Verify the domain of `from` under Settings, Sender Authentication.
 *
 * Click and open tracking are turned off for these emails.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { sendgrid } from "@x/auth/providers/sendgrid";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [sendgrid({ from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `from` is missing or not exactly one mailbox, or a text for a header has several lines.
 * @see {@link https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send | Mail Send at SendGrid}
 */
export function sendgrid<const Id extends string = "sendgrid">(options: SendGridOptions<Id>): MailProvider<Id> {
  const host = options?.region === "EU" ? "api.eu.sendgrid.com" : "api.sendgrid.com";
  return mailProvider({
    id: "sendgrid",
    service: "SendGrid",
    keys: "https://app.sendgrid.com/settings/api_keys",
    senders: "https://app.sendgrid.com/settings/sender_auth",
    request: ({ from: { address, name }, to, subject, html, text }, { key }) =>
      jsonRequest(`https://${host}/v3/mail/send`, bearer(key), {
        personalizations: [{ to: [{ email: to }] }],
        from: { email: address, ...(name && { name }) },
        subject,
        content: [{ type: "text/plain", value: text }, { type: "text/html", value: html }],
        // A rewritten link would pass the token on, and look like a link to somebody else.
        tracking_settings: { click_tracking: { enable: false, enable_text: false }, open_tracking: { enable: false } },
      }),
    error: { code: ["errors.0.error_id"], words: ["errors.0.message"] },
    refusals: {
      address: [/verified Sender Identity|valid (?:email )?address/i],
      limit: [/Maximum credits exceeded|too many requests/i],
    },
  }, options);
}

export default sendgrid;
