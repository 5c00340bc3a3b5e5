/**
 * A mailbox that everybody can read: mails of the demo go nowhere else.
 *
 * @module
 */
import type { EmailProvider, VerificationRequest } from "@x/auth";

/** A mail that was sent. */
export interface Mail {
  readonly to: string;
  readonly url: string;
  readonly expires: Date;
}

/** The last mails, newest first. */
export interface Mailbox {
  readonly mails: readonly Mail[];
  /** A way to sign in by a link that is sent here. */
  readonly provider: EmailProvider;
}

const MOST_MAILS = 20;

/** Opens the mailbox. A real site gives its provider a mail server, as `@x/auth/providers/nodemailer` does. */
export function openMailbox(): Mailbox {
  const mails: Mail[] = [];
  const sendVerificationRequest = ({ identifier, url, expires }: VerificationRequest): void => {
    mails.unshift({ to: identifier, url, expires });
    mails.splice(MOST_MAILS);
  };
  return { mails, provider: { id: "email", name: "e-mail", type: "email", sendVerificationRequest } };
}
