/**
 * The texts of the email with the sign-in link. Those in English stand here, so that an email can be written without the
 * texts of the pages.
 *
 * @module
 */
import type { Texts, Wording } from "./texts.ts";

/** The texts of the email with the sign-in link. */
export interface MailTexts
  extends Pick<Texts, "mailSubject" | "mailButton" | "mailLink" | "mailExpires" | "mailIgnore"> {
  /** How long the link works. Left out of an email whose texts do not have it. */
  readonly validFor?: string;
}

/** In which words an email is written. */
export interface MailWording extends Omit<Wording, "texts"> {
  /** The texts, with those that `pages.texts` replaces. */
  readonly texts: MailTexts;
}

/** English. */
export const MAIL_TEXTS: Required<MailTexts> = {
  mailSubject: "Sign in to {name}",
  mailButton: "Sign in",
  mailLink: "Does the button not work? Open this link:",
  mailExpires: "The link works once, until {time}.",
  validFor: "Valid for: {duration}",
  mailIgnore: "If you did not ask for it, you can ignore this email: nobody gets in without the link.",
};
