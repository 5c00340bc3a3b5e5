/**
 * Storing what came of a refresh.
 *
 * @module
 */
import { pause } from "../kernel/deadline.ts";
import { AdapterError, Timeout } from "../kernel/errors.ts";
import { withoutUndefined } from "../kernel/objects.ts";
import type { TokenSet } from "../kernel/model.ts";
import { sealTokens } from "../oauth_client/account_tokens.ts";
import { type FailedRefresh, type Outcome, rememberFailure } from "./outcome.ts";
import { LEAST, nextVersion, refreshKeyOf, type StoredToken, type TokenRequest } from "./stored_token.ts";
import { keep } from "./kept.ts";
import type { FreshTokens } from "./verify.ts";
import { type Fresh, storedOf, write, writeFresh } from "./write.ts";

/**
 * Stores fresh tokens. If storage fails, they are kept in memory until it answers.
 *
 * @returns The tokens; `null` if the account has other tokens now, such as those of a new sign-in, which stay.
 */
export async function storeTokens(
  request: TokenRequest,
  stored: StoredToken,
  tokens: FreshTokens,
): Promise<Outcome | null> {
  const { provider, providerAccountId, access_token, refresh_token } = stored.account;
  const fresh: Fresh = {
    read: { provider, providerAccountId, access_token, refresh_token },
    used: stored.refreshToken,
    tokens,
    changes: await changesOf(request, stored, tokens),
  };
  const isStored = await insist(request, fresh);
  if (isStored instanceof AdapterError) await keep(request, fresh, isStored);
  // The provider has given them, whether they can be stored or not.
  return isStored ? { act: "give", stored: storedOf(stored.account, fresh) } : null;
}

async function changesOf(request: TokenRequest, { account }: StoredToken, tokens: FreshTokens): Promise<TokenSet> {
  const { config, storage } = request;
  const { access_token, refresh_token, id_token, scope, token_type, expires_in } = tokens;
  const now = Math.floor(config.runtime.now() / 1000);
  const plain = withoutUndefined({
    access_token,
    refresh_token,
    // What the developer does not store stays out.
    id_token: account.id_token && (id_token?.length ?? 0) <= LONGEST_ID_TOKEN ? id_token : undefined,
    scope,
    token_type,
    dpop_key: refreshKeyOf(account),
  });
  return {
    ...plain,
    ...await sealTokens(config, account, plain),
    expires_at: expires_in ? now + Math.floor(expires_in) : NONE,
    ...(storage.commit && {
      expires_in: isShort(expires_in) ? expires_in : NONE,
      refresh_failure: null,
      ...nextVersion(account),
    }),
  };
}

// Empties what storage holds. The type has no `null`.
const NONE = null as unknown as undefined;

// Only of a token that never lasts for long, its life says when it has to be refreshed.
function isShort(seconds: number | undefined): boolean {
  return seconds !== undefined && seconds < 2 * LEAST;
}

/** The longest id_token that is stored, in characters. */
const LONGEST_ID_TOKEN = 16 * 1024;

/** Remembers that a refresh failed. `false` if the account has other tokens now. */
export async function storeFailure(
  request: TokenRequest,
  { account }: StoredToken,
  failure: FailedRefresh,
): Promise<boolean> {
  rememberFailure(request.storage, failure);
  const changes = request.storage.commit ? { refresh_failure: { ...failure }, ...nextVersion(account) } : {};
  try {
    return await write(request, account, changes);
  } catch (error) {
    // This process remembers it.
    if (!(error instanceof AdapterError)) throw error;
    request.config.logger.error(error, request.subject);
    return true;
  }
}

/** Seconds between the tries to store what the provider will not give again. */
const PAUSES: readonly number[] = [0.1, 0.3, 0.9];

/** Tries to write until it works. Returns the error of the last try instead of throwing it. */
async function insist(request: TokenRequest, fresh: Fresh): Promise<boolean | AdapterError> {
  for (let tries = 0;; tries++) {
    try {
      return await writeFresh(request, fresh);
    } catch (error) {
      const seconds = PAUSES[tries];
      if (!(error instanceof AdapterError)) throw error;
      if (seconds === undefined || error.cause?.err instanceof Timeout) return error;
      await pause(request.config.runtime, seconds);
    }
  }
}
