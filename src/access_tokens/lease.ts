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
import { failureOf } from "./failure.ts";
import { findRow, type Held, isGood, readHeld } from "./held.ts";
import { overlay, writeKept } from "./kept.ts";
import { giveUp, isSameLease, type Lease, takeLease } from "./mark.ts";
import { type Outcome, settle } from "./outcome.ts";
import { prepareRefresh, type Refresh } from "./refresh.ts";
import { storeFailure, storeTokens } from "./store.ts";
import type { Wanted } from "./wanted.ts";

/** Refreshes that run in this process, by storage and account. */
const running = new WeakMap<Storage, Map<string, Promise<Outcome>>>();

/** Gives fresh tokens of an account. Callers in this process who want the same share one run. */
export async function refreshOnce(wanted: Wanted, held: Held): Promise<Held> {
  const ofStorage = running.get(wanted.storage) ?? new Map<string, Promise<Outcome>>();
  running.set(wanted.storage, ofStorage);
  const key = JSON.stringify([wanted.userId, ownerOf(held.account), wanted.refused]);
  const started = ofStorage.get(key) ?? refresh(wanted, held).finally(() => ofStorage.delete(key));
  ofStorage.set(key, started);
  return settle(wanted, await started.catch(throwCopy));
}

// Each caller gets its own error: code that catches one may write on it.
function throwCopy(error: unknown): never {
  throw error instanceof AdapterError
    ? new AdapterError(error.message, { cause: error.cause, logCode: error.logCode })
    : error;
}

/** The share of `timeouts.total` that is spent on waiting for others. */
const PATIENCE = 0.9;

async function refresh(wanted: Wanted, first: Held): Promise<Outcome> {
  const { runtime, timeouts } = wanted.config;
  let isLate = false;
  const cancel = runtime.timer(timeouts.total * PATIENCE, () => void (isLate = true));
  try {
    for (let tries = 0;; tries++) {
      const outcome = await tryOnce(wanted, first.account, tries);
      if (outcome) return outcome;
      if (isLate) return { act: "fail", kind: "busy", held: first };
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
async function tryOnce(wanted: Wanted, key: AccountKey, tries: number): Promise<Outcome | null> {
  const found = await look(wanted, key);
  if (found.act !== "refresh") return found;
  const plan = await prepareRefresh(wanted, found.held);
  if (plan.act !== "go") return plan;
  const lease = await takeLease(wanted, found.held, tries);
  return lease && await holdLease(wanted, lease, plan);
}

async function holdLease(wanted: Wanted, lease: Lease, plan: Extract<Refresh, { act: "go" }>): Promise<Outcome | null> {
  const { runtime, timeouts } = wanted.config;
  // What was read before may be older than the end of a lease that somebody else had. A refresh token that was used must
  // not be used again: many providers take that for theft.
  const now = await look(wanted, lease.held.account);
  if (now.act !== "refresh") return now;
  if (!await isSameLease(lease, now.held)) return null;
  if (lease.ends - runtime.now() < timeouts.request * 1000) return giveUp(wanted.storage, lease);
  const answer = await plan.run(now.held);
  if (answer.act === "tokens") return await storeTokens(wanted, now.held, answer.tokens);
  const isRefused = answer.act === "refused";
  const failure = { digest: now.digest, isRefused, until: isRefused ? runtime.now() + REFUSAL * 1000 : lease.ends };
  if (!await storeFailure(wanted, now.held, failure)) return null;
  return answer.act === "refused" ? { act: "require", reason: "refused" } : answer;
}

/** Seconds for which a refused refresh token is not tried again. The refusal may have been a mistake. */
const REFUSAL = 24 * 60 * 60;

type Look =
  | Outcome
  | { readonly act: "refresh"; readonly held: Held; readonly digest: string };

/** Reads the account, and says what is to be done. */
async function look(wanted: Wanted, key: AccountKey): Promise<Look> {
  const { config } = wanted;
  const unwritten = await writeKept(wanted, key);
  const account = await findRow(wanted, key);
  if (!account) return { act: "require", reason: "not-linked" };
  const held = unwritten && overlay(account, unwritten) || await readHeld(config, account);
  if (isGood(held, wanted)) return { act: "give", held };
  // The next refresh token would be lost like this one.
  if (unwritten) throw unwritten.error;
  if (held.refreshToken === null) {
    return { act: "require", reason: held.isUnreadable ? "unreadable" : "no-refresh-token" };
  }
  const digest = await sha256Hex(JSON.stringify([ownerOf(account), held.refreshToken]));
  const failure = failureOf(wanted.storage, account, digest);
  if (!failure || failure.until <= config.runtime.now()) return { act: "refresh", held, digest };
  return failure.isRefused ? { act: "require", reason: "refused" } : { act: "fail", kind: "unavailable", held };
}
