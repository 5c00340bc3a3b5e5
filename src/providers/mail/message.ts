/**
 * The email that a service is asked to send: one sender, one recipient, a subject and two bodies.
 *
 * @module
 */
import { utf8 } from "../../crypto/encoding.ts";
import type { VerificationRequest } from "../../contract/provider.ts";
import { EmailSignInError, InvalidConfig } from "../../kernel/errors.ts";
import type { Awaitable } from "../../kernel/model.ts";
import { type MailText, signInMail } from "../../mail.ts";

/** Who an email is from. */
export interface Sender {
  /** The address alone. */
  readonly address: string;
  /** The name; empty if there is none. */
  readonly name: string;
  /** Both, as the developer wrote them; a name that needs quotes has them. */
  readonly text: string;
}

/** An email, ready to be handed to a service. */
export interface Mail extends MailText {
  /** The recipient: exactly one mailbox. */
  readonly to: string;
  /** The sender. */
  readonly from: Sender;
  /** The sign-in link, for a service that keeps the text of the email itself; empty in another email. */
  readonly url: string;
}

/** Writes the email. Missing parts keep their defaults. */
export type WriteMail = (request: VerificationRequest) => Awaitable<Partial<MailText>>;

// One address: no list, no route, no comment, no header. `normalizeIdentifier` may return anything.
const MAILBOX = /^[^\s\p{Cc}\p{Cf}"(),:;<>@[\\\]]{1,64}@[^\s\p{Cc}\p{Cf}"(),:;<>@[\\\]]{1,255}$/u;

// An `@` before the brackets would be a second address.
const NAMED = /^(?:"((?:[^"\\]|\\.)*)"|([^"<>@]*?))\s*<([^<>]*)>$/;

/** Characters that a name has only in quotes (RFC 5322, section 3.2.3). */
const SPECIAL = /[(),:;[\\\]]/;

/**
 * Reads a sender, such as `"Ada <ada@example.com>"` or an address alone.
 *
 * @throws {InvalidConfig} if it is missing, has several lines, or is not exactly one mailbox.
 */
export function readSender(from: unknown, id: string): Sender {
  if (!from) throw new InvalidConfig(`Cannot send email: set \`from\` of the provider ${id}`);
  const text = typeof from === "string" ? from.trim() : "";
  assertOneLine(from, "from", id);
  const [, quoted, plain = "", named] = NAMED.exec(text) ?? [];
  const address = (named ?? text).trim();
  const name = quoted?.replaceAll(/\\(.)/g, "$1") ?? plain.trim();
  const written = SPECIAL.test(plain) ? `"${name.replaceAll("\\", "\\\\")}" <${address}>` : text;
  if (MAILBOX.test(address)) return { address, name, text: written };
  throw new InvalidConfig(
    `Cannot send email: \`from\` of the provider ${id} must be an address such as "ada@example.com" or ` +
      `"Ada <ada@example.com>"`,
  );
}

/** Refuses text with a line break, which would begin another header. */
export function assertOneLine(text: unknown, option: string, id: string): void {
  // deno-lint-ignore no-control-regex -- control characters are what it looks for
  if (typeof text !== "string" || !/[\u0000-\u001f\u007f\u0085\u2028\u2029]/.test(text)) return;
  throw new InvalidConfig(`Cannot send email: \`${option}\` of the provider ${id} must be one line`);
}

/** How the developer changes the email. */
export interface MailChanges {
  readonly subject?: string | undefined;
  readonly message?: WriteMail | undefined;
}

/**
 * Writes the email to one recipient.
 *
 * @throws {EmailSignInError} if the recipient is not exactly one mailbox.
 * @throws {InvalidConfig} if `message` returns something else than texts.
 */
export async function writeMail(
  request: VerificationRequest,
  from: Sender,
  { subject, message }: MailChanges,
): Promise<Mail> {
  const { identifier: to, url } = request;
  assertMailbox(to);
  return { ...await writeText(request, { subject, message }), to, from, url };
}

/** Refuses a recipient that is not exactly one mailbox. */
export function assertMailbox(to: unknown): void {
  if (typeof to === "string" && MAILBOX.test(to)) return;
  throw new EmailSignInError("Cannot send email: the recipient is not exactly one mailbox", {
    logCode: "email-address",
  });
}

/**
 * Writes the subject and the bodies.
 *
 * @throws {InvalidConfig} if `message` returns something else than texts.
 */
export async function writeText(request: VerificationRequest, { subject, message }: MailChanges): Promise<MailText> {
  const { provider: { id } } = request;
  const built = signInMail(request);
  const own = await message?.(request) ?? {};
  const mail = {
    subject: own.subject ?? subject ?? built.subject,
    text: own.text ?? built.text,
    html: own.html ?? built.html,
  };
  for (const [name, text] of Object.entries(mail)) {
    if (typeof text === "string") continue;
    throw new InvalidConfig(`Cannot send email: \`message\` of the provider ${id} returned no text as \`${name}\``);
  }
  assertOneLine(mail.subject, "subject", id);
  return mail;
}

/** Bytes of an encoded word: with its frame and in base64 it must not have more than 75 characters. */
const WORD_SIZE = 45;

/**
 * Writes a sender in ASCII.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc2047#section-2 | RFC 2047, section 2}
 */
export function asciiSender({ name, address, text }: Sender): string {
  if (/^[\x20-\x7e]*$/.test(name)) return text;
  const words: string[] = [""];
  for (const char of name) {
    const longer = words.at(-1) + char;
    if (utf8(longer).length > WORD_SIZE) words.push(char);
    else words[words.length - 1] = longer;
  }
  const encoded = words.map((word) => `=?UTF-8?B?${btoa(String.fromCharCode(...utf8(word)))}?=`);
  return `${encoded.join(" ")} <${address}>`;
}
