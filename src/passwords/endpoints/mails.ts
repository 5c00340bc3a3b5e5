/**
 * The emails with links: to confirm an address, and to choose a new password. Whoever asks for one waits as long, whether
 * or not there is such a user.
 *
 * @module
 */
import { withDeadline } from "../../kernel/deadline.ts";
import { EmailSignInError, InvalidConfig } from "../../kernel/errors.ts";
import { type PasswordMail, passwordMail } from "../../mail/password.ts";
import type { RequestContext } from "../../request/context.ts";
import { wordingFor } from "../../request/language.ts";
import { mailerOf } from "../../request/mailer.ts";

/** An email to write. */
export interface Letter extends Omit<PasswordMail, "wording" | "theme"> {
  readonly to: string;
}

/** How long sending took last, in milliseconds, for each configuration. */
const sendingTimes = new WeakMap<object, number>();

/** Sends an email. @throws {EmailSignInError} if that fails. */
export async function sendLetter(ctx: RequestContext, { to, ...letter }: Letter): Promise<void> {
  const { config } = ctx;
  const { runtime, timeouts, theme, pages: { texts } } = config;
  const mailer = mailerOf(config);
  if (!mailer) throw new InvalidConfig("Cannot send the email: list a provider of a mail service, or set `mail`");
  const wording = await wordingFor(ctx, { theme, texts });
  const mail = passwordMail({ ...letter, wording, theme });
  const began = runtime.now();
  try {
    await withDeadline(runtime, timeouts.request, "the email", async () => {
      await mailer({ to, ...mail, language: wording.tag });
    });
  } catch (cause) {
    // Mail services throw their own error.
    if (cause instanceof EmailSignInError) throw cause;
    throw new EmailSignInError("Cannot send the email: what sends it failed", { cause, logCode: "email-not-sent" });
  }
  sendingTimes.set(config, Math.max(0, runtime.now() - began));
}

/** Takes as long as if an email were sent. */
export async function pretendToSend({ config }: Pick<RequestContext, "config">): Promise<void> {
  const seconds = (sendingTimes.get(config) ?? 0) / 1000;
  await new Promise<void>((resolve) => void config.runtime.timer(seconds, resolve));
}
