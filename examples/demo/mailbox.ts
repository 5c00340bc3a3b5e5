/**
 * A mailbox that everybody can read. The demo sends its emails nowhere else.
 *
 * @module
 */
import type { EmailProvider, OutgoingMail, VerificationRequest } from "@x/auth";

/** An email that was sent. */
export interface SentEmail {
  readonly to: string;
  readonly subject: string;
  readonly links: readonly { readonly text: string; readonly url: string }[];
  readonly sent: Date;
}

/** The mailbox, and what sends to it. */
export interface Mailbox {
  /** The last emails, newest first. */
  readonly emails: readonly SentEmail[];
  /** A provider that sends its sign-in links here. */
  readonly provider: EmailProvider;
  /** Sends all other emails here: about passwords, and what was added to an account. */
  readonly mail: (mail: OutgoingMail) => void;
}

const MAX_EMAILS = 20;

/** Creates the mailbox. A real site uses an email server, with `@x/auth/providers/nodemailer`. */
export function openMailbox(): Mailbox {
  const emails: SentEmail[] = [];
  const deliver = (email: Omit<SentEmail, "sent">): void => {
    emails.unshift({ ...email, sent: new Date() });
    emails.splice(MAX_EMAILS);
  };
  const sendVerificationRequest = ({ identifier: to, url }: VerificationRequest): void => {
    deliver({ to, subject: "Your sign-in link", links: [{ text: `Sign in as ${to}`, url }] });
  };
  return {
    emails,
    provider: { id: "email", name: "email", type: "email", sendVerificationRequest },
    mail: ({ to, subject, text }) => deliver({ to, subject, links: linksIn(text) }),
  };
}

/** Finds the links of an email: each has a line of its own, after what it is for. One that undoes something stands alone. */
function linksIn(text: string): SentEmail["links"] {
  return [...text.matchAll(/^(?:(.+): )?(https?:\S+)$/gm)].map(([, text = "Undo it", url = ""]) => ({ text, url }));
}
