/**
 * The email to the address of an account whose owner, or somebody else, says that every second factor is lost.
 *
 * @module
 */
import type { Theme } from "../kernel/model.ts";
import { fill, type Wording } from "../texts/texts.ts";
import { escape, filled, localTime, mailDocument, oneLine, unlinked } from "./document.ts";

/** What {@linkcode lostMail} writes the email from. */
export interface LostMail {
  /** When the account opens by email. */
  readonly opens: Date;
  readonly urls: {
    /** Where its owner enters then. */
    readonly enter: string;
    /** Where they give a second proof, which stops it. */
    readonly stop: string;
  };
  readonly wording: Wording;
  readonly theme: Theme;
}

/** Writes the email. Its links hold no secret: whoever opens them has to sign in. */
export function lostMail(
  { opens, urls: { enter, stop }, wording: { texts, tag, dir, name }, theme }: LostMail,
): { readonly subject: string; readonly text: string; readonly html: string } {
  const values = { name, time: localTime(opens, tag) };
  const subject = oneLine(fill(texts.mailRecoveryAsked, values));
  const shown = { ...values, name: unlinked(name) };
  const link = (url: string, text: string) => `<a href="${escape(url)}" style="color:#565d6d">${escape(text)}</a>`;
  return {
    subject,
    text: `${subject}\n\n${fill(texts.mailRecoveryWhen, shown)}\n\n${enter}\n\n${texts.mailRecoveryStop}: ${stop}\n`,
    html: mailDocument({
      tag,
      dir,
      theme,
      title: subject,
      preview: subject,
      heading: filled(texts.mailRecoveryAsked, shown),
      paragraphs: [
        `<p style="margin:0 0 12px">${filled(texts.mailRecoveryWhen, shown)}</p>`,
        `<p style="margin:0 0 12px">${link(enter, enter)}</p>`,
        `<p style="margin:0">${link(stop, texts.mailRecoveryStop)}</p>`,
      ],
    }),
  };
}
