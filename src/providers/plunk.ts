/**
 * Sign in with a link in an email that Plunk sends.
 *
 * @module
 */
import { isSecureUrl } from "../http/redirect_url.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import { memberAt } from "./mail/failure.ts";
import { bearer, jsonRequest, type MailOptions, type MailProvider, mailProvider } from "./mail/provider.ts";

export type { MailProvider } from "./mail/provider.ts";

/** Options of {@linkcode plunk}. */
export interface PlunkOptions<Id extends string = string> extends MailOptions<Id> {
  /**
   * The origin of the API: `https://api.useplunk.com` for an account from before 2026, or that of your own server.
   *
   * @default {"https://next-api.useplunk.com"}
   */
  baseUrl?: string | undefined;
}

/**
 * Signs people in with a link in an email that Plunk sends.
 *
 * Needs an adapter. Reads `AUTH_PLUNK_KEY`: the secret key of a project. It is in the dashboard under Settings, API
 * Keys, and begins with `sk_`; the public key sends nothing. Add and verify the domain of `from` under Settings,
 * Domains.
 *
 * Plunk takes one body, so the email has HTML only.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { plunk } from "@x/auth/providers/plunk";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [plunk({ from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `from` is missing or not exactly one mailbox, or a text for a header has several lines.
 * @see {@link https://docs.useplunk.com/api-reference/transactional/send-email | Send a transactional email at Plunk}
 */
export function plunk<const Id extends string = "plunk">(options: PlunkOptions<Id>): MailProvider<Id> {
  const base = baseUrlOf(options?.baseUrl ?? "https://next-api.useplunk.com");
  return mailProvider({
    id: "plunk",
    service: "Plunk",
    keys: "https://next-app.useplunk.com/settings",
    senders: "https://next-app.useplunk.com/settings",
    request: ({ from: { address, name }, to, subject, html }, { key }) =>
      jsonRequest(`${base}/v1/send`, bearer(key), {
        to,
        from: address,
        ...(name && { name }),
        subject,
        body: html,
      }),
    accepted: (json) => memberAt(json, "success") === true,
    error: { code: ["error.code", "error"], words: ["error.message", "message"] },
    refusals: {
      key: ["INVALID_API_KEY", "MISSING_AUTH", "Unauthorized"],
      address: [/domain|verified|invalid email|recipient/i],
      limit: [/limit/i],
    },
  }, options);
}

function baseUrlOf(url: string): string {
  const { origin, pathname, search, hash } = URL.parse(url) ?? {};
  if (isSecureUrl(url) && !search && !hash) return `${origin}${pathname}`.replace(/\/+$/, "");
  throw new InvalidConfig("Cannot send email: `baseUrl` of the provider plunk must be an https URL without a query");
}

export default plunk;
