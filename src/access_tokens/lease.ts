/**
 * Who refreshes: of all callers in all processes the one that takes a lease in storage. The others wait for its tokens.
 *
 * A lease is for one version of an account: its tokens, and a number that is raised when a lease ends. A mark for a version
 * is set once, and no clock decides whether it still counts, because the clocks of two processes may differ. If its holder
 * has crashed, others raise the number after they have seen the mark for as long as a lease lasts, by their own clock.
 *
 * @module
 */
import { sha256Hex } from "../crypto/digest.ts";
import { BoundedMap } from "../kernel/bounded_map.ts";
import { pause } from "../kernel/deadline.ts";
import { AdapterError } from "../kernel/errors.ts";
import type { AccountKey } from "../kernel/model.ts";
import { sharesWork } from "../kernel/runtime.ts";
import { ownerOf } from "../oauth_client/account_tokens.ts";
import { tell } from "../request/events.ts";
import type { Storage } from "../storage/guard.ts";
import { overlay, writeKept } from "./kept.ts";
import { failureOf, type Outcome, settle } from "./outcome.ts";
import { prepareRefresh, type Refresh } from "./refresh.ts";
import { storeFailure, storeTokens } from "./store.ts";
import {
  findRow,
  isGood,
  nextVersion,
  readStored,
  type StoredToken,
  type TokenRequest,
  versionOf,
} from "./stored_token.ts";
import { write } from "./write.ts";

/** Refreshes that run in this process, by storage and account. */
const running = new WeakMap<Storage, Map<string, Promise<Outcome>>>();

/** Returns fresh tokens of an account. Callers in this process who want the same share one run. */
export async function refreshOnce(request: TokenRequest, stored: StoredToken): Promise<StoredToken> {
  const ofStorage = running.get(request.storage) ?? new Map<string, Promise<Outcome>>();
  running.set(request.storage, ofStorage);
  const key = JSON.stringify([request.userId, ownerOf(stored.account), request.refused]);
  const started = ofStorage.get(key) ?? refresh(request, stored).finally(() => ofStorage.delete(key));
  if (sharesWork()) ofStorage.set(key, started);
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
  // What was read before may be older than the end of another lease. A refresh token that was used must
  // not be used again: many providers take that for theft.
  const now = await look(request, lease.stored.account);
  if (now.act !== "refresh") return now;
  if (!await isSameLease(lease, now.stored)) return null;
  if (lease.ends - runtime.now() < timeouts.request * 1000) return giveUp(request.storage, lease);
  const answer = await plan.run(now.stored);
  if (answer.act === "tokens") {
    const outcome = await storeTokens(request, now.stored, answer.tokens);
    if (outcome) await report(request, "tokenRefreshed");
    return outcome;
  }
  const isRefused = answer.act === "refused";
  const failure = { digest: now.digest, isRefused, until: isRefused ? runtime.now() + REFUSAL * 1000 : lease.ends };
  if (!await storeFailure(request, now.stored, failure)) return null;
  if (answer.act !== "refused") return answer;
  await report(request, "tokenRefused");
  return { act: "require", reason: "refused" };
}

async function report(
  { config, userId, provider, subject }: TokenRequest,
  type: "tokenRefreshed" | "tokenRefused",
): Promise<void> {
  await tell(config, { type, event: () => ({ userId, provider: provider.id }), message: null }, subject);
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

/** A lease that the caller has. */
interface Lease {
  /** What was read before it was taken. */
  readonly stored: StoredToken;
  /** The version of the account. */
  readonly version: string;
  /** When it was taken, in milliseconds since 1970. */
  readonly taken: number;
  /** When it ends, in milliseconds since 1970. */
  readonly ends: number;
}

/** Since when others are known to have a lease, in milliseconds since 1970: by storage and version. */
const takenByOthers = new WeakMap<Storage, BoundedMap<string, number>>();

function takenIn(storage: Storage): BoundedMap<string, number> {
  const known = takenByOthers.get(storage) ?? new BoundedMap<string, number>(1000);
  takenByOthers.set(storage, known);
  return known;
}

/**
 * Takes the lease of an account. `null` if another process has it.
 *
 * @param tries How often the caller has tried before, without an error of storage in between.
 */
async function takeLease(request: TokenRequest, stored: StoredToken, tries: number): Promise<Lease | null> {
  const { config: { runtime, timeouts }, storage } = request;
  const version = await digestOf(stored);
  const lease = (timeouts.request + STORING) * 1000;
  const taken = runtime.now();
  const end = new Date(taken + (storage.commit ? MARK_LIFETIME * 1000 : lease + TOLERANCE * 1000));
  if (await storage.once?.(`refresh:${version}`, end)) return { stored, version, taken, ends: taken + lease };
  const known = takenIn(storage);
  const since = known.get(version);
  if (since === undefined) known.set(version, runtime.now());
  // Not every adapter can compare and write at once. With one that cannot, the mark runs out.
  else if (storage.commit && tries >= PATIENT && runtime.now() - since >= lease) {
    await write(request, stored.account, { ...nextVersion(stored.account) });
  }
  return null;
}

/**
 * Tries after which a holder counts as crashed. When storage has just recovered, it may have tokens that it is about to
 * write.
 */
const PATIENT = 8;

/** Seconds for the answer to be verified and stored. The request may take `timeouts.request`. */
const STORING = 3;

/** Seconds for which a mark is kept. It is longer than clocks differ. */
const MARK_LIFETIME = 60 * 60;

/** Seconds that clocks may differ where marks have to run out. */
const TOLERANCE = 15;

/** Whether a lease is for the current version of an account. */
async function isSameLease({ version }: Lease, stored: StoredToken): Promise<boolean> {
  return version === await digestOf(stored);
}

/** Leaves a lease to the next process, when it would have ended. */
function giveUp(storage: Storage, { version, taken }: Lease): null {
  takenIn(storage).set(version, taken);
  return null;
}

async function digestOf({ account, accessToken, refreshToken, expiresAt }: StoredToken): Promise<string> {
  const version = [accessToken, refreshToken, expiresAt, versionOf(account)];
  return await sha256Hex(JSON.stringify([ownerOf(account), ...version]));
}
