/**
 * Sign in with a link in an email that Postmark sends.
 *
 * @module
 */
import { memberAt } from "./mail/failure.ts";
import { jsonRequest, type MailOptions, type MailProvider, mailProvider } from "./mail/provider.ts";

export type { MailProvider } from "./mail/provider.ts";

/** Options of {@linkcode postmark}. */
export interface PostmarkOptions<Id extends string = string> extends MailOptions<Id> {
  /** The message stream, which must be transactional. @default {"outbound"} */
  messageStream?: string | undefined;
}

/**
 * Signs people in with a link in an email that Postmark sends.
 *
 * Needs an adapter. Reads `AUTH_POSTMARK_KEY`: the API token of a server. It is on the page API Tokens of the
 * server at {@link https://account.postmarkapp.com/servers | account.postmarkapp.com}. Add the address of `from`,
 * or its domain, under Sender Signatures. A new account sends to its own domain only, until it is approved.
 *
 * Link and open tracking are turned off for these emails.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { postmark } from "@x/auth/providers/postmark";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [postmark({ from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `from` is missing or not exactly one mailbox, or a text for a header has several lines.
 * @see {@link https://postmarkapp.com/developer/api/email-api | Email API of Postmark}
 */
export function postmark<const Id extends string = "postmark">(options: PostmarkOptions<Id>): MailProvider<Id> {
  const { messageStream = "outbound" } = options ?? {};
  return mailProvider({
    id: "postmark",
    service: "Postmark",
    keys: "https://account.postmarkapp.com/servers",
    senders: "https://account.postmarkapp.com/signature_domains",
    request: ({ from, to, subject, html, text }, { key }) =>
      jsonRequest("https://api.postmarkapp.com/email", { "x-postmark-server-token": key }, {
        From: from.text,
        To: to,
        Subject: subject,
        TextBody: text,
        HtmlBody: html,
        MessageStream: messageStream,
        // A rewritten link would pass the token on, and look like a link to somebody else.
        TrackLinks: "None",
        TrackOpens: false,
      }),
    accepted: (json) => memberAt(json, "ErrorCode") === 0,
    error: { code: ["ErrorCode"], words: ["Message"] },
    refusals: {
      key: ["10"],
      // Sender not found, not confirmed; inactive recipient; account not approved for other domains.
      address: ["400", "401", "406", "412", /(?:To|From)' (?:address|field)|parsing '(?:To|From)'/i],
      limit: ["405"],
    },
  }, options);
}

export default postmark;
