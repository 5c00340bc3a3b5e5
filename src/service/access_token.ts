/**
 * `accessToken()`: whose token is asked for.
 *
 * @module
 */
import type { AuthConfigSource } from "../contract/config.ts";
import type { RequestContext } from "../request/context.ts";
import { AdapterError, InvalidConfig, JWTSessionError, RefreshRequired, SessionTokenError } from "../kernel/errors.ts";
import { setLogProvider } from "../kernel/log_subject.ts";
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

/** The service that is asked. */
export interface AskedService {
  readonly engine: Engine;
  readonly config: AuthConfigSource;
}

/** Gives the access token of whoever is signed in, or of a user. */
export async function accessTokenFor(
  service: AskedService,
  who: Request | TokenOwner,
  provider: string,
  options: AccessTokenOptions = {},
): Promise<AccessToken> {
  const owner = "userId" in who ? who : null;
  const { value } = await service.engine.settle(requestOf(service, who), async (ctx) => {
    setLogProvider(ctx, provider);
    try {
      const userId = owner?.userId ?? await signedInUser(ctx, provider);
      return { token: await getAccessToken(ctx.config, { userId, provider, subject: ctx }, options) };
    } catch (error) {
      // Nothing of the service failed, so there is nothing to log.
      if (error instanceof RefreshRequired) return { error };
      throw error;
    }
  });
  if (value.error) throw value.error;
  return value.token;
}

function requestOf({ config }: AskedService, who: Request | TokenOwner): Request {
  if (!("userId" in who)) return who;
  if (who.request) return who.request;
  if (typeof config !== "function") return new Request("http://localhost/");
  throw new InvalidConfig(
    "Cannot give an access token by `userId` alone: the configuration is a function; pass `request` besides",
  );
}

async function signedInUser(ctx: RequestContext, provider: string): Promise<string> {
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
