/**
 * Sign in with a link in an email that SMTP2GO sends.
 *
 * @module
 */
import { memberAt } from "./mail/failure.ts";
import { jsonRequest, type MailOptions, type MailProvider, mailProvider } from "./mail/provider.ts";

export type { MailProvider } from "./mail/provider.ts";

/** Options of {@linkcode smtp2go}. */
export type Smtp2goOptions<Id extends string = string> = MailOptions<Id>;

/**
 * Signs people in with a link in an email that SMTP2GO sends.
 *
 * Needs an adapter. Reads `AUTH_SMTP2GO_KEY`: an API key with the permission to send. Make it at {@link
 * https://app.smtp2go.com/sending/apikeys/ | app.smtp2go.com}. Verify the domain of `from`, or its address as a
 * single sender, under Sending, Verified Senders.
 *
 * Links are rewritten if click tracking is on for the key: turn it off there.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { smtp2go } from "@x/auth/providers/smtp2go";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [smtp2go({ from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `from` is missing or not exactly one mailbox, or a text for a header has several lines.
 * @see {@link https://developers.smtp2go.com/reference/send-standard-email | Send an email at SMTP2GO}
 */
export function smtp2go<const Id extends string = "smtp2go">(options: Smtp2goOptions<Id>): MailProvider<Id> {
  return mailProvider({
    id: "smtp2go",
    service: "SMTP2GO",
    keys: "https://app.smtp2go.com/sending/apikeys/",
    senders: "https://app.smtp2go.com/sending/verified_senders/",
    request: ({ from, to, subject, html, text }, { key }) =>
      jsonRequest("https://api.smtp2go.com/v3/email/send", {}, {
        api_key: key,
        sender: from.text,
        to: [to],
        subject,
        html_body: html,
        text_body: text,
      }),
    accepted: (json) => memberAt(json, "data.succeeded") === 1,
    error: {
      code: ["data.error_code", "error_code"],
      words: ["data.error", "error", "data.failures.0.error", "data.failures.0"],
    },
    refusals: {
      key: ["E_ApiResponseCodes.ENDPOINT_PERMISSION_DENIED", /API Key/i],
      address: [/sender|recipient|email address/i],
      limit: [/limit|quota/i],
    },
  }, options);
}

export default smtp2go;
