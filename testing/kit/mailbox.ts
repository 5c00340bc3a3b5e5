/**
 * A mailbox for everybody: emails that never leave the test.
 *
 * @module
 */
import type { OutgoingMail } from "../../src/contract/outgoing_mail.ts";
import type { EmailOptions, EmailProvider, VerificationRequest } from "../../src/contract/provider.ts";

/** An email that was sent. */
export interface Mail {
  /** The address. */
  readonly to: string;
  /** The link or the code to sign in with, if it is a sign-in email. */
  readonly signIn?: VerificationRequest;
  /** What it says, if it is any other. */
  readonly message?: OutgoingMail;
}

/** Every email that a service sends. */
export interface Mailbox {
  /** Every email, oldest first. */
  readonly all: readonly Mail[];
  /** The sign-in emails, oldest first. */
  readonly mails: readonly VerificationRequest[];
  /**
   * The link of the newest email.
   *
   * @param address Whose; without it, anybody's.
   * @throws {Error} if there is none.
   */
  link(address?: string): URL;
  /**
   * The code of the newest email: of a sign-in email the token, which is the code if `generateVerificationToken` makes
   * one; of any other the first 4 to 10 digits.
   *
   * @param address Whose; without it, anybody's.
   * @throws {Error} if there is none.
   */
  code(address?: string): string;
}

/** A mailbox, and what fills it. */
export interface OpenMailbox extends Mailbox {
  readonly mails: VerificationRequest[];
  /** A provider of emails that puts them here. Its id is `email`. */
  readonly provider: EmailProvider;
  /** Puts a sign-in email here. */
  keep(mail: VerificationRequest): void;
  /** Puts any other email here. */
  keepMessage(mail: OutgoingMail): void;
}

/** Makes a mailbox. @param options Options of its provider. */
export function mailbox(options: EmailOptions = {}): OpenMailbox {
  const all: Mail[] = [];
  const mails: VerificationRequest[] = [];
  const newest = (address: string | undefined): Mail => {
    const mail = all.findLast(({ to }) => address === undefined || to.toLowerCase() === address.toLowerCase());
    if (mail) return mail;
    const known = [...new Set(all.map(({ to }) => to))].join(", ") || "nobody";
    throw new Error(`Cannot find an email to ${address ?? "anybody"}: there were emails to ${known}`);
  };
  const keep = (mail: VerificationRequest): void => {
    mails.push(mail);
    all.push({ to: mail.identifier, signIn: mail });
  };
  return {
    all,
    mails,
    keep,
    keepMessage: (message) => void all.push({ to: message.to, message }),
    provider: { id: "email", name: "Email", type: "email", sendVerificationRequest: keep, options },
    link(address) {
      const { to, signIn, message } = newest(address);
      const link = signIn?.url ?? /https?:\/\/[^\s<>"]+/.exec(message?.text ?? "")?.[0];
      if (link === undefined) throw new Error(`The newest email to ${to} has no link`);
      return new URL(link);
    },
    code(address) {
      const { to, signIn, message } = newest(address);
      const code = signIn?.token ?? /\b\d{4,10}\b/.exec(message?.text ?? "")?.[0];
      if (code === undefined) throw new Error(`The newest email to ${to} has no code`);
      return code;
    },
  };
}
