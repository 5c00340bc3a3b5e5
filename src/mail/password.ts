/**
 * The emails to whoever registers with a password, or asks for a new one.
 *
 * @module
 */
import type { Theme } from "../kernel/model.ts";
import { durationIn } from "../texts/duration.ts";
import { fill, type Texts, type Wording } from "../texts/texts.ts";
import { buttonOf } from "./button.ts";
import { addressBelow, escape, filled, linkOf, mailDocument, oneLine, unlinked } from "./document.ts";

/** What an email is about, as its subject says it. */
export type PasswordMailText = "mailConfirm" | "mailHasAccount" | "mailReset" | "mailNoAccount";

/** What {@linkcode passwordMail} writes the email from. */
export interface PasswordMail {
  readonly what: PasswordMailText;
  /** Where its button leads. */
  readonly url: string;
  /** Where else it leads, with the text of the link. */
  readonly also?: { readonly url: string; readonly text: "mailResetButton" | "signUp" } | undefined;
  /** Seconds that the link works. @default it holds no secret */
  readonly lasting?: number | undefined;
  readonly wording: Wording;
  readonly theme: Theme;
}

/** The button of each email, and what it says below. */
const PARTS: Readonly<Record<PasswordMailText, readonly [button: keyof Texts, body: keyof Texts]>> = {
  mailConfirm: ["mailConfirmButton", "mailIgnore"],
  mailHasAccount: ["signIn", "mailHasAccountLead"],
  mailReset: ["mailResetButton", "mailResetIgnore"],
  mailNoAccount: ["signIn", "mailNoAccountLead"],
};

/** Writes the email. */
export function passwordMail(
  { what, url, also, lasting, wording: { texts, tag, dir, name }, theme }: PasswordMail,
): { readonly subject: string; readonly text: string; readonly html: string } {
  const [button, body] = PARTS[what];
  const shown = { name: unlinked(name), duration: durationIn(tag, lasting ?? 0) };
  const subject = oneLine(fill(texts[what], { name }));
  const lines = [...lasting === undefined ? [] : [texts.validFor], texts[body]];
  const alsoText = also && texts[also.text];
  return {
    subject,
    text: [
      subject,
      `${texts[button]}: ${url}`,
      ...also ? [`${alsoText}: ${also.url}`] : [],
      `${lines.map((line) => fill(line, shown)).join("\n")}\n`,
    ].join("\n\n"),
    html: mailDocument({
      tag,
      dir,
      theme,
      title: subject,
      preview: subject,
      heading: filled(texts[what], shown),
      button: buttonOf(escape(url), escape(texts[button]), theme),
      paragraphs: [
        ...lines.map((line) => `<p style="margin:0 0 12px">${filled(line, shown)}</p>`),
        ...also && alsoText ? [`<p style="margin:0 0 12px">${linkOf(also.url, alsoText)}</p>`] : [],
        ...addressBelow(url, texts),
      ],
    }),
  };
}
