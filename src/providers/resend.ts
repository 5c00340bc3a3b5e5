/**
 * Sign in with a link in an email that Resend sends.
 *
 * @module
 */
import { bearer, jsonRequest, type MailOptions, type MailProvider, mailProvider } from "./mail/provider.ts";

export type { MailProvider } from "./mail/provider.ts";

/** Options of {@linkcode resend}. */
export type ResendOptions<Id extends string = string> = MailOptions<Id>;

/**
 * Signs people in with a link in an email that Resend sends.
 *
 * Needs an adapter. Reads `AUTH_RESEND_KEY`: an API key with sending access. Make it at {@link
 * https://resend.com/api-keys | resend.com/api-keys}. Verify the domain of `from` at {@link
 * https://resend.com/domains | resend.com/domains}; until then Resend sends to your own address only.
 *
 * Links are rewritten if click tracking is on for the domain: turn it off there.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { resend } from "@x/auth/providers/resend";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [resend({ from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `from` is missing or not exactly one mailbox, or a text for a header has several lines.
 * @see {@link https://resend.com/docs/api-reference/emails/send-email | Send Email at Resend}
 */
export function resend<const Id extends string = "resend">(options: ResendOptions<Id>): MailProvider<Id> {
  return mailProvider({
    id: "resend",
    service: "Resend",
    keys: "https://resend.com/api-keys",
    senders: "https://resend.com/domains",
    request: ({ from, to, subject, html, text }, { key }) =>
      jsonRequest("https://api.resend.com/emails", bearer(key), { from: from.text, to, subject, html, text }),
    error: { code: ["name"], words: ["message"] },
    refusals: {
      key: ["missing_api_key", "invalid_api_key", "restricted_api_key", /API key/],
      address: ["invalid_from_address", /domain is not verified|testing emails|`(?:to|from)` field/],
      limit: ["rate_limit_exceeded", "daily_quota_exceeded", "monthly_quota_exceeded"],
    },
  }, options);
}

export default resend;
