/**
 * Sign in with a link in a mail that your own mail server sends, through the package `nodemailer`.
 *
 * @module
 */
import { InvalidConfig } from "../kernel/errors.ts";
import { signInMail } from "../mail.ts";
import type { EmailOptions, EmailProvider, VerificationRequest } from "../contract/provider.ts";

/** A mail, as a {@linkcode MailTransport} is given it. */
export interface MailMessage {
  /** The one recipient. The address is taken as it is, not parsed. */
  readonly to: { readonly name: string; readonly address: string };
  /** The sender. */
  readonly from: string;
  /** The subject. */
  readonly subject: string;
  /** The mail as plain text. */
  readonly text: string;
  /** The mail as HTML. */
  readonly html: string;
  /** No part of the mail is read from a file. */
  readonly disableFileAccess: true;
  /** No part of the mail is fetched. */
  readonly disableUrlAccess: true;
}

/** Sends mails: what `createTransport` of `nodemailer` makes, or anything of that shape. */
export interface MailTransport {
  /** Hands a mail over. Its answer may list who was `rejected`. */
  sendMail(message: MailMessage): Promise<unknown>;
}

/** What a developer may set on {@linkcode nodemailer}. */
export interface NodemailerOptions extends EmailOptions {
  /** The mail server: a URL such as `smtps://user:password@smtp.example.com`, options of `nodemailer`, or a transport. */
  server: string | MailTransport | Readonly<Record<string, unknown>>;
  /** The sender, such as `"Example <no-reply@example.com>"`. */
  from: string;
  /** The subject. @default "Sign in to <host>" */
  subject?: string | undefined;
}

/**
 * Signs people in with a link in a mail.
 *
 * Needs an adapter, and the package `nodemailer` (unless `server` is a transport), which is loaded when the first mail is
 * sent. A link works once and ends after ten minutes, or `maxAge` seconds. No environment variable is read.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { nodemailer } from "@x/auth/providers/nodemailer";
 *
 * const { handler } = createAuth({
 *   providers: [nodemailer({ server: "smtp://localhost:1025", from: "Example <no-reply@example.com>" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The mail server, the sender, and what differs from the defaults.
 * @returns The provider.
 * @throws {InvalidConfig} if the server or the sender is missing, or a text that becomes a line of the mail has more lines.
 * @see {@link https://nodemailer.com/smtp | SMTP in nodemailer}
 */
export function nodemailer(options: NodemailerOptions): EmailProvider {
  const { server, from, subject, ...overrides } = options;
  if (!server) throw new InvalidConfig("Cannot send mails: set `server` of the provider nodemailer");
  if (!from) throw new InvalidConfig("Cannot send mails: set `from` of the provider nodemailer");
  for (const [name, value] of Object.entries({ from, subject, name: nameIn(server) })) demandLine(name, value);
  let transport: Promise<MailTransport> | undefined;
  return {
    id: "nodemailer",
    name: "Email",
    type: "email",
    sendVerificationRequest: async (request) => {
      transport ??= transportOf(server);
      assertTaken(await (await transport).sendMail(messageOf(request, { from, subject })));
    },
    options: { ...overrides, server, from },
  };
}

// What ends a line there would begin another header, or another command to the server.
function demandLine(name: string, value: unknown): void {
  if (typeof value !== "string" || !/[\r\n\0]/.test(value)) return;
  throw new InvalidConfig(`Cannot send mails: \`${name}\` of the provider nodemailer has more than one line`);
}

/** The name this machine gives itself in the greeting. */
function nameIn(server: NodemailerOptions["server"]): unknown {
  if (typeof server !== "string") return "name" in server ? server.name : undefined;
  return URL.parse(server)?.searchParams.get("name");
}

async function transportOf(server: NodemailerOptions["server"]): Promise<MailTransport> {
  if (isTransport(server)) return server;
  const { createTransport } = await load();
  return createTransport(server) as unknown as MailTransport;
}

function isTransport(server: NodemailerOptions["server"]): server is MailTransport {
  return typeof server === "object" && typeof server.sendMail === "function";
}

async function load(): Promise<typeof import("nodemailer")> {
  try {
    return await import("nodemailer");
  } catch (cause) {
    throw new InvalidConfig("Cannot send mails: install the package `nodemailer`", { cause });
  }
}

function messageOf(
  { identifier, url, expires, theme }: VerificationRequest,
  { from, subject }: Pick<NodemailerOptions, "from" | "subject">,
): MailMessage {
  const mail = signInMail({ url, expires, theme });
  return {
    to: { name: "", address: identifier },
    from,
    ...mail,
    subject: subject ?? mail.subject,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function assertTaken(answer: unknown): void {
  const { rejected = [], pending = [] } = (answer ?? {}) as Readonly<
    Record<"rejected" | "pending", readonly unknown[]>
  >;
  if (rejected.length + pending.length > 0) throw new Error("Cannot send mail: the server did not take its recipient");
}
