/**
 * The email that says what was added to an account.
 *
 * @module
 */
import type { Theme } from "../kernel/model.ts";
import { fill, type Texts, type Wording } from "../texts/texts.ts";
import { durationIn } from "../texts/duration.ts";
import { escape, filled, localTime, mailDocument, oneLine, unlinked } from "./document.ts";

/** A text that says what has happened to an account. */
export type NoticeText =
  | "mailAccountAdded"
  | "mailPasskeyAdded"
  | "mailPasswordChanged"
  | "mailPasswordRemoved"
  | "mailPasswordSet"
  | "mailFactorsOn"
  | "mailTotpAdded"
  | "mailFactorRemoved"
  | "mailRecoveryReplaced"
  | "mailRecoveryUsed"
  | "mailAccountRemoved"
  | "mailPasskeyRemoved"
  | "mailEmailChanged"
  | "mailDataExported"
  | "mailAccountDeleted"
  | "mailKept"
  | "mailRemovalUndone";

/** A link that undoes what has happened. */
export interface UndoLink {
  readonly url: string;
  /** Seconds that it works. */
  readonly lasting: number;
}

/** What {@linkcode noticeMail} writes the email from. */
export interface Notice {
  /** The text that says what has happened. */
  readonly what: NoticeText;
  /** The name of the way of signing in. */
  readonly provider: string;
  /** @default it cannot be undone */
  readonly undo?: UndoLink | undefined;
  readonly time: Date;
  readonly wording: Wording;
  readonly theme: Theme;
}

/** Whoever cannot sign in any more needs other advice than to sign in. */
const NOT_YOU: Readonly<Partial<Record<NoticeText, keyof Texts>>> = {
  mailPasswordChanged: "mailPasswordNotYou",
  mailPasswordRemoved: "mailPasswordNotYou",
  mailPasswordSet: "mailPasswordNotYou",
  mailEmailChanged: "mailTellSite",
  mailAccountDeleted: "mailTellSite",
};

/** Writes the email. It has no link but one that undoes: one that looks like it must not lead anywhere. */
export function noticeMail(
  { what, provider, undo, time, wording: { texts, tag, dir, name }, theme }: Notice,
): { readonly subject: string; readonly text: string; readonly html: string } {
  const duration = durationIn(tag, undo?.lasting ?? 0);
  const values = { name, provider, time: localTime(time, tag), duration };
  const subject = oneLine(fill(texts[what], values));
  const shown = { ...values, name: unlinked(name), provider: unlinked(provider) };
  const notYou = texts[NOT_YOU[what] ?? "mailNotYou"];
  const body = [texts.mailTime, notYou, ...undo ? [texts.mailUndo] : []].map((text) => fill(text, shown));
  return {
    subject,
    text: `${subject}\n\n${[...body, ...undo ? [undo.url] : []].join("\n")}\n`,
    html: mailDocument({
      tag,
      dir,
      theme,
      title: subject,
      preview: fill(texts.mailTime, values),
      heading: filled(texts[what], shown),
      paragraphs: [
        `<p style="margin:0 0 12px">${filled(texts.mailTime, shown)}</p>`,
        `<p style="margin:0">${filled(notYou, shown)}</p>`,
        ...undo
          ? [
            `<p style="margin:12px 0 0">${filled(texts.mailUndo, shown)}</p>`,
            `<p style="margin:12px 0 0"><a href="${escape(undo.url)}" style="color:#565d6d">${
              escape(texts.undo)
            }</a></p>`,
          ]
          : [],
      ],
    }),
  };
}
