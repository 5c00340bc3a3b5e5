/**
 * Ending sessions.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { endOthersOf } from "../session/end_of_user.ts";
import { knowsSessions, revokeSession } from "../session/user_sessions.ts";
import { rowKeyOf } from "../session_stores/auth_session.ts";
import { sessionIdOf } from "../session_stores/session_id.ts";
import { commitAbout } from "../sign_in/commit_about.ts";
import type { Actor } from "../sign_in/actor.ts";
import type { AccountActRows, ActInput, ActResult } from "./acts.ts";

/** The acts. */
export const SESSION_ACTS = {
  endSession: { judged: "endSessions", open: null, run: endSession },
  endOthers: { judged: "endSessions", open: null, run: endOthers },
} as const satisfies AccountActRows;

async function endSession(ctx: RequestContext, actor: Actor, { fields }: ActInput): Promise<ActResult> {
  const { config } = ctx;
  const id = typeof fields.id === "string" ? fields.id : "";
  if (!await goesOn(ctx, actor)) return { kind: "again" };
  const isEnded = knowsSessions(config) &&
    await revokeSession(config, id, { userId: actor.user.id, subject: ctx });
  if (!isEnded) return { kind: "problem", problem: "not-found" };
  return await isOwn(ctx, actor, id) ? { kind: "gone" } : { kind: "done" };
}

async function isOwn({ config }: RequestContext, { user, active }: Actor, id: string): Promise<boolean> {
  const sessionToken = rowKeyOf(active);
  if (sessionToken === null) return false;
  const ids = await Promise.all(config.secrets.map((secret) => sessionIdOf(secret, { userId: user.id, sessionToken })));
  return ids.includes(id);
}

async function endOthers(ctx: RequestContext, actor: Actor): Promise<ActResult> {
  // Nobody is told that it is done where storage cannot do it. The page has no button for it then.
  if (!knowsSessions(ctx.config)) return { kind: "problem", problem: "not-found" };
  if (!await goesOn(ctx, actor)) return { kind: "again" };
  await endOthersOf(ctx, actor);
  return { kind: "done" };
}

// Somebody whose session was ended meanwhile ends no others.
async function goesOn({ config }: RequestContext, { user, expect }: Actor): Promise<boolean> {
  return await commitAbout(config, user, { expect }) === "done";
}
