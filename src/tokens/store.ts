/**
 * Writing what came of a refresh, unless somebody has written something newer meanwhile.
 *
 * @module
 */
import { pause } from "../kernel/deadline.ts";
import { AdapterError } from "../kernel/errors.ts";
import { withoutUndefined } from "../kernel/objects.ts";
import type { AccountKey, AdapterAccount, TokenSet } from "../kernel/model.ts";
import { openToken, sealTokens } from "../oauth_client/account_tokens.ts";
import { type FailedRefresh, rememberFailure } from "./failure.ts";
import { findRow, type Held, LEAST, refreshKeyOf } from "./held.ts";
import type { Outcome } from "./outcome.ts";
import type { FreshTokens } from "./verify.ts";
import type { Wanted } from "./wanted.ts";

/**
 * Stores fresh tokens.
 *
 * @returns The tokens; `null` if the account has other tokens now, such as those of a new sign-in, which stay.
 */
export async function storeTokens(wanted: Wanted, held: Held, tokens: FreshTokens): Promise<Outcome | null> {
  const { config } = wanted;
  const changes = await changesOf(wanted, held, tokens);
  const isStored = await insist(wanted, () => write(wanted, held.account, changes));
  const fresh: Held = {
    account: { ...held.account, ...changes },
    accessToken: tokens.access_token ?? null,
    refreshToken: tokens.refresh_token ?? held.refreshToken,
    expiresAt: typeof changes.expires_at === "number" ? changes.expires_at : null,
    isUnreadable: false,
  };
  // The provider has given them, whether they can be stored or not.
  if (isStored instanceof AdapterError) config.logger.error(isStored, wanted.subject);
  if (isStored) return { act: "give", held: fresh };
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (await insist(wanted, () => keepRefreshToken(wanted, held, tokens))) break;
  }
  return null;
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
    ...(storage.commit && { expires_in: isShort(expires_in) ? expires_in : NONE, refresh_failure: null }),
  };
}

// Empties what storage holds. The type has no `null`.
const NONE = null as unknown as undefined;

// Only of a token that never lasts for long, its life says when it has to be refreshed.
function isShort(seconds: number | undefined): boolean {
  return seconds !== undefined && seconds < 2 * LEAST;
}

/** Each time another request was faster. */
const MOST_TRIES = 5;

/** The longest id_token that is stored, in characters. */
const LONGEST_ID_TOKEN = 16 * 1024;

// A sign-in during the refresh may have brought an access token and no refresh token. Then the account still has the one
// that was just used, and the provider may not accept it any more.
async function keepRefreshToken(wanted: Wanted, used: Held, { refresh_token }: FreshTokens): Promise<boolean> {
  if (!refresh_token || refresh_token === used.refreshToken) return true;
  const account = await findRow(wanted, used.account);
  if (!account || await openToken(wanted.config, account, "refresh_token") !== used.refreshToken) return true;
  const sealed = await sealTokens(wanted.config, account, { refresh_token });
  return await write(wanted, account, { refresh_token, ...sealed });
}

/** Remembers that a refresh failed. `false` if the account has other tokens now. */
export async function storeFailure(wanted: Wanted, { account }: Held, failure: FailedRefresh): Promise<boolean> {
  rememberFailure(wanted.storage, failure);
  const changes = wanted.storage.commit ? { refresh_failure: { ...failure } } : {};
  try {
    return await write(wanted, account, changes);
  } catch (error) {
    // This process remembers it.
    if (!(error instanceof AdapterError)) throw error;
    wanted.config.logger.error(error, wanted.subject);
    return true;
  }
}

/** Writes if the account still has the tokens that were read. */
async function write({ storage, userId }: Wanted, read: AdapterAccount, changes: TokenSet): Promise<boolean> {
  const { provider, providerAccountId } = read;
  const key: AccountKey = { provider, providerAccountId };
  const tokens = { access_token: read.access_token ?? null, refresh_token: read.refresh_token ?? null };
  const expect = { account: { ...key, userId, tokens } };
  const updateAccount = { ...changes, ...key };
  if (storage.commit) return await storage.commit({ expect, updateAccount }) === "done";
  // Without transactions, what was true a moment ago is all that can be known.
  const now = await findRow({ storage, userId }, key);
  const isSame = now && (now.access_token ?? null) === tokens.access_token &&
    (now.refresh_token ?? null) === tokens.refresh_token;
  if (isSame && Object.keys(changes).length > 0) await storage.updateAccount?.(updateAccount);
  return Boolean(isSame);
}

/** Seconds between the tries to store what the provider will not give again. */
const PAUSES: readonly number[] = [0.1, 0.3, 0.9];

/** Tries to write until it works. Gives the error of the last try instead of throwing it. */
async function insist({ config }: Wanted, write: () => Promise<boolean>): Promise<boolean | AdapterError> {
  for (let tries = 0;; tries++) {
    try {
      return await write();
    } catch (error) {
      const seconds = PAUSES[tries];
      if (!(error instanceof AdapterError)) throw error;
      if (seconds === undefined) return error;
      await pause(config.runtime, seconds);
    }
  }
}
