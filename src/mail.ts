/**
 * The email with the sign-in link.
 *
 * @module
 */
import { isColor, readableOn } from "./http/color.ts";
import type { Theme } from "./kernel/model.ts";

/** What {@linkcode signInMail} writes the email from. */
export interface MailContent {
  /** The link that signs in. */
  readonly url: string;
  /** When the link expires. */
  readonly expires: Date;
  /** How the built-in pages look. The email uses the same colours. */
  readonly theme: Theme;
}

/** An email, ready to be sent. */
export interface MailText {
  /** The subject. It contains the host, and nothing that a visitor wrote. */
  readonly subject: string;
  /** The email as plain text. */
  readonly text: string;
  /** The email as HTML that loads nothing. */
  readonly html: string;
}

/**
 * Writes the sign-in email, for a sender of your own.
 *
 * All text is escaped, and nothing is loaded from elsewhere. Of the theme only the colours are used, if they are valid.
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
 *   async sendVerificationRequest({ identifier, url, expires, theme }) {
 *     const body = JSON.stringify({ to: identifier, from: "hello@example.com", ...signInMail({ url, expires, theme }) });
 *     const response = await fetch("https://mail.example.com/send", { method: "POST", body });
 *     if (!response.ok) throw new Error(`The mail service answered ${response.status}`);
 *   },
 * };
 * ```
 *
 * @param content The link, when it ends, and the theme.
 * @returns Subject, text and HTML.
 * @throws {TypeError} if `url` is not a URL.
 */
export function signInMail({ url, expires, theme }: MailContent): MailText {
  const { host } = new URL(url);
  const until = `The link works once, until ${expires.toUTCString()}.`;
  const subject = `Sign in to ${host}`;
  return {
    subject,
    text: `${subject}\n\n${url}\n\n${until}\n${IGNORE}\n`,
    html: documentOf({ title: subject, heading: `Sign in to ${unlinked(host)}`, until, url }, theme),
  };
}

const IGNORE = "If you did not ask for it, you can ignore this mail: nobody gets in without the link.";

// Email programs turn whatever looks like a host into a link. A zero-width space before each dot prevents that.
function unlinked(host: string): string {
  return host.replaceAll(".", "\u200b.");
}

type Texts = Readonly<Record<"title" | "heading" | "until" | "url", string>>;

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

// Email programs support tables and inline styles best. The style block adds only the colours of the dark scheme.
const DARK = ".canvas{background:#0e1014!important}.card{background:#191c23!important;border-color:#2c313c!important}" +
  ".ink{color:#f1f3f7!important}.quiet,.quiet a{color:#a6adbc!important}";

function documentOf({ title, heading, until, url }: Texts, theme: Theme): string {
  const scheme = theme.colorScheme === "dark" || theme.colorScheme === "light" ? theme.colorScheme : "light dark";
  const style = scheme === "light dark" ? `@media (prefers-color-scheme:dark){${DARK}}` : scheme === "dark" ? DARK : "";
  const link = escape(url);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme}">
<meta name="supported-color-schemes" content="${scheme}">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body class="canvas" style="margin:0;padding:0;background:#f3f4f6">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escape(until)}</div>
<table role="presentation" class="canvas" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f3f4f6">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px;background:#ffffff;border:1px solid #e1e4ea;border-radius:16px">
<tr><td class="ink" align="center" style="padding:32px 24px 0;${FONT};font-size:22px;line-height:1.3;color:#14171f">
<h1 style="margin:0;font-size:22px;font-weight:650">${escape(heading)}</h1>
</td></tr>
<tr><td align="center" style="padding:24px 24px 0">
${buttonOf(link, theme)}
</td></tr>
<tr><td class="quiet" style="padding:24px 24px 32px;${FONT};font-size:14px;line-height:1.5;color:#565d6d">
<p style="margin:0 0 12px">Does the button not work? Open this link:</p>
<p style="margin:0 0 12px;word-break:break-all;overflow-wrap:anywhere"><a href="${link}" style="color:#565d6d">${link}</a></p>
<p style="margin:0 0 12px">${escape(until)}</p>
<p style="margin:0">${escape(IGNORE)}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>`;
}

const BRAND = "#3553cf";

function buttonOf(link: string, { brandColor, buttonText }: Theme): string {
  const back = brandColor !== undefined && isColor(brandColor) ? brandColor : BRAND;
  const ink = buttonText !== undefined && isColor(buttonText) ? buttonText : readableOn(back) ?? "#ffffff";
  const shape = `display:inline-block;padding:12px 28px;border-radius:10px;${FONT};font-size:16px;font-weight:600`;
  // The cell has the colour too, for programs that ignore the background of links.
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0">
<tr><td align="center" bgcolor="${back}" style="border-radius:10px;background:${back}">
<a href="${link}" style="${shape};line-height:1.4;color:${ink};background:${back};text-decoration:none">Sign in</a>
</td></tr>
</table>`;
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? "");
}
