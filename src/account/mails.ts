/**
 * Tells the owner of an account by mail what has changed.
 *
 * @module
 */
import { once } from "../kernel/load.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { UndoLink } from "../mail/notice.ts";
import type { RequestContext } from "../request/context.ts";
import { mailerOf } from "../request/mailer.ts";
import type { DangerousAct } from "../sign_in/dangerous.ts";

const notices = once(() => import("../sign_in/notice.ts"));

/** What has changed. */
export interface Changed {
  readonly act: DangerousAct;
  /** The user as they were before. */
  readonly user: AdapterUser;
  /** Id of the provider, if the text names it. */
  readonly provider?: string | undefined;
  /** Makes a link that undoes it. @default it cannot be undone */
  readonly makeUndo?: (() => Promise<UndoLink>) | undefined;
}

/** Sends the email, if there is a way to. It never throws. */
export async function mailTo(ctx: RequestContext, { provider = "", ...changed }: Changed): Promise<void> {
  const mailer = mailerOf(ctx.config);
  if (mailer) await (await notices()).notify(ctx, mailer, { ...changed, provider });
}
