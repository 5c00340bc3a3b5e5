/**
 * Sign in with a link in an email that your mail server sends, through the package `nodemailer`.
 *
 * @module
 */
import { InvalidConfig } from "../kernel/errors.ts";
import type { OutgoingMail } from "../contract/outgoing_mail.ts";
import type { EmailOptions, EmailProvider } from "../contract/provider.ts";
import type { MailText } from "../mail.ts";
import { type WriteMail, writeText } from "./mail/message.ts";
import { missingPackage } from "./mail/needed_package.ts";

export type { EmailProvider } from "../contract/provider.ts";

/** An email, as a {@linkcode MailTransport} gets it. */
export interface MailMessage {
  /** The recipient. The address is not parsed. */
  readonly to: { readonly name: string; readonly address: string };
  /** The sender. */
  readonly from: string;
  /** The subject. */
  readonly subject: string;
  /** The body as plain text. */
  readonly text: string;
  /** The body as HTML. */
  readonly html: string;
  /** Forbids parts that are read from a file. */
  readonly disableFileAccess: true;
  /** Forbids parts that are fetched. */
  readonly disableUrlAccess: true;
}

/** Sends email: the result of `createTransport` of `nodemailer`, or anything of that shape. */
export interface MailTransport {
  /** Sends an email. The result may list recipients as `rejected` or `pending`. */
  sendMail(message: MailMessage): Promise<unknown>;
}

/** Options of {@linkcode nodemailer}. */
export interface NodemailerOptions<Id extends string = string> extends EmailOptions<Id> {
  /** The mail server: a URL such as `smtps://user:password@smtp.example.com`, options of `nodemailer`, or a transport. */
  server: string | MailTransport | Readonly<Record<string, unknown>>;
  /** The sender, such as `"Example <no-reply@example.com>"`. */
  from: string;
  /** The subject. @default "Sign in to <name>" in the language of the visitor; the name is `theme.name`, or the host */
  subject?: string | undefined;
  /** Writes the email instead of `signInMail`. Missing parts keep their defaults. */
  message?: WriteMail | undefined;
}

/**
 * Signs people in with a link in an email.
 *
 * Needs an adapter. Also needs the package `nodemailer`, unless `server` is a transport: without it the provider is left
 * out, and the log says so before the first request is answered. It is loaded when the first email is sent. A link works
 * once, for ten minutes or `maxAge` seconds. No environment variable is read.
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
 * @throws {InvalidConfig} if `server` or `from` is missing, or a text for a header has several lines.
 * @see {@link https://nodemailer.com/smtp | SMTP in nodemailer}
 */
export function nodemailer<const Id extends string = "nodemailer">(options: NodemailerOptions<Id>): EmailProvider<Id> {
  // Called without options in JavaScript, it lacks the server, which is said.
  const { server, from, subject, message, ...overrides } = options ?? {};
  if (!server) throw new InvalidConfig("Cannot send email: set `server` of the provider nodemailer");
  if (!from) throw new InvalidConfig("Cannot send email: set `from` of the provider nodemailer");
  for (const [name, value] of Object.entries({ from, subject, name: nameIn(server) })) assertOneLine(name, value);
  let transport: Promise<MailTransport> | undefined;
  const open = () => transport ??= transportOf(server);
  return {
    id: options.id ?? "nodemailer" as Id,
    name: "Email",
    type: "email",
    lacks: async () => isTransport(server) ? null : await missingPackage("nodemailer", { resolve: locate, load }),
    sendVerificationRequest: async (request) => {
      const opened = await open();
      await send(opened, { from, address: request.identifier }, await writeText(request, { subject, message }));
    },
    ...(!overrides.sendVerificationRequest && {
      sendMail: async ({ to, subject, text, html }: OutgoingMail) => {
        assertOneLine("subject", subject);
        await send(await open(), { from, address: to }, { subject, text, html });
      },
    }),
    options: { ...overrides, server, from },
  };
}

// A line break would begin another header, or another command to the server.
function assertOneLine(name: string, value: unknown): void {
  if (typeof value !== "string" || !/[\r\n\0]/.test(value)) return;
  throw new InvalidConfig(`Cannot send email: \`${name}\` of the provider nodemailer must be one line`);
}

/** The name that this machine sends in the SMTP greeting. */
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

function locate(): string {
  return import.meta.resolve("nodemailer");
}

async function load(): Promise<typeof import("nodemailer")> {
  try {
    return await import("nodemailer");
  } catch (cause) {
    throw new InvalidConfig("Cannot send email: install the package `nodemailer`", { cause });
  }
}

interface Envelope {
  readonly from: string;
  readonly address: string;
}

async function send(transport: MailTransport, { from, address }: Envelope, mail: MailText): Promise<void> {
  const to = { name: "", address };
  assertAccepted(await transport.sendMail({ to, from, ...mail, disableFileAccess: true, disableUrlAccess: true }));
}

function assertAccepted(answer: unknown): void {
  const { rejected = [], pending = [] } = (answer ?? {}) as Readonly<
    Record<"rejected" | "pending", readonly unknown[]>
  >;
  if (rejected.length + pending.length > 0) {
    throw new Error("Cannot send email: the server did not accept the recipient");
  }
}

export default nodemailer;
