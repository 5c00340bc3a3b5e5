/**
 * Ending the session.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { emit } from "../request/events.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import type { EndedSession } from "../session_stores/session_store.ts";

/** Chooses where a sign-out goes on once the session has ended. `null` if it goes where it should go in the end. */
export type GoOn = (ended: EndedSession) => Promise<Outcome | null>;

/**
 * Ends the session of this browser and redirects it.
 *
 * @throws {SignOutError} if the session could not be ended in storage; the cookie is removed all the same.
 */
export async function signOut(ctx: RequestContext, redirectUrl: RedirectUrl, goOn?: GoOn): Promise<Outcome> {
  ctx.cookies.clear("callbackUrl");
  const ended = await ctx.sessions.end(ctx.cookies);
  if (ended) await emit(ctx.config, "signOut", ended, ctx);
  return (ended && await goOn?.(ended)) ?? redirectTo(redirectUrl);
}
