/**
 * Refreshes that failed, remembered with the account: nobody repeats in a loop what the provider has refused.
 *
 * @module
 */
import { BoundedMap } from "../kernel/bounded_map.ts";
import { isObject } from "../kernel/objects.ts";
import type { AdapterAccount } from "../kernel/model.ts";
import type { Storage } from "../storage/guard.ts";

/** A refresh that failed. */
export interface FailedRefresh {
  /** Digest of the account and the refresh token. */
  readonly digest: string;
  /** Until when it is not repeated, in milliseconds since 1970. */
  readonly until: number;
  /** Whether the provider refused the refresh token. */
  readonly isRefused: boolean;
}

/** By storage: for adapters that cannot keep it with the account. */
const known = new WeakMap<Storage, BoundedMap<string, FailedRefresh>>();

/** Finds the failure of a refresh token. */
export function failureOf(
  storage: Storage,
  { refresh_failure: stored }: AdapterAccount,
  digest: string,
): FailedRefresh | null {
  if (!isObject(stored) || stored.digest !== digest) return known.get(storage)?.get(digest) ?? null;
  const { until, isRefused } = stored;
  return { digest, until: typeof until === "number" ? until : 0, isRefused: isRefused === true };
}

/** Remembers a failure in this process. */
export function rememberFailure(storage: Storage, failure: FailedRefresh): void {
  const failures = known.get(storage) ?? new BoundedMap<string, FailedRefresh>(1000);
  known.set(storage, failures);
  failures.set(failure.digest, failure);
}
