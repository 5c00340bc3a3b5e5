/**
 * Sign in with a link in an email that Mailgun sends.
 *
 * @module
 */
import { basic, type MailOptions, type MailProvider, mailProvider } from "./mail/provider.ts";

export type { MailProvider } from "./mail/provider.ts";

/** Options of {@linkcode mailgun}. */
export interface MailgunOptions<Id extends string = string> extends MailOptions<Id> {
  /** The domain that is registered at Mailgun. @default the domain of `from` */
  domain?: string | undefined;
  /** Where the domain is registered. @default {"US"} */
  region?: "US" | "EU" | undefined;
}

/**
 * Signs people in with a link in an email that Mailgun sends.
 *
 * Needs an adapter. Reads `AUTH_MAILGUN_KEY`: an API key, or the sending key of a domain. Make it at {@link
 * https://app.mailgun.com/settings/api_security | app.mailgun.com}. Add and verify the domain of `from` there under
 * Sending, Domains. A sandbox domain sends to authorized recipients only.
 *
 * Click and open tracking are turned off for these emails.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { mailgun } from "@x/auth/providers/mailgun";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [mailgun({ from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `from` is missing or not exactly one mailbox, or a text for a header has several lines.
 * @see {@link https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages | Messages at Mailgun}
 */
export function mailgun<const Id extends string = "mailgun">(options: MailgunOptions<Id>): MailProvider<Id> {
  const { region = "US" } = options ?? {};
  const host = region === "EU" ? "api.eu.mailgun.net" : "api.mailgun.net";
  return mailProvider({
    id: "mailgun",
    service: "Mailgun",
    keys: "https://app.mailgun.com/settings/api_security",
    senders: "https://app.mailgun.com/mg/sending/domains",
    request: ({ from, to, subject, html, text }, { key }) => {
      const domain = options.domain ?? from.address.slice(from.address.indexOf("@") + 1);
      const body = new FormData();
      // A rewritten link would pass the token on, and look like a link to somebody else.
      const fields = { from: from.text, to, subject, html, text, "o:tracking": "no" };
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      return {
        url: `https://${host}/v3/${encodeURIComponent(domain)}/messages`,
        headers: { accept: "application/json", ...basic("api", key) },
        body,
      };
    },
    error: { words: ["message"] },
    refusals: {
      address: [
        /valid address|Domain not found|Free accounts are for test|not allowed to send|authorized recipients/i,
        404,
      ],
      limit: [/limit|quota|too many/i, 402],
    },
  }, options);
}

export default mailgun;
