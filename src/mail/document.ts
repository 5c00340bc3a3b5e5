/**
 * The frame of every email, and how texts are put into one.
 *
 * @module
 */
import type { Theme } from "../kernel/model.ts";
import type { MailWording } from "../texts/mail.ts";
import { partOf, splitText, type Texts, type TextValues } from "../texts/texts.ts";

/** A line break would begin another header. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

/** Writes a time in a language. */
export function localTime(time: Date, tag: string): string {
  const day = { day: "numeric", month: "long", year: "numeric" } as const;
  const clock = { hour: "numeric", minute: "2-digit", timeZone: "UTC", timeZoneName: "short" } as const;
  return new Intl.DateTimeFormat(tag, { ...day, ...clock }).format(time);
}

/** Email programs turn text that looks like a host into a link. A zero-width space before each dot prevents that. */
export function unlinked(host: string): string {
  return host.replaceAll(".", "\u200b.");
}

/** Fills a text, as HTML. A name or a time may be written in the other direction than the text around it. */
export function filled(text: string, values: TextValues): string {
  return splitText(text).map((part) => {
    const value = partOf(part, values);
    return value === undefined ? escape(part) : `<bdi>${escape(value)}</bdi>`;
  }).join("");
}

/** The fonts of an email. */
export const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

// Email programs support tables and inline styles best. The style block adds only the colours of the dark scheme.
const DARK = ".canvas{background:#0e1014!important}.card{background:#191c23!important;border-color:#2c313c!important}" +
  ".ink{color:#f1f3f7!important}.quiet,.quiet a{color:#a6adbc!important}";

const ROW = `<tr><td align="center" style="padding:24px 24px 0">
`;
const ROW_END = `
</td></tr>
`;

/** What an email shows. */
export interface MailDocument extends Pick<MailWording, "tag" | "dir"> {
  readonly theme: Theme;
  /** The title of the document, and what mail programs show beside the subject: texts. */
  readonly title: string;
  readonly preview: string;
  /** The heading, and the button below it, if there is one: HTML. */
  readonly heading: string;
  readonly button?: string;
  /** The paragraphs below: HTML. */
  readonly paragraphs: readonly string[];
}

/** Writes an email as HTML that loads nothing. */
export function mailDocument(
  { tag, dir, theme, title, preview, heading, button, paragraphs }: MailDocument,
): string {
  const scheme = theme.colorScheme === "dark" || theme.colorScheme === "light" ? theme.colorScheme : "light dark";
  const style = scheme === "light dark" ? `@media (prefers-color-scheme:dark){${DARK}}` : scheme === "dark" ? DARK : "";
  return `<!DOCTYPE html>
<html lang="${tag}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme}">
<meta name="supported-color-schemes" content="${scheme}">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body class="canvas" style="margin:0;padding:0;background:#f3f4f6">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escape(preview)}</div>
<table role="presentation" dir="${dir}" class="canvas" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f3f4f6">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px;background:#ffffff;border:1px solid #e1e4ea;border-radius:16px">
<tr><td class="ink" align="center" style="padding:32px 24px 0;${FONT};font-size:22px;line-height:1.3;color:#14171f">
<h1 style="margin:0;font-size:22px;font-weight:650">${heading}</h1>
</td></tr>
${
    button
      ? ROW + button + ROW_END
      : ""
  }<tr><td class="quiet" style="padding:24px 24px 32px;${FONT};font-size:14px;line-height:1.5;color:#565d6d">
${paragraphs.join("\n")}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>`;
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text for HTML. */
export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? "");
}

/** Writes a link. */
export function linkOf(url: string, text: string): string {
  return `<a href="${escape(url)}" style="color:#565d6d">${escape(text)}</a>`;
}

/** Writes the last paragraphs: the address of the button, for whoever cannot press it. */
export function addressBelow(url: string, texts: Pick<Texts, "mailLink">): readonly string[] {
  return [
    `<p style="margin:0 0 12px">${escape(texts.mailLink)}</p>`,
    `<p style="margin:0;word-break:break-all;overflow-wrap:anywhere">${linkOf(url, url)}</p>`,
  ];
}
