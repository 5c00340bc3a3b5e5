/**
 * Ends the sessions of somebody who changes how they sign in.
 *
 * @module
 */
import type { AdapterUser } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import { assureRow } from "../session_stores/adopt.ts";
import { rowKeyOf } from "../session_stores/auth_session.ts";
import type { ActiveSession } from "../session_stores/session_store.ts";
import { endWaiting } from "../session_stores/without_rows.ts";
import { knowsSessions, revokeAllSessions, revokeOtherSessions } from "./user_sessions.ts";

/**
 * Ends all sessions of a user that storage knows, and the sign-ins that wait.
 *
 * @param keeps Id of the record of a sign-in that goes on.
 */
export async function endSessionsOf(ctx: RequestContext, userId: string, keeps?: string): Promise<void> {
  const { config } = ctx;
  if (knowsSessions(config)) await revokeAllSessions(config, userId, { subject: ctx, keeps });
  else await endWaiting(config, userId, keeps);
}

/** Ends the sessions of somebody but the one that asks for it. */
export async function endOthersOf(
  ctx: RequestContext,
  { user, active, waiting }: {
    readonly user: AdapterUser;
    readonly active: ActiveSession | null;
    /** Id of the record of the sign-in that waits, and goes on. */
    readonly waiting?: string | undefined;
  },
): Promise<void> {
  const { config } = ctx;
  if (!active || !knowsSessions(config)) return await endSessionsOf(ctx, user.id, waiting);
  await assureRow(config, active);
  const ended = await revokeOtherSessions(config, { user, key: rowKeyOf(active), subject: ctx });
  // That session has ended meanwhile, or the user has changed, so none was ended: then all of them are.
  if (ended === null) await endSessionsOf(ctx, user.id, waiting);
}
