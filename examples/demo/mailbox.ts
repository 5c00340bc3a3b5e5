/**
 * A mailbox that everybody can read. The demo sends its emails nowhere else.
 *
 * @module
 */
import type { EmailProvider, VerificationRequest } from "@x/auth";

/** An email that was sent. */
export interface SentEmail {
  readonly to: string;
  readonly url: string;
  readonly expires: Date;
}

/** The mailbox, and the provider that sends to it. */
export interface Mailbox {
  /** The last emails, newest first. */
  readonly emails: readonly SentEmail[];
  /** A provider that sends its sign-in links here. */
  readonly provider: EmailProvider;
}

const MAX_EMAILS = 20;

/** Creates the mailbox. A real site uses an email server, with `@x/auth/providers/nodemailer`. */
export function openMailbox(): Mailbox {
  const emails: SentEmail[] = [];
  const sendVerificationRequest = ({ identifier, url, expires }: VerificationRequest): void => {
    emails.unshift({ to: identifier, url, expires });
    emails.splice(MAX_EMAILS);
  };
  return { emails, provider: { id: "email", name: "email", type: "email", sendVerificationRequest } };
}
