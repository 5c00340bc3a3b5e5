/**
 * `accessToken()`: whose token it is.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { RequestContext } from "../request/context.ts";
import type { EventSubject } from "../request/events.ts";
import { AdapterError, InvalidConfig, JWTSessionError, RefreshRequired, SessionTokenError } from "../kernel/errors.ts";
import { setLogProvider } from "../kernel/log_subject.ts";
import type { Awaitable } from "../kernel/model.ts";
import { ownerOf } from "../session_stores/session_store.ts";
import { type AccessToken, type AccessTokenOptions, getAccessToken } from "../access_tokens/access_token.ts";
import { refreshRequired } from "../access_tokens/outcome.ts";
import type { Engine } from "./engine.ts";

/** A user, outside of a request of theirs. */
export interface TokenOwner {
  /** Id of the user. */
  readonly userId: string;
  /** A request, if your configuration is a function: it chooses the configuration. It need not be the user's. */
  readonly request?: Request | undefined;
}

/** Gives the access token of the person who is signed in, or of a user. */
export async function accessTokenFor(
  engine: Engine,
  who: Request | TokenOwner,
  provider: string,
  options: AccessTokenOptions = {},
): Promise<AccessToken> {
  const tokenOf = async (config: ResolvedConfig, subject: EventSubject, owner: () => Awaitable<string>) => {
    setLogProvider(subject, provider);
    try {
      return { token: await getAccessToken(config, { userId: await owner(), provider, subject }, options) };
    } catch (error) {
      // Nothing of the service failed, so there is nothing to log.
      if (error instanceof RefreshRequired) return { error };
      throw error;
    }
  };
  const { request, userId } = "userId" in who ? who : { request: who, userId: null };
  if (!request && engine.needsRequest) throw new InvalidConfig(NO_REQUEST);
  const ownerIn = (ctx: RequestContext | null) => userId ?? signedInUser(ctx, provider);
  const given = request
    ? (await engine.runForRequest(request, (ctx) => tokenOf(ctx.config, ctx, () => ownerIn(ctx)))).value
    : await engine.runWithoutRequest((config, subject) => tokenOf(config, subject, () => ownerIn(null)));
  if (given.error) throw given.error;
  return given.token;
}

const NO_REQUEST =
  "Cannot give an access token by `userId` alone: the configuration is a function; pass `request` as well";

async function signedInUser(ctx: RequestContext | null, provider: string): Promise<string> {
  if (!ctx) throw refreshRequired("signed-out", { provider });
  const { cookies, sessions, config } = ctx;
  try {
    const found = await sessions.find(cookies);
    // A callback of the developer's may end the session, too.
    const active = found && await sessions.refresh(cookies, found, { renew: false });
    const userId = active && ownerOf(active);
    if (userId) return userId;
  } catch (error) {
    if (error instanceof AdapterError) throw new SessionTokenError("Cannot read the session", { cause: error });
    config.logger.error(new JWTSessionError("Cannot read the session", { cause: error }), ctx);
  }
  throw refreshRequired("signed-out", { provider });
}
