/**
 * The email that says that a recovery code was used.
 *
 * @module
 */
import { comparableEmail } from "../kernel/address.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { EventError } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import { noticeMail } from "../mail/notice.ts";
import type { RequestContext } from "../request/context.ts";
import { longestWait } from "../request/events.ts";
import { wordingFor } from "../request/language.ts";
import { mailerOf } from "../request/mailer.ts";
import { isEmailProven } from "../sign_in/proven.ts";

/** Sends it to the proven address of a user. If that fails, or takes too long, it is logged: it never throws. */
export async function tellRecoveryUsed(ctx: RequestContext, user: AdapterUser): Promise<void> {
  const { runtime, timeouts, theme, logger, pages: { texts } } = ctx.config;
  const mailer = mailerOf(ctx.config);
  // An address that nobody has proven may be another person's.
  const to = isEmailProven(user) ? comparableEmail(user.email) : null;
  if (!mailer || to === null) return;
  try {
    const wording = await wordingFor(ctx, { theme, texts });
    const time = new Date(runtime.now());
    const mail = noticeMail({ what: "mailRecoveryUsed", provider: "", time, wording, theme });
    await withDeadline(runtime, longestWait(timeouts), "the email", () => {
      return mailer({ to, ...mail, language: wording.tag });
    });
  } catch (cause) {
    const message = "Cannot send the email that says that a recovery code was used";
    logger.error(new EventError(message, { cause, logCode: "notice-not-sent" }), ctx);
  }
}
