/**
 * An email that is not a sign-in link.
 *
 * @module
 */

/** An email that the service asks to be sent, such as one that says that a passkey was added. */
export interface OutgoingMail {
  /** The address to send to: exactly one mailbox, which its owner has proven. */
  readonly to: string;
  /** The subject: one line. */
  readonly subject: string;
  /** The email as plain text. */
  readonly text: string;
  /** The email as HTML that loads nothing. */
  readonly html: string;
  /** The language that it is written in, as BCP 47 writes it. */
  readonly language: string;
}
