/**
 * Writing tokens into an account, unless newer ones were written meanwhile.
 *
 * @module
 */
import { withDeadline } from "../kernel/deadline.ts";
import { AdapterError, Timeout } from "../kernel/errors.ts";
import type { AccountKey, AdapterAccount, TokenSet } from "../kernel/model.ts";
import { openToken, sealTokens } from "../oauth_client/account_tokens.ts";
import { findRow, type StoredToken, type TokenRequest } from "./stored_token.ts";
import type { FreshTokens } from "./verify.ts";

/** What writing needs. */
export type Writer = Pick<TokenRequest, "config" | "storage" | "userId">;

/** The row of an account, as far as a write is decided on it. */
export type ReadRow = AccountKey & Pick<AdapterAccount, "access_token" | "refresh_token">;

/** What a refresh has brought, to be written. */
export interface Fresh {
  /** The row that was read before the refresh. */
  readonly read: ReadRow;
  /** The refresh token that was used. */
  readonly used: string | null;
  readonly tokens: FreshTokens;
  /** The members of the row that change. */
  readonly changes: TokenSet;
}

/** Whether a row still has the tokens that were read. */
export function isAsRead(row: ReadRow | null, read: ReadRow): boolean {
  return row !== null && (row.access_token ?? null) === (read.access_token ?? null) &&
    (row.refresh_token ?? null) === (read.refresh_token ?? null);
}

/** Returns the tokens of an account with what a refresh has brought. */
export function storedOf(account: AdapterAccount, { used, tokens, changes }: Fresh): StoredToken {
  return {
    account: { ...account, ...changes },
    accessToken: tokens.access_token ?? null,
    refreshToken: tokens.refresh_token ?? used,
    expiresAt: typeof changes.expires_at === "number" ? changes.expires_at : null,
    isUnreadable: false,
  };
}

/** Seconds after which a write that storage does not answer counts as failed. It may happen all the same. */
const LONGEST_WRITE = 3;

/** Each time another request was faster. */
const MOST_TRIES = 5;

/**
 * Writes what a refresh has brought.
 *
 * @returns `false` if the account has other tokens now, such as those of a new sign-in, which stay.
 * @throws {AdapterError} if storage fails, or does not answer.
 */
export async function writeFresh(writer: Writer, fresh: Fresh): Promise<boolean> {
  try {
    return await withDeadline(writer.config.runtime, LONGEST_WRITE, "storage", async () => {
      if (await write(writer, fresh.read, fresh.changes)) return true;
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        if (await keepRefreshToken(writer, fresh)) break;
      }
      return false;
    });
  } catch (error) {
    throw error instanceof Timeout
      ? new AdapterError("Cannot use storage: it does not answer", { cause: error })
      : error;
  }
}

// A sign-in during the refresh may have brought an access token and no refresh token. Then the account still has the one
// that was just used, and the provider may not accept it any more.
async function keepRefreshToken(writer: Writer, { read, used, tokens: { refresh_token } }: Fresh): Promise<boolean> {
  if (!refresh_token || refresh_token === used) return true;
  const account = await findRow(writer, read);
  if (!account || await openToken(writer.config, account, "refresh_token") !== used) return true;
  const sealed = await sealTokens(writer.config, account, { refresh_token });
  return await write(writer, account, { refresh_token, ...sealed });
}

/** Writes if the account still has the tokens that were read. */
export async function write({ storage, userId }: Writer, read: ReadRow, changes: TokenSet): Promise<boolean> {
  const { provider, providerAccountId } = read;
  const key: AccountKey = { provider, providerAccountId };
  const tokens = { access_token: read.access_token ?? null, refresh_token: read.refresh_token ?? null };
  const expect = { account: { ...key, userId, tokens } };
  const updateAccount = { ...changes, ...key };
  if (storage.commit) return await storage.commit({ expect, updateAccount }) === "done";
  // Without transactions, what was true a moment ago is all that can be known.
  const isSame = isAsRead(await findRow({ storage, userId }, key), read);
  if (isSame && Object.keys(changes).length > 0) await storage.updateAccount?.(updateAccount);
  return isSame;
}
