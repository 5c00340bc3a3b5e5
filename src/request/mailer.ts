/**
 * What sends emails that are not sign-in links.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { OutgoingMail } from "../contract/outgoing_mail.ts";
import type { Awaitable } from "../kernel/model.ts";

/** Sends an email. */
export type Mailer = (mail: OutgoingMail) => Awaitable<void>;

/** Finds what sends emails: `mail`, or else the first provider that can; `null` if there is none. */
export function mailerOf(
  { mail, providers, timeouts }: Pick<ResolvedConfig, "mail" | "providers" | "timeouts">,
): Mailer | null {
  if (mail) return mail;
  for (const provider of providers.values()) {
    if (provider.type !== "email" || !provider.sendMail) continue;
    const { sendMail } = provider;
    return (mail) => sendMail(mail, timeouts.request);
  }
  return null;
}
