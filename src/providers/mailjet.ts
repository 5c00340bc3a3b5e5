/**
 * Sign in with a link in an email that Mailjet sends.
 *
 * @module
 */
import { InvalidConfig } from "../kernel/errors.ts";
import { memberAt } from "./mail/failure.ts";
import { basic, jsonRequest, type MailOptions, type MailProvider, mailProvider } from "./mail/provider.ts";

export type { MailProvider } from "./mail/provider.ts";

/** Options of {@linkcode mailjet}. */
export type MailjetOptions<Id extends string = string> = MailOptions<Id>;

/**
 * Signs people in with a link in an email that Mailjet sends.
 *
 * Needs an adapter. Reads `AUTH_MAILJET_KEY`: the API key and the secret key, joined by a colon. Both are at {@link
 * https://app.mailjet.com/account/apikeys | app.mailjet.com/account/apikeys}. Add the address of `from`, or its
 * domain, under Sender domains & addresses, and activate it.
 *
 * Click and open tracking are turned off for these emails.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { mailjet } from "@x/auth/providers/mailjet";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [mailjet({ from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `from` is missing or not exactly one mailbox, or a text for a header has several lines.
 * @see {@link https://dev.mailjet.com/email/guides/send-api-v31/ | Send API 3.1 of Mailjet}
 */
export function mailjet<const Id extends string = "mailjet">(options: MailjetOptions<Id>): MailProvider<Id> {
  return mailProvider({
    id: "mailjet",
    service: "Mailjet",
    keys: "https://app.mailjet.com/account/apikeys",
    senders: "https://app.mailjet.com/account/sender",
    request: ({ from: { address, name }, to, subject, html, text }, { key }) =>
      jsonRequest("https://api.mailjet.com/v3.1/send", pairOf(key), {
        Messages: [{
          From: { Email: address, ...(name && { Name: name }) },
          To: [{ Email: to }],
          Subject: subject,
          TextPart: text,
          HTMLPart: html,
          // A rewritten link would pass the token on, and look like a link to somebody else.
          TrackClicks: "disabled",
          TrackOpens: "disabled",
        }],
      }),
    accepted: (json) => memberAt(json, "Messages.0.Status") === "success",
    error: {
      code: ["Messages.0.Errors.0.ErrorCode", "ErrorCode"],
      words: ["Messages.0.Errors.0.ErrorMessage", "ErrorMessage"],
    },
    refusals: {
      key: [/API key/i],
      address: ["mj-0013", "send-0008", /sender|invalid email address/i],
    },
  }, options);
}

function pairOf(key: string) {
  const at = key.indexOf(":");
  if (at > 0) return basic(key.slice(0, at), key.slice(at + 1));
  throw new InvalidConfig(
    "Cannot send email: `apiKey` of the provider mailjet must be the API key and the secret key, joined by a colon",
  );
}

export default mailjet;
