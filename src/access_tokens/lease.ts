/**
 * Who refreshes: of all callers in all processes one, who takes a lease in storage. The others wait for its tokens.
 *
 * @module
 */
import { sha256Hex } from "../crypto/digest.ts";
import { pause } from "../kernel/deadline.ts";
import { AdapterError } from "../kernel/errors.ts";
import type { AccountKey } from "../kernel/model.ts";
import type { Storage } from "../storage/guard.ts";
import { ownerOf } from "../oauth_client/account_tokens.ts";
import { failureOf, type Outcome, settle } from "./outcome.ts";
import { findRow, isGood, readStored, type StoredToken, type TokenRequest } from "./stored_token.ts";
import { overlay, writeKept } from "./kept.ts";
import { giveUp, isSameLease, type Lease, takeLease } from "./mark.ts";
import { prepareRefresh, type Refresh } from "./refresh.ts";
import { storeFailure, storeTokens } from "./store.ts";

/** Refreshes that run in this process, by storage and account. */
const running = new WeakMap<Storage, Map<string, Promise<Outcome>>>();

/** Gives fresh tokens of an account. Callers in this process who want the same share one run. */
export async function refreshOnce(request: TokenRequest, stored: StoredToken): Promise<StoredToken> {
  const ofStorage = running.get(request.storage) ?? new Map<string, Promise<Outcome>>();
  running.set(request.storage, ofStorage);
  const key = JSON.stringify([request.userId, ownerOf(stored.account), request.refused]);
  const started = ofStorage.get(key) ?? refresh(request, stored).finally(() => ofStorage.delete(key));
  ofStorage.set(key, started);
  return settle(request, await started.catch(throwCopy));
}

// Each caller gets its own error: code that catches one may write on it.
function throwCopy(error: unknown): never {
  throw error instanceof AdapterError
    ? new AdapterError(error.message, { cause: error.cause, logCode: error.logCode })
    : error;
}

/** The share of `timeouts.total` that is spent on waiting for others. */
const PATIENCE = 0.9;

async function refresh(request: TokenRequest, first: StoredToken): Promise<Outcome> {
  const { runtime, timeouts } = request.config;
  let isLate = false;
  const cancel = runtime.timer(timeouts.total * PATIENCE, () => void (isLate = true));
  try {
    for (let tries = 0;; tries++) {
      const outcome = await tryOnce(request, first.account, tries);
      if (outcome) return outcome;
      if (isLate) return { act: "fail", kind: "busy", stored: first };
      await pause(runtime, Math.min(PAUSES[tries] ?? Infinity, timeouts.total * LONGEST_PAUSE));
    }
  } finally {
    cancel();
  }
}

/** Seconds between the first looks at the account. */
const PAUSES: readonly number[] = [0.02, 0.05, 0.1, 0.2];

/** The share of `timeouts.total` between two looks. */
const LONGEST_PAUSE = 1 / 40;

/** Looks at the account once. `null` if another process holds the lease, or the account has changed meanwhile. */
async function tryOnce(request: TokenRequest, key: AccountKey, tries: number): Promise<Outcome | null> {
  const found = await look(request, key);
  if (found.act !== "refresh") return found;
  const plan = await prepareRefresh(request, found.stored);
  if (plan.act !== "go") return plan;
  const lease = await takeLease(request, found.stored, tries);
  return lease && await holdLease(request, lease, plan);
}

async function holdLease(
  request: TokenRequest,
  lease: Lease,
  plan: Extract<Refresh, { act: "go" }>,
): Promise<Outcome | null> {
  const { runtime, timeouts } = request.config;
  // What was read before may be older than the end of a lease that somebody else had. A refresh token that was used must
  // not be used again: many providers take that for theft.
  const now = await look(request, lease.stored.account);
  if (now.act !== "refresh") return now;
  if (!await isSameLease(lease, now.stored)) return null;
  if (lease.ends - runtime.now() < timeouts.request * 1000) return giveUp(request.storage, lease);
  const answer = await plan.run(now.stored);
  if (answer.act === "tokens") return await storeTokens(request, now.stored, answer.tokens);
  const isRefused = answer.act === "refused";
  const failure = { digest: now.digest, isRefused, until: isRefused ? runtime.now() + REFUSAL * 1000 : lease.ends };
  if (!await storeFailure(request, now.stored, failure)) return null;
  return answer.act === "refused" ? { act: "require", reason: "refused" } : answer;
}

/** Seconds for which a refused refresh token is not tried again. The refusal may have been a mistake. */
const REFUSAL = 24 * 60 * 60;

type Look =
  | Outcome
  | { readonly act: "refresh"; readonly stored: StoredToken; readonly digest: string };

/** Reads the account, and says what is to be done. */
async function look(request: TokenRequest, key: AccountKey): Promise<Look> {
  const { config } = request;
  const unwritten = await writeKept(request, key);
  const account = await findRow(request, key);
  if (!account) return { act: "require", reason: "not-linked" };
  const stored = unwritten && overlay(account, unwritten) || await readStored(config, account);
  if (isGood(stored, request)) return { act: "give", stored };
  // The next refresh token would be lost like this one.
  if (unwritten) throw unwritten.error;
  if (stored.refreshToken === null) {
    return { act: "require", reason: stored.isUnreadable ? "unreadable" : "no-refresh-token" };
  }
  const digest = await sha256Hex(JSON.stringify([ownerOf(account), stored.refreshToken]));
  const failure = failureOf(request.storage, account, digest);
  if (!failure || failure.until <= config.runtime.now()) return { act: "refresh", stored, digest };
  return failure.isRefused ? { act: "require", reason: "refused" } : { act: "fail", kind: "unavailable", stored };
}
