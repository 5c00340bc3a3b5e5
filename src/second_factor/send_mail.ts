/**
 * Sends emails that somebody asks for on the page of the second proof, and waits until they are on their way.
 *
 * @module
 */
import { withDeadline } from "../kernel/deadline.ts";
import { AuthError, EmailSignInError, Timeout } from "../kernel/errors.ts";
import type { Theme } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import { wordingFor } from "../request/language.ts";
import type { Mailer } from "../request/mailer.ts";
import type { Wording } from "../texts/texts.ts";

/** An email, and who gets it. */
export interface Letter {
  readonly to: string;
  /** Writes it in the language of the browser. */
  readonly write: (about: { readonly wording: Wording; readonly theme: Theme }) => {
    readonly subject: string;
    readonly text: string;
    readonly html: string;
  };
}

/** Sends an email. @throws {Error} what the mailer throws, or if it takes longer than `timeouts.request`. */
export async function sendMail(ctx: RequestContext, mailer: Mailer, { to, write }: Letter): Promise<void> {
  const { runtime, theme, timeouts, pages: { texts } } = ctx.config;
  const wording = await wordingFor(ctx, { theme, texts });
  const mail = write({ wording, theme });
  await withDeadline(runtime, timeouts.request, "the email", () => mailer({ to, ...mail, language: wording.tag }));
}

/** Logs that an email was not sent. @param message What could not be sent. */
export function logNotSent(ctx: RequestContext, message: string, cause: unknown): void {
  const saysWhat = cause instanceof AuthError && !(cause instanceof Timeout);
  const error = saysWhat ? cause : new EmailSignInError(message, { cause, logCode: "email-not-sent" });
  ctx.config.logger.error(error, ctx);
}
