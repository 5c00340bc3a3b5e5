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
import { type FailedRefresh, rememberFailure } from "./failure.ts";
import { type Held, LEAST, nextVersion, refreshKeyOf } from "./held.ts";
import { keep } from "./kept.ts";
import type { Outcome } from "./outcome.ts";
import type { FreshTokens } from "./verify.ts";
import type { Wanted } from "./wanted.ts";
import { type Fresh, heldOf, write, writeFresh } from "./write.ts";

/**
 * Stores fresh tokens. If storage fails, they are kept in memory until it answers.
 *
 * @returns The tokens; `null` if the account has other tokens now, such as those of a new sign-in, which stay.
 */
export async function storeTokens(wanted: Wanted, held: Held, tokens: FreshTokens): Promise<Outcome | null> {
  const { provider, providerAccountId, access_token, refresh_token } = held.account;
  const fresh: Fresh = {
    read: { provider, providerAccountId, access_token, refresh_token },
    used: held.refreshToken,
    tokens,
    changes: await changesOf(wanted, held, tokens),
  };
  const isStored = await insist(wanted, fresh);
  if (isStored instanceof AdapterError) await keep(wanted, fresh, isStored);
  // The provider has given them, whether they can be stored or not.
  return isStored ? { act: "give", held: heldOf(held.account, fresh) } : null;
}

async function changesOf(wanted: Wanted, { account }: Held, tokens: FreshTokens): Promise<TokenSet> {
  const { config, storage } = wanted;
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
export async function storeFailure(wanted: Wanted, { account }: Held, failure: FailedRefresh): Promise<boolean> {
  rememberFailure(wanted.storage, failure);
  const changes = wanted.storage.commit ? { refresh_failure: { ...failure }, ...nextVersion(account) } : {};
  try {
    return await write(wanted, account, changes);
  } catch (error) {
    // This process remembers it.
    if (!(error instanceof AdapterError)) throw error;
    wanted.config.logger.error(error, wanted.subject);
    return true;
  }
}

/** Seconds between the tries to store what the provider will not give again. */
const PAUSES: readonly number[] = [0.1, 0.3, 0.9];

/** Tries to write until it works. Gives the error of the last try instead of throwing it. */
async function insist(wanted: Wanted, fresh: Fresh): Promise<boolean | AdapterError> {
  for (let tries = 0;; tries++) {
    try {
      return await writeFresh(wanted, fresh);
    } catch (error) {
      const seconds = PAUSES[tries];
      if (!(error instanceof AdapterError)) throw error;
      if (seconds === undefined || error.cause?.err instanceof Timeout) return error;
      await pause(wanted.config.runtime, seconds);
    }
  }
}
