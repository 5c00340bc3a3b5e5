/**
 * Logout at a provider and by a provider, loaded when it is first used.
 *
 * @module
 */
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { Fields } from "../http/body.ts";
import type { RequestContext } from "../request/context.ts";
import type { Outcome } from "../request/outcome.ts";
import { receiveLogoutToken } from "./backchannel.ts";
import { endFramedSession } from "./frontchannel.ts";
import { finishLogout } from "./rp_initiated.ts";

export { startLogout } from "./rp_initiated.ts";
export { endTokens } from "./tokens.ts";

/** What {@linkcode answerLogout} needs. */
export interface LogoutRequest {
  readonly provider: ResolvedOAuthProvider;
  readonly query: URLSearchParams;
  readonly fields: Fields;
}

/** Answers the endpoints that a provider calls, or sends the browser to. */
export async function answerLogout(ctx: RequestContext, request: LogoutRequest): Promise<Outcome> {
  const [, action] = ctx.url.pathname.slice(ctx.config.basePath.length).split("/");
  switch (action) {
    case "backchannel-logout":
      return await receiveLogoutToken(ctx, request);
    case "frontchannel-logout":
      return await endFramedSession(ctx, request);
    default:
      return await finishLogout(ctx, request);
  }
}
