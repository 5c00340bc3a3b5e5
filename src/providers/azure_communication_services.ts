/**
 * Sign in with a link in an email that Azure Communication Services sends.
 *
 * @module
 */
import { isSecureUrl } from "../http/redirect_url.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import { jsonRequest, type MailOptions, type MailProvider, mailProvider } from "./mail/provider.ts";
import { signAzure } from "./mail/signature.ts";

export type { MailProvider } from "./mail/provider.ts";

/** Options of {@linkcode azureCommunicationServices}. */
export type AzureCommunicationServicesOptions<Id extends string = string> = MailOptions<Id>;

/**
 * Signs people in with a link in an email that Azure Communication Services sends.
 *
 * Needs an adapter. Reads `AUTH_AZURE_COMMUNICATION_SERVICES_KEY`: the connection string of the resource,
 * `endpoint=…;accesskey=…`. It is in the Azure portal, on the page Keys of the Communication Services resource.
 * Connect a verified domain of an Email Communication Services resource to it, and add the address of `from` there
 * under MailFrom addresses, which also keeps the name of the sender.
 *
 * Link and open tracking are turned off for these emails. Requests are signed, so the clock of the server must be right to a few minutes.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { azureCommunicationServices } from "@x/auth/providers/azure-communication-services";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [azureCommunicationServices({ from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `from` is missing or not exactly one mailbox, or a text for a header has several lines.
 * @see {@link https://learn.microsoft.com/rest/api/communication/email/email/send | Send an email at Azure}
 */
export function azureCommunicationServices<const Id extends string = "azure-communication-services">(
  options: AzureCommunicationServicesOptions<Id>,
): MailProvider<Id> {
  return mailProvider({
    id: "azure-communication-services",
    service: "Azure Communication Services",
    keys: "https://portal.azure.com/",
    senders: "https://portal.azure.com/",
    async request({ from, to, subject, html, text }, { key, now }) {
      const { endpoint, accessKey } = readConnection(key);
      const url = `${endpoint}/emails:send?api-version=2023-03-31`;
      const { body, headers } = jsonRequest(url, {}, {
        senderAddress: from.address,
        content: { subject, plainText: text, html },
        recipients: { to: [{ address: to }] },
        // A rewritten link would pass the token on, and look like a link to somebody else.
        userEngagementTrackingDisabled: true,
      });
      return { url, body, headers: await signAzure({ method: "POST", url, headers, body, now }, accessKey) };
    },
    error: { code: ["error.code"], words: ["error.message"] },
    refusals: {
      key: ["Denied", "Unauthorized"],
      address: ["DomainNotLinked", "InvalidSenderUserName", /sender|recipient|email address/i],
      limit: ["TooManyRequests"],
    },
  }, options);
}

function readConnection(text: string): { readonly endpoint: string; readonly accessKey: Uint8Array<ArrayBuffer> } {
  const [, endpoint = ""] = /(?:^|;)endpoint=([^;]+)/i.exec(text) ?? [];
  const [, encoded = ""] = /(?:^|;)accesskey=([\w+/]+={0,2})(?:;|$)/i.exec(text) ?? [];
  const url = URL.parse(endpoint);
  if (url && isSecureUrl(endpoint) && url.pathname === "/" && encoded.length % 4 === 0 && encoded !== "") {
    return { endpoint: url.origin, accessKey: Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0)) };
  }
  throw new InvalidConfig(
    "Cannot send email: `apiKey` of the provider azure-communication-services must be a connection string: " +
      "endpoint=https://…;accesskey=…",
  );
}

export default azureCommunicationServices;
