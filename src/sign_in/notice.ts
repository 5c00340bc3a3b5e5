/**
 * Tells a user what was added to their account.
 *
 * @module
 */
import { withDeadline } from "../kernel/deadline.ts";
import { comparableEmail } from "../kernel/address.ts";
import { EventError } from "../kernel/errors.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import type { AdapterUser } from "../kernel/model.ts";
import { noticeMail, type UndoLink } from "../mail/notice.ts";
import type { RequestContext } from "../request/context.ts";
import { longestWait } from "../request/events.ts";
import { type Visitor, wordingFor } from "../request/language.ts";
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
  /** Makes a link that undoes it. @default it cannot be undone */
  readonly makeUndo?: (() => Promise<UndoLink>) | undefined;
}

/** Where it happened. Without a request the application did it. */
export type NoticeContext =
  & Pick<RequestContext, "config">
  & (Visitor & LogSubject | { readonly request?: undefined });

/** Sends an email to the proven address of a user. If that fails, or takes too long, it is logged: it never throws. */
export async function notify(ctx: NoticeContext, mailer: Mailer, added: Added): Promise<void> {
  const { runtime, timeouts, logger } = ctx.config;
  const time = new Date(runtime.now());
  const subject = ctx.request ? ctx : undefined;
  try {
    await withDeadline(runtime, longestWait(timeouts), "the email", () => send(ctx, mailer, { ...added, time }));
  } catch (cause) {
    const message = "Cannot send the email that says what was added";
    logger.error(new EventError(message, { cause, logCode: "notice-not-sent" }), subject);
  }
}

async function send(
  ctx: NoticeContext,
  mailer: Mailer,
  { act, user, provider, makeUndo, time }: Added & { readonly time: Date },
): Promise<void> {
  const what = ACTS[act].told;
  if (what === null) return;
  const { storage, theme, pages: { texts }, providers } = ctx.config;
  const known = storage ? await withMark(storage, user) : user;
  // An address that nobody has proven may be another person's.
  const to = isEmailProven(known) ? comparableEmail(user.email) : null;
  if (to === null) return;
  const wording = await wordingFor(ctx.request ? ctx : undefined, { theme, texts });
  const name = providers.get(provider)?.name ?? provider;
  const undo = makeUndo && await tryUndo(ctx, makeUndo);
  const mail = noticeMail({ what, provider: name, undo, time, wording, theme });
  await mailer({ to, ...mail, language: wording.tag });
}

// Somebody has to know of it, also where nothing undoes it.
async function tryUndo(ctx: NoticeContext, makeUndo: NonNullable<Added["makeUndo"]>): Promise<UndoLink | undefined> {
  try {
    return await makeUndo();
  } catch (cause) {
    const error = new EventError("Cannot make the link that undoes what was changed", {
      cause,
      logCode: "adapter-failed",
    });
    ctx.config.logger.error(error, ctx.request ? ctx : undefined);
    return undefined;
  }
}
