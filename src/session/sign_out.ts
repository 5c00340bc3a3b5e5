/**
 * Ending the session.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { tell } from "../request/events.ts";
import type { JWT } from "../kernel/model.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import { sealedIdOf, sealedKey } from "../session_stores/auth_session.ts";
import { readAuthentication } from "../session_stores/authentication.ts";
import { sessionIdOf } from "../session_stores/session_id.ts";
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
  // A sign-in that waits for a second proof here is given up, too.
  if (ctx.cookies.read("pending")) ctx.cookies.clear("pending");
  const ended = await ctx.sessions.end(ctx.cookies);
  if (ended) await tellSignOut(ctx, ended);
  return (ended && await goOn?.(ended)) ?? redirectTo(redirectUrl);
}

/** Tells that the session of this browser has ended. */
export async function tellSignOut(ctx: RequestContext, ended: EndedSession): Promise<void> {
  const row = "token" in ended ? rowIn(ended.token) : ended.session;
  await tell(ctx.config, {
    type: "signOut",
    // Without a row there was no session any more.
    event: row && (async () => {
      const { userId = null, sessionToken } = row;
      const { provider } = readAuthentication(undefined, undefined, row.provider);
      return {
        userId,
        ...(provider !== undefined && { provider }),
        ...(userId !== null && sessionToken !== null &&
          { sessionId: await sessionIdOf(ctx.config.secrets[0], { userId, sessionToken }) }),
      };
    }),
    message: () => ended,
  }, ctx);
}

function rowIn(claims: JWT) {
  const { sub: userId, auth_provider: provider } = claims;
  return { userId, provider, sessionToken: sealedIdOf(claims) ? sealedKey(claims) : null };
}
