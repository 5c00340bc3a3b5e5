/**
 * Ending the session.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { emit } from "../request/events.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";

/**
 * Ends the session of this browser and redirects it.
 *
 * @throws {SignOutError} if the session could not be ended in storage; the cookie is removed all the same.
 */
export async function signOut(ctx: RequestContext, redirectUrl: RedirectUrl): Promise<Outcome> {
  ctx.cookies.clear("callbackUrl");
  const ended = await ctx.sessions.end(ctx.cookies);
  if (ended) await emit(ctx.config, "signOut", ended);
  return redirectTo(redirectUrl);
}
