/**
 * Ending the session.
 *
 * @module
 */
import type { RequestContext } from "../context.ts";
import { SignOutError } from "../errors.ts";
import { emit } from "../events.ts";
import type { Target } from "../http/target.ts";
import { type Outcome, redirectTo } from "../outcome.ts";
import type { ActiveSession } from "../stores/session_store.ts";

/** Ends the session of this browser and sends it to the target. */
export async function signOut(ctx: RequestContext, target: Target): Promise<Outcome> {
  const active = await find(ctx);
  await ctx.sessions.end(ctx.cookies, active);
  ctx.cookies.clear("callbackUrl");
  if (active) await emit(ctx.config, "signOut", { token: active.claims });
  return redirectTo(target);
}

// A session that cannot be read is ended all the same.
async function find({ config, cookies, sessions }: RequestContext): Promise<ActiveSession | null> {
  try {
    return await sessions.find(cookies);
  } catch (error) {
    config.logger.error(new SignOutError("Cannot read the session that ends", { cause: error }));
    return null;
  }
}
