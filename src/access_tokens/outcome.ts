/**
 * What can come of a refresh. It is data, because several callers share it and each of them gets its own error.
 *
 * @module
 */
import { BoundedMap } from "../kernel/bounded_map.ts";
import { OAuthProviderError, ProviderUnavailable, RefreshRequired } from "../kernel/errors.ts";
import type { AdapterAccount, RefreshReason } from "../kernel/model.ts";
import { isObject } from "../kernel/objects.ts";
import type { Storage } from "../storage/guard.ts";
import { isValidFor, type StoredToken, type TokenRequest } from "./stored_token.ts";

/** Why there is no access token until the person signs in again. */
export type TokenReason = Exclude<RefreshReason, "stale">;

/** What came of a refresh. */
export type Outcome =
  | { readonly act: "give"; readonly stored: StoredToken }
  | { readonly act: "require"; readonly reason: TokenReason }
  | {
    /** `busy` and `unavailable` pass by themselves. `fault` may be a fault of the configuration. */
    readonly act: "fail";
    readonly kind: "busy" | "unavailable" | "fault";
    readonly cause?: Readonly<Record<string, unknown>> | undefined;
    /** What is worth trying. */
    readonly hint?: string | undefined;
    /** What the account holds. */
    readonly stored: StoredToken;
  };

/** Seconds for which a token must be valid that is given because it cannot be refreshed. */
const USABLE = 5;

/**
 * Returns the tokens.
 *
 * @throws {RefreshRequired} if the person has to sign in again.
 * @throws {ProviderUnavailable} if the refresh failed and may work later. A token that is still valid is given instead.
 * @throws {OAuthProviderError} if the provider does not accept this client, or its answer is not valid.
 */
export function settle(request: TokenRequest, outcome: Outcome): StoredToken {
  const { provider: { id: provider } } = request;
  switch (outcome.act) {
    case "give":
      return outcome.stored;
    case "require":
      throw refreshRequired(outcome.reason, { provider });
    case "fail": {
      if (isValidFor(USABLE, outcome.stored, request)) return outcome.stored;
      const what = `Cannot refresh the access token of "${provider}": ${WHY[outcome.kind]}`;
      const Failure = outcome.kind === "fault" ? OAuthProviderError : ProviderUnavailable;
      throw new Failure(outcome.hint ? `${what}; ${outcome.hint}` : what, { cause: outcome.cause });
    }
    default:
      return outcome satisfies never;
  }
}

const WHY = {
  busy: "another request refreshes it, and takes too long",
  unavailable: "the provider cannot be reached, or cannot answer; try again later",
  fault: "the provider did not answer with tokens",
} as const;

const REASONS: Readonly<Record<TokenReason, string>> = {
  "signed-out": "nobody is signed in",
  "not-linked": "the user has no such account there",
  "no-refresh-token": "it has expired, and there is no refresh token; request one when people sign in",
  "refused": "the provider does not accept the refresh token any more",
  "unreadable": "the stored tokens do not open; were they sealed with a secret that is not in `secret` any more?",
};

/** Makes the error that says why the person has to sign in again. */
export function refreshRequired(reason: TokenReason, { provider }: { readonly provider: string }): RefreshRequired {
  const error = new RefreshRequired(`Cannot give an access token of "${provider}": ${REASONS[reason]}`);
  error.reason = reason;
  return error;
}

/** A refresh that failed. */
export interface FailedRefresh {
  /** Digest of the account and the refresh token. */
  readonly digest: string;
  /** Until when it is not repeated, in milliseconds since 1970. */
  readonly until: number;
  /** Whether the provider refused the refresh token. */
  readonly isRefused: boolean;
}

// By storage: for adapters that cannot keep it with the account. A refresh that was refused is not repeated in a loop.
const known = new WeakMap<Storage, BoundedMap<string, FailedRefresh>>();

/** Finds the failure of a refresh token. */
export function failureOf(
  storage: Storage,
  { refresh_failure: remembered }: AdapterAccount,
  digest: string,
): FailedRefresh | null {
  if (!isObject(remembered) || remembered.digest !== digest) return known.get(storage)?.get(digest) ?? null;
  const { until, isRefused } = remembered;
  return { digest, until: typeof until === "number" ? until : 0, isRefused: isRefused === true };
}

/** Remembers a failure in this process. */
export function rememberFailure(storage: Storage, failure: FailedRefresh): void {
  const failures = known.get(storage) ?? new BoundedMap<string, FailedRefresh>(1000);
  known.set(storage, failures);
  failures.set(failure.digest, failure);
}
