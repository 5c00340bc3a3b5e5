/**
 * The email that says what was added to an account.
 *
 * @module
 */
import type { Theme } from "../kernel/model.ts";
import { fill, type Wording } from "../texts/texts.ts";
import { filled, localTime, mailDocument, oneLine, unlinked } from "./document.ts";

/** What {@linkcode noticeMail} writes the email from. */
export interface Notice {
  /** The text that says what has happened. */
  readonly what: "mailAccountAdded" | "mailPasskeyAdded";
  /** The name of the way of signing in. */
  readonly provider: string;
  readonly time: Date;
  readonly wording: Wording;
  readonly theme: Theme;
}

/** Writes the email. It has no link: one that looks like it must not lead anywhere. */
export function noticeMail(
  { what, provider, time, wording: { texts, tag, dir, name }, theme }: Notice,
): { readonly subject: string; readonly text: string; readonly html: string } {
  const values = { name, provider, time: localTime(time, tag) };
  const subject = oneLine(fill(texts[what], values));
  const shown = { ...values, name: unlinked(name), provider: unlinked(provider) };
  const body = [texts.mailTime, texts.mailNotYou];
  return {
    subject,
    text: `${subject}\n\n${body.map((text) => fill(text, shown)).join("\n")}\n`,
    html: mailDocument({
      tag,
      dir,
      theme,
      title: subject,
      preview: fill(texts.mailTime, values),
      heading: filled(texts[what], shown),
      paragraphs: [
        `<p style="margin:0 0 12px">${filled(texts.mailTime, shown)}</p>`,
        `<p style="margin:0">${filled(texts.mailNotYou, shown)}</p>`,
      ],
    }),
  };
}
