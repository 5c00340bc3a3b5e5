/**
 * Sends the emails about another address, and about the end of an account.
 *
 * @module
 */
import { withDeadline } from "../kernel/deadline.ts";
import { AuthError, EmailSignInError, Timeout } from "../kernel/errors.ts";
import { type AccountMail, accountMail } from "../mail/account.ts";
import type { RequestContext } from "../request/context.ts";
import { wordingFor } from "../request/language.ts";
import { mailerOf } from "../request/mailer.ts";

/** An email to send. */
export interface AccountLetter extends Omit<AccountMail, "wording" | "theme"> {
  readonly to: string;
}

/** Sends an email, and waits until it is on its way. @throws {Error} what the mailer throws, or if it takes too long. */
export async function sendLetter(ctx: RequestContext, { to, ...letter }: AccountLetter): Promise<void> {
  const { runtime, theme, timeouts, pages: { texts } } = ctx.config;
  const mailer = mailerOf(ctx.config);
  if (!mailer) throw new EmailSignInError("Cannot send the email: list a provider of a mail service, or set `mail`");
  const wording = await wordingFor(ctx, { theme, texts });
  const mail = accountMail({ ...letter, wording, theme });
  await withDeadline(runtime, timeouts.request, "the email", () => mailer({ to, ...mail, language: wording.tag }));
}

/** Sends an email if something sends any. What was done is done, so a failure is only logged. */
export async function tryLetter(ctx: RequestContext, letter: AccountLetter): Promise<void> {
  if (!mailerOf(ctx.config)) return;
  try {
    await sendLetter(ctx, letter);
  } catch (cause) {
    logNotSent(ctx, cause);
  }
}

/** Logs that an email was not sent. */
export function logNotSent(ctx: RequestContext, cause: unknown): void {
  const saysWhat = cause instanceof AuthError && !(cause instanceof Timeout);
  const message = "Cannot send an email about an account";
  const error = saysWhat ? cause : new EmailSignInError(message, { cause, logCode: "email-not-sent" });
  ctx.config.logger.error(error, ctx);
}
