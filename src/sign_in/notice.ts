/**
 * Tells a user what was added to their account.
 *
 * @module
 */
import { withDeadline } from "../kernel/deadline.ts";
import { comparableEmail } from "../kernel/address.ts";
import { EventError } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import { noticeMail } from "../mail/notice.ts";
import type { RequestContext } from "../request/context.ts";
import { longestWait } from "../request/events.ts";
import { wordingFor } from "../request/language.ts";
import type { Mailer } from "../request/mailer.ts";
import { ACTS, type DangerousAct } from "./dangerous.ts";
import { isEmailProven } from "./proven.ts";
import { withMark } from "./verification.ts";

/** What was added. */
export interface Added {
  readonly act: DangerousAct;
  /** The user as they were before. */
  readonly user: AdapterUser;
  /** Id of the provider. */
  readonly provider: string;
}

/** Sends an email to the proven address of a user. If that fails, or takes too long, it is logged: it never throws. */
export async function notify(ctx: RequestContext, mailer: Mailer, added: Added): Promise<void> {
  const { runtime, timeouts, logger } = ctx.config;
  const time = new Date(runtime.now());
  try {
    await withDeadline(runtime, longestWait(timeouts), "the email", () => send(ctx, mailer, { ...added, time }));
  } catch (cause) {
    const message = "Cannot send the email that says what was added";
    logger.error(new EventError(message, { cause, logCode: "notice-not-sent" }), ctx);
  }
}

async function send(
  ctx: RequestContext,
  mailer: Mailer,
  { act, user, provider, time }: Added & { readonly time: Date },
): Promise<void> {
  const { storage, theme, pages: { texts }, providers } = ctx.config;
  const known = storage ? await withMark(storage, user) : user;
  // An address that nobody has proven may be another person's.
  const to = isEmailProven(known) ? comparableEmail(user.email) : null;
  if (to === null) return;
  const wording = await wordingFor(ctx, { theme, texts });
  const name = providers.get(provider)?.name ?? provider;
  const mail = noticeMail({ what: ACTS[act].told, provider: name, time, wording, theme });
  await mailer({ to, ...mail, language: wording.tag });
}
