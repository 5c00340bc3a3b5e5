/** Mails that never leave the test: a provider that keeps them, and what one reads in them. */
import assert from "node:assert/strict";
import type { EmailOptions, EmailProvider, VerificationRequest } from "@x/auth";

/** A provider, and what it was asked to send. */
export interface Mailbox {
  readonly provider: EmailProvider;
  /** Every mail, oldest first. */
  readonly mails: VerificationRequest[];
  /** The link of the newest mail. */
  link(): URL;
}

/** Makes a mailbox for everybody. Its provider is called `email`. */
export function mailbox(options: EmailOptions = {}): Mailbox {
  const mails: VerificationRequest[] = [];
  const provider: EmailProvider = {
    id: "email",
    name: "Email",
    type: "email",
    sendVerificationRequest: (mail) => void mails.push(mail),
    options,
  };
  return {
    provider,
    mails,
    link() {
      const mail = mails.at(-1);
      assert.ok(mail, "a mail was sent");
      return new URL(mail.url);
    },
  };
}
