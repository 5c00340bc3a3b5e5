/**
 * Tells what has changed about the second factors of a user: the features, and the user by mail.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { AdapterUser } from "../kernel/model.ts";
import { once } from "../kernel/load.ts";
import type { RequestContext } from "../request/context.ts";
import { type EventSubject, tell } from "../request/events.ts";
import type { FactorRemover, FactorType } from "../request/happened.ts";
import { mailerOf } from "../request/mailer.ts";
import type { DangerousAct } from "../sign_in/dangerous.ts";
import type { Added } from "../sign_in/notice.ts";
import { makeUndoLink } from "./undo_link.ts";

const notices = once(() => import("../sign_in/notice.ts"));

/** What has changed. */
export interface Changed {
  readonly act: DangerousAct;
  readonly user: AdapterUser;
  /** Ids of the factors that a link removes again. @default none */
  readonly undo?: readonly string[];
}

/** Tells features that factors count from now on, and their owner with a link that undoes it. */
export async function tellAdded(ctx: RequestContext, changed: Changed, types: readonly FactorType[]): Promise<void> {
  const { id: userId } = changed.user;
  for (const factor of types) {
    await tell(ctx.config, { type: "factorAdded", event: () => ({ userId, factor }), message: null }, ctx);
  }
  const { undo } = changed;
  const makeUndo = undo && (() => makeUndoLink(ctx, { userId, ids: undo }));
  await mail(ctx, { ...changed, makeUndo });
}

/** Factors that were removed. */
export interface Removed extends Changed {
  readonly types: readonly FactorType[];
  readonly by: FactorRemover;
  /** Stands for no request, where the application does it. */
  readonly subject?: EventSubject | undefined;
}

/** Tells features that factors were removed, and their owner. */
export async function tellRemoved(
  ctx: RequestContext | Pick<RequestContext, "config">,
  { types, by, subject, ...changed }: Removed,
): Promise<void> {
  const { id: userId } = changed.user;
  const about = "request" in ctx ? ctx : subject;
  for (const factor of types) {
    await tell(ctx.config, { type: "factorRemoved", event: () => ({ userId, factor, by }), message: null }, about);
  }
  await mail("request" in ctx ? ctx : { config: ctx.config }, changed);
}

/** Tells features that a recovery code was used up, and its owner. @param user `null` if they are not stored. */
export async function tellRecoveryUsed(ctx: RequestContext, userId: string, user: AdapterUser | null): Promise<void> {
  await tell(ctx.config, { type: "recoveryCodeUsed", event: () => ({ userId }), message: null }, ctx);
  if (user) await mail(ctx, { act: "useRecoveryCode", user });
}

async function mail(
  ctx: RequestContext | { readonly config: ResolvedConfig },
  { act, user, makeUndo }: Changed & Pick<Added, "makeUndo">,
): Promise<void> {
  const mailer = mailerOf(ctx.config);
  if (mailer) await (await notices()).notify(ctx, mailer, { act, user, provider: "", makeUndo });
}
