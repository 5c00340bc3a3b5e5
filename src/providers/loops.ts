/**
 * Sign in with a link in an email that Loops sends.
 *
 * @module
 */
import { InvalidConfig } from "../kernel/errors.ts";
import { memberAt } from "./mail/failure.ts";
import { bearer, jsonRequest, type MailProvider, mailProvider, type MailServiceOptions } from "./mail/provider.ts";

export type { MailProvider } from "./mail/provider.ts";

/** Options of {@linkcode loops}. */
export interface LoopsOptions<Id extends string = string> extends MailServiceOptions<Id> {
  /** The id of the transactional email. Its sender, subject and text are kept at Loops. */
  transactionalId: string;
}

/**
 * Signs people in with a link in an email that Loops sends.
 *
 * Needs an adapter. Reads `AUTH_LOOPS_KEY`: an API key. Make it at {@link https://app.loops.so/settings?page=api |
 * app.loops.so}. Verify a sending domain under Settings, Domain. Publish a transactional email with the data
 * variable `url`, in a button or a link, and give its id as `transactionalId`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { loops } from "@x/auth/providers/loops";
 *
 * const { handler } = createAuth({
 *   adapter: memoryAdapter(),
 *   providers: [loops({ transactionalId: "clfq6dinn000yl70fgwwyp82l" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The template, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if `transactionalId` is missing.
 * @see {@link https://loops.so/docs/api-reference/send-transactional-email | Transactional emails at Loops}
 */
export function loops<const Id extends string = "loops">(options: LoopsOptions<Id>): MailProvider<Id> {
  const { transactionalId, ...rest } = options ?? {};
  if (!transactionalId) throw new InvalidConfig("Cannot send email: set `transactionalId` of the provider loops");
  return mailProvider({
    id: "loops",
    service: "Loops",
    keys: "https://app.loops.so/settings?page=api",
    senders: "https://app.loops.so/settings?page=domain",
    needsFrom: false,
    request: ({ to, url }, { key }) =>
      jsonRequest("https://app.loops.so/api/v1/transactional", bearer(key), {
        transactionalId,
        email: to,
        dataVariables: { url },
      }),
    accepted: (json) => memberAt(json, "success") === true,
    error: { code: ["error.reason"], words: ["error.message", "message", "error"] },
    refusals: {
      key: [/API key/i],
      address: [/email address|invalid email/i],
      limit: [/limit/i],
    },
  }, rest);
}

export default loops;
