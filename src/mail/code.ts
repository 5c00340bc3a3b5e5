/**
 * The email with a code of a second factor.
 *
 * @module
 */
import type { Theme } from "../kernel/model.ts";
import { fill, type Wording } from "../texts/texts.ts";
import { escape, filled, mailDocument, oneLine, unlinked } from "./document.ts";

/** What {@linkcode codeMail} writes the email from. */
export interface CodeMail {
  readonly code: string;
  readonly wording: Wording;
  readonly theme: Theme;
}

/** Writes the email. It has no link, and programs find the code in its subject. */
export function codeMail(
  { code, wording: { texts, tag, dir, name }, theme }: CodeMail,
): { readonly subject: string; readonly text: string; readonly html: string } {
  const subject = oneLine(fill(texts.mailFactorCode, { name, code }));
  const shown = { name: unlinked(name), code };
  const body = [texts.mailFactorCodeUse, texts.mailFactorCodeNotYou];
  return {
    subject,
    text: `${subject}\n\n${code}\n\n${body.map((text) => fill(text, shown)).join("\n")}\n`,
    html: mailDocument({
      tag,
      dir,
      theme,
      title: subject,
      preview: subject,
      heading: filled(texts.mailFactorCode, shown),
      button: `<p class="ink" dir="ltr" style="margin:0;font-size:32px;letter-spacing:4px;color:#14171f">${
        escape(code)
      }</p>`,
      paragraphs: body.map((text, at) => `<p style="margin:0${at === 0 ? " 0 12px" : ""}">${filled(text, shown)}</p>`),
    }),
  };
}
