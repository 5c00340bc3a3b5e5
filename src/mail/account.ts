/**
 * The emails about another address, and about the end of an account.
 *
 * @module
 */
import type { Theme } from "../kernel/model.ts";
import { durationIn } from "../texts/duration.ts";
import { fill, type Texts, type Wording } from "../texts/texts.ts";
import { buttonOf } from "./button.ts";
import { addressBelow, escape, filled, localTime, mailDocument, oneLine, unlinked } from "./document.ts";

/** What an email is about, as its subject says it. */
export type AccountMailText =
  | "mailEmailNew"
  | "mailEmailTaken"
  | "mailEmailFormer"
  | "mailEmailWaits"
  | "mailEmailStopped"
  | "mailDeletion";

/** What {@linkcode accountMail} writes the email from. */
export interface AccountMail {
  readonly what: AccountMailText;
  /** Where its button leads. */
  readonly url: string;
  /** The new address, in those that say it. */
  readonly email?: string | undefined;
  /** When it happens, in those that say it. */
  readonly at?: Date | undefined;
  /** Seconds that the link works. @default it holds no secret */
  readonly lasting?: number | undefined;
  /** Whether all sessions have ended. @default {false} */
  readonly endedAll?: boolean | undefined;
  readonly wording: Wording;
  readonly theme: Theme;
}

/** The button of each email, and what it says below. */
const PARTS: Readonly<Record<AccountMailText, readonly [button: keyof Texts, ...body: (keyof Texts)[]]>> = {
  mailEmailNew: ["mailEmailNewButton", "mailEmailNewIgnore"],
  mailEmailTaken: ["signIn", "mailEmailTakenLead"],
  mailEmailFormer: ["mailEmailFormerButton", "mailEmailFormerLead"],
  mailEmailWaits: ["mailEmailWaitsButton", "mailEmailFormerLead", "mailEmailWaitsWhen"],
  mailEmailStopped: ["signIn"],
  mailDeletion: ["mailDeletionButton", "mailDeletionWhen"],
};

/** Writes the email. */
export function accountMail(
  { what, url, email = "", at, lasting, endedAll = false, wording: { texts, tag, dir, name }, theme }: AccountMail,
): { readonly subject: string; readonly text: string; readonly html: string } {
  const [button, ...body] = PARTS[what];
  const values = {
    name,
    email,
    time: at ? localTime(at, tag) : "",
    duration: durationIn(tag, lasting ?? 0),
  };
  const shown = { ...values, name: unlinked(name), email: unlinked(email) };
  const subject = oneLine(fill(texts[what], values));
  const lines = [
    ...body.map((key) => texts[key]),
    ...endedAll ? [texts.mailEmailStoppedLead] : [],
    ...lasting === undefined ? [] : [texts.validFor],
  ];
  const said = lines.map((line) => fill(line, shown)).join("\n");
  return {
    subject,
    text: [subject, `${texts[button]}: ${url}`, ...lines.length > 0 ? [said] : []].join("\n\n") + "\n",
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
        ...addressBelow(url, texts),
      ],
    }),
  };
}
