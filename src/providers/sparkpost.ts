/**
 * Sign in with a link in an email that SparkPost sends.
 *
 * @module
 */
import { memberAt } from "./mail/failure.ts";
import { jsonRequest, type MailOptions, type MailProvider, mailProvider } from "./mail/provider.ts";

export type { MailProvider } from "./mail/provider.ts";

/** Options of {@linkcode sparkpost}. */
export interface SparkPostOptions<Id extends string = string> extends MailOptions<Id> {
  /** Where the account is. @default {"US"} */
  region?: "US" | "EU" | undefined;
}

/**
 * Signs people in with a link in an email that SparkPost sends.
 *
 * Needs an adapter. Reads `AUTH_SPARKPOST_KEY`: an API key with the permission Transmissions: Read/Write. Make it
 * at {@link https://app.sparkpost.com/account/api-keys | app.sparkpost.com}. Add and verify the domain of `from`
 * under Configuration, Domains, Sending Domains.
 *
 * Click and open tracking are turned off for these emails.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { sparkpost } from "@x/auth/providers/sparkpost";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [sparkpost({ from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `from` is missing or not exactly one mailbox, or a text for a header has several lines.
 * @see {@link https://developers.sparkpost.com/api/transmissions/ | Transmissions at SparkPost}
 */
export function sparkpost<const Id extends string = "sparkpost">(options: SparkPostOptions<Id>): MailProvider<Id> {
  const host = options?.region === "EU" ? "api.eu.sparkpost.com" : "api.sparkpost.com";
  return mailProvider({
    id: "sparkpost",
    service: "SparkPost",
    keys: "https://app.sparkpost.com/account/api-keys",
    senders: "https://app.sparkpost.com/domains/list/sending",
    request: ({ from: { address, name }, to, subject, html, text }, { key }) =>
      jsonRequest(`https://${host}/api/v1/transmissions`, { authorization: key }, {
        // A rewritten link would pass the token on, and look like a link to somebody else.
        options: { click_tracking: false, open_tracking: false, transactional: true },
        recipients: [{ address: { email: to } }],
        content: { from: { email: address, ...(name && { name }) }, subject, html, text },
      }),
    accepted: (json) => memberAt(json, "results.total_accepted_recipients") === 1,
    error: { code: ["errors.0.code"], words: ["errors.0.description", "errors.0.message"] },
    refusals: {
      address: ["7001", "5002", /sending domain|recipient|invalid domain/i],
      limit: ["2101", "2102", "2103", /sending limit|too many requests/i, 420],
    },
  }, options);
}

export default sparkpost;
