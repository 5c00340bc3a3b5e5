/**
 * Sign in with a link in an email that Amazon SES sends.
 *
 * @module
 */
import { InvalidConfig } from "../kernel/errors.ts";
import type { Awaitable } from "../kernel/model.ts";
import { asciiSender } from "./mail/message.ts";
import { jsonRequest, type MailOptions, type MailProvider, mailProvider } from "./mail/provider.ts";
import { type AwsCredentials, signAws } from "./mail/signature.ts";

export type { MailProvider } from "./mail/provider.ts";

export type { AwsCredentials };

/** Options of {@linkcode amazonSes}. */
export interface AmazonSesOptions<Id extends string = string> extends MailOptions<Id> {
  /** The region of the identity, such as `eu-west-1`. */
  region: string;
  /**
   * The credentials, or a function that returns them for each email, for those that change.
   *
   * @default `apiKey`
   */
  credentials?: AwsCredentials | (() => Awaitable<AwsCredentials>) | undefined;
}

/**
 * Signs people in with a link in an email that Amazon SES sends.
 *
 * Needs an adapter. Reads `AUTH_AMAZON_SES_KEY`: the id of an access key and its secret, joined by a colon, and the
 * session token of temporary credentials after a second one. Make a key for an IAM user that may `ses:SendEmail`,
 * in the IAM console under Users, Security credentials. Verify the domain or the address of `from` in the SES
 * console under Identities, in the same region. In the sandbox, recipients must be verified, too: ask for
 * production access.
 *
 * Requests are signed (AWS Signature Version 4), so the clock of the server must be right to five minutes.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { amazonSes } from "@x/auth/providers/amazon-ses";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [amazonSes({ region: "eu-west-1", from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `region` is not a region, or `from` is missing or not exactly one mailbox.
 * @see {@link https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html | SendEmail of Amazon SES}
 */
export function amazonSes<const Id extends string = "amazon-ses">(options: AmazonSesOptions<Id>): MailProvider<Id> {
  const { region, credentials, ...rest } = options ?? {};
  if (!/^[a-z]{2}(?:-[a-z]+)+-\d{1,2}$/.test(region)) {
    throw new InvalidConfig(
      'Cannot send email: `region` of the provider amazon-ses must be a region such as "eu-west-1"',
    );
  }
  const url = `https://email.${region}.amazonaws.com/v2/email/outbound-emails`;
  return mailProvider({
    id: "amazon-ses",
    service: "Amazon SES",
    keys: "https://console.aws.amazon.com/iam/",
    senders: `https://${region}.console.aws.amazon.com/ses/home#/identities`,
    needsApiKey: !credentials,
    async request({ from, to, subject, html, text }, { key, now }) {
      const content = (Data: string) => ({ Data, Charset: "UTF-8" });
      const { body, headers } = jsonRequest(url, {}, {
        FromEmailAddress: asciiSender(from),
        Destination: { ToAddresses: [to] },
        Content: { Simple: { Subject: content(subject), Body: { Html: content(html), Text: content(text) } } },
      });
      const given = typeof credentials === "function" ? await credentials() : credentials ?? credentialsIn(key);
      const scope = { credentials: given, region, service: "ses" };
      return { url, body, headers: await signAws({ method: "POST", url, headers, body, now }, scope) };
    },
    error: { header: "x-amzn-errortype", code: ["__type", "code"], words: ["message", "Message"] },
    refusals: {
      key: [
        "UnrecognizedClientException",
        "InvalidSignatureException",
        "SignatureDoesNotMatch",
        "IncompleteSignature",
        "MissingAuthenticationTokenException",
        "AccessDeniedException",
        "ExpiredTokenException",
        "InvalidClientTokenId",
      ],
      address: ["MailFromDomainNotVerifiedException", /not verified|address/i],
      limit: ["TooManyRequestsException", "LimitExceededException", "ThrottlingException", /quota|rate exceeded/i],
    },
  }, rest);
}

function credentialsIn(key: string): AwsCredentials {
  const [accessKeyId, secretAccessKey, sessionToken] = key.split(":");
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, sessionToken };
  throw new InvalidConfig(
    "Cannot send email: `apiKey` of the provider amazon-ses must be the id of an access key and its secret, joined by a " +
      "colon",
  );
}

export default amazonSes;
