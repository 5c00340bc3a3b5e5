/** Mails that never leave the test: a provider that keeps them, and what one reads in them. */
export { mailbox, type OpenMailbox as Mailbox } from "../../testing/kit/mailbox.ts";
