/**
 * Tests for adapters: whether an adapter does what the contract of storage says.
 *
 * @module
 */
import { ACCOUNTS } from "./conformance/accounts.ts";
import { AUTHENTICATORS } from "./conformance/authenticators.ts";
import { BUCKET_RACES } from "./conformance/bucket_races.ts";
import { BUCKETS } from "./conformance/buckets.ts";
import { caseOf, type ConformanceCase, type ConformancePromises, type OpenAdapter } from "./conformance/case.ts";
import { COPIES, IDS } from "./conformance/ids.ts";
import { EVICTIONS } from "./conformance/evictions.ts";
import { PLANS } from "./conformance/plans.ts";
import { RECORD_PLANS } from "./conformance/record_plans.ts";
import { RACES } from "./conformance/races.ts";
import { REFUSED_PLANS } from "./conformance/refused_plans.ts";
import { SESSIONS } from "./conformance/sessions.ts";
import { STORED_RECORDS } from "./conformance/stored_records.ts";
import { TOKENS } from "./conformance/tokens.ts";
import { USERS } from "./conformance/users.ts";

export type {
  ConformanceCase,
  ConformanceClock,
  ConformancePromises,
  OpenAdapter,
  OpenedAdapter,
} from "./conformance/case.ts";

const CHECKS = [
  ...USERS,
  ...ACCOUNTS,
  ...SESSIONS,
  ...TOKENS,
  ...AUTHENTICATORS,
  ...IDS,
  ...COPIES,
  ...PLANS,
  ...REFUSED_PLANS,
  ...EVICTIONS,
  ...RACES,
  ...STORED_RECORDS,
  ...RECORD_PLANS,
  ...BUCKETS,
  ...BUCKET_RACES,
];

/**
 * Lists what an adapter must do, as cases for any test runner: `for (const { name, run } of cases) test(name, run)`.
 *
 * Each case opens its own adapter, uses only the operations of the contract, and closes the adapter. A case that needs an
 * operation which the adapter lacks ends there and succeeds.
 *
 * @example Usage
 * ```ts
 * import { conformanceCases } from "@x/auth/adapters/conformance";
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 *
 * const cases = conformanceCases(() => ({ adapter: memoryAdapter() }));
 *
 * for (const { run } of cases) await run();
 * ```
 *
 * @param open Opens a fresh adapter over empty storage.
 * @param promises What the adapter promises, by default everything. Adapters written for Auth.js often promise less.
 * @returns The cases.
 */
export function conformanceCases(open: OpenAdapter, promises: ConformancePromises = {}): readonly ConformanceCase[] {
  return CHECKS
    .filter(({ promise }) => !promise || promises[promise] !== false)
    .map((check) => caseOf(check, open));
}
