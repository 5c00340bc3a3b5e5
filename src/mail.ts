/**
 * The email with the sign-in link.
 *
 * @module
 */
import type { Theme } from "./kernel/model.ts";
import { MAIL_TEXTS, type MailTexts, type MailWording } from "./texts/mail.ts";
import { durationIn } from "./texts/duration.ts";
import { fill } from "./texts/texts.ts";
import { buttonOf } from "./mail/button.ts";
import { escape, filled, localTime, mailDocument, oneLine, unlinked } from "./mail/document.ts";

export type { MailTexts, MailWording };

/** What {@linkcode signInMail} writes the email from. */
export interface MailContent {
  /** The link that signs in. */
  readonly url: string;
  /** When the link expires. */
  readonly expires: Date;
  /** How the built-in pages look. The email uses the same colours, and the name. */
  readonly theme: Theme;
  /** The language and its texts, as `sendVerificationRequest` gets them. @default English */
  readonly wording?: MailWording | undefined;
  /** The provider, as `sendVerificationRequest` gets it: its `maxAge` is how long the link works. @default not said */
  readonly provider?: { readonly maxAge?: number | undefined } | undefined;
}

/** An email, ready to be sent. */
export interface MailText {
  /** The subject. It contains the name of the site, and nothing that a visitor wrote. */
  readonly subject: string;
  /** The email as plain text. */
  readonly text: string;
  /** The email as HTML that loads nothing. */
  readonly html: string;
}

/**
 * Writes the sign-in email, for a sender of your own.
 *
 * All text is escaped, and nothing is loaded from elsewhere. Of the theme only the name and the colours are used, if they
 * are valid. Give it the whole request: then the email is in the language of the visitor who asked for it.
 *
 * @example Usage
 * ```ts
 * import type { EmailProvider } from "@x/auth";
 * import { signInMail } from "@x/auth/mail";
 *
 * const provider: EmailProvider = {
 *   id: "email",
 *   name: "Email",
 *   type: "email",
 *   async sendVerificationRequest(request) {
 *     const body = JSON.stringify({ to: request.identifier, from: "hello@example.com", ...signInMail(request) });
 *     const response = await fetch("https://mail.example.com/send", { method: "POST", body });
 *     if (!response.ok) throw new Error(`The mail service answered ${response.status}`);
 *   },
 * };
 * ```
 *
 * @param content The link, when it ends, the theme, and the language.
 * @returns Subject, text and HTML.
 * @throws {TypeError} if `url` is not a URL.
 */
export function signInMail({ url, expires, theme, wording, provider }: MailContent): MailText {
  const { host } = new URL(url);
  const { tag, dir, texts } = wording ?? ENGLISH;
  const name = oneLine(wording?.name || theme.name || "") || host;
  const time = wording ? localTime(expires, tag) : expires.toUTCString();
  const subject = oneLine(fill(texts.mailSubject, { name }));
  const values = { name: unlinked(name), time, ...lastingFor(provider, tag) };
  const limits = values.duration && texts.validFor ? [texts.mailExpires, texts.validFor] : [texts.mailExpires];
  const link = escape(url);
  const until = limits.map((text) => fill(text, values)).join("\n");
  return {
    subject,
    text: `${subject}\n\n${url}\n\n${until}\n${texts.mailIgnore}\n`,
    html: mailDocument({
      tag,
      dir,
      theme,
      title: subject,
      preview: until,
      heading: filled(texts.mailSubject, values),
      button: buttonOf(link, escape(texts.mailButton), theme),
      paragraphs: [
        `<p style="margin:0 0 12px">${escape(texts.mailLink)}</p>`,
        `<p style="margin:0 0 12px;word-break:break-all;overflow-wrap:anywhere"><a dir="ltr" href="${link}" style="color:#565d6d">${link}</a></p>`,
        `<p style="margin:0 0 12px">${limits.map((text) => filled(text, values)).join("<br>")}</p>`,
        `<p style="margin:0">${escape(texts.mailIgnore)}</p>`,
      ],
    }),
  };
}

function lastingFor(provider: MailContent["provider"], tag: string): { readonly duration?: string } {
  const maxAge = provider?.maxAge;
  return typeof maxAge === "number" && Number.isFinite(maxAge) ? { duration: durationIn(tag, maxAge) } : {};
}

const ENGLISH = { tag: "en", dir: "ltr", texts: MAIL_TEXTS } as const;
