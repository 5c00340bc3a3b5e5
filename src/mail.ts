/**
 * The email with the sign-in link.
 *
 * @module
 */
import { isColor, readableOn } from "./http/color.ts";
import type { Theme } from "./kernel/model.ts";
import { MAIL_TEXTS, type MailTexts, type MailWording } from "./texts/mail.ts";
import { durationIn } from "./texts/duration.ts";
import { fill, partOf, splitText, type TextValues } from "./texts/texts.ts";

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
  const until = limits.map((text) => fill(text, values)).join("\n");
  return {
    subject,
    text: `${subject}\n\n${url}\n\n${until}\n${texts.mailIgnore}\n`,
    html: documentOf({ url, subject, until, limits, tag, dir, texts, values }, theme),
  };
}

function lastingFor(provider: MailContent["provider"], tag: string): { readonly duration?: string } {
  const maxAge = provider?.maxAge;
  return typeof maxAge === "number" && Number.isFinite(maxAge) ? { duration: durationIn(tag, maxAge) } : {};
}

const ENGLISH = { tag: "en", dir: "ltr", texts: MAIL_TEXTS } as const;

/** A line break would begin another header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

function localTime(time: Date, tag: string): string {
  const day = { day: "numeric", month: "long", year: "numeric" } as const;
  const clock = { hour: "numeric", minute: "2-digit", timeZone: "UTC", timeZoneName: "short" } as const;
  return new Intl.DateTimeFormat(tag, { ...day, ...clock }).format(time);
}

// Email programs turn text that looks like a host into a link. A zero-width space before each dot prevents that.
function unlinked(host: string): string {
  return host.replaceAll(".", "\u200b.");
}

interface Parts extends Omit<MailWording, "name"> {
  readonly url: string;
  readonly subject: string;
  readonly until: string;
  /** The texts on how long the link works. */
  readonly limits: readonly string[];
  readonly values: TextValues;
}

// A name or a time may be written in the other direction than the text around it.
function filled(text: string, values: TextValues): string {
  return splitText(text).map((part) => {
    const value = partOf(part, values);
    return value === undefined ? escape(part) : `<bdi>${escape(value)}</bdi>`;
  }).join("");
}

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

// Email programs support tables and inline styles best. The style block adds only the colours of the dark scheme.
const DARK = ".canvas{background:#0e1014!important}.card{background:#191c23!important;border-color:#2c313c!important}" +
  ".ink{color:#f1f3f7!important}.quiet,.quiet a{color:#a6adbc!important}";

function documentOf({ url, subject, until, limits, tag, dir, texts, values }: Parts, theme: Theme): string {
  const scheme = theme.colorScheme === "dark" || theme.colorScheme === "light" ? theme.colorScheme : "light dark";
  const style = scheme === "light dark" ? `@media (prefers-color-scheme:dark){${DARK}}` : scheme === "dark" ? DARK : "";
  const link = escape(url);
  return `<!DOCTYPE html>
<html lang="${tag}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme}">
<meta name="supported-color-schemes" content="${scheme}">
<title>${escape(subject)}</title>
<style>${style}</style>
</head>
<body class="canvas" style="margin:0;padding:0;background:#f3f4f6">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escape(until)}</div>
<table role="presentation" dir="${dir}" class="canvas" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f3f4f6">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px;background:#ffffff;border:1px solid #e1e4ea;border-radius:16px">
<tr><td class="ink" align="center" style="padding:32px 24px 0;${FONT};font-size:22px;line-height:1.3;color:#14171f">
<h1 style="margin:0;font-size:22px;font-weight:650">${filled(texts.mailSubject, values)}</h1>
</td></tr>
<tr><td align="center" style="padding:24px 24px 0">
${buttonOf(link, escape(texts.mailButton), theme)}
</td></tr>
<tr><td class="quiet" style="padding:24px 24px 32px;${FONT};font-size:14px;line-height:1.5;color:#565d6d">
<p style="margin:0 0 12px">${escape(texts.mailLink)}</p>
<p style="margin:0 0 12px;word-break:break-all;overflow-wrap:anywhere"><a dir="ltr" href="${link}" style="color:#565d6d">${link}</a></p>
<p style="margin:0 0 12px">${limits.map((text) => filled(text, values)).join("<br>")}</p>
<p style="margin:0">${escape(texts.mailIgnore)}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>`;
}

const BRAND = "#3553cf";

function buttonOf(link: string, text: string, { brandColor, buttonText }: Theme): string {
  const back = brandColor !== undefined && isColor(brandColor) ? brandColor : BRAND;
  const ink = buttonText !== undefined && isColor(buttonText) ? buttonText : readableOn(back) ?? "#ffffff";
  const shape = `display:inline-block;padding:12px 28px;border-radius:10px;${FONT};font-size:16px;font-weight:600`;
  // The cell has the colour too, for programs that ignore the background of links.
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0">
<tr><td align="center" bgcolor="${back}" style="border-radius:10px;background:${back}">
<a href="${link}" style="${shape};line-height:1.4;color:${ink};background:${back};text-decoration:none">${text}</a>
</td></tr>
</table>`;
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? "");
}
