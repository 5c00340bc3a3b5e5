/**
 * What can come of a refresh. It is data, because several callers share it and each of them gets an error of its own.
 *
 * @module
 */
import { type AuthErrorCause, OAuthProviderError, ProviderUnavailable, RefreshRequired } from "../kernel/errors.ts";
import type { RefreshReason } from "../kernel/model.ts";
import { type Held, isValidFor } from "./held.ts";
import type { Wanted } from "./wanted.ts";

/** What came of a refresh. */
export type Outcome =
  | { readonly act: "give"; readonly held: Held }
  | { readonly act: "require"; readonly reason: RefreshReason }
  | {
    /** `busy` and `unavailable` pass by themselves. `fault` may be a fault of the configuration. */
    readonly act: "fail";
    readonly kind: "busy" | "unavailable" | "fault";
    readonly cause?: AuthErrorCause | undefined;
    /** What is worth trying. */
    readonly hint?: string | undefined;
    /** What the account holds. */
    readonly held: Held;
  };

/** Seconds for which a token must be valid that is given because it cannot be refreshed. */
const USABLE = 5;

/**
 * Gives the tokens.
 *
 * @throws {RefreshRequired} if the person has to sign in again.
 * @throws {ProviderUnavailable} if the refresh failed and may work later. A token that is still valid is given instead.
 * @throws {OAuthProviderError} if the provider does not accept this client, or its answer is not valid.
 */
export function settle(wanted: Wanted, outcome: Outcome): Held {
  const { provider: { id: provider } } = wanted;
  switch (outcome.act) {
    case "give":
      return outcome.held;
    case "require":
      throw refreshRequired(outcome.reason, { provider });
    case "fail": {
      if (isValidFor(USABLE, outcome.held, wanted)) return outcome.held;
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

const REASONS: Readonly<Record<RefreshReason, string>> = {
  "signed-out": "nobody is signed in",
  "not-linked": "the user has no such account there",
  "no-refresh-token": "it has expired, and there is no refresh token; request one when people sign in",
  "refused": "the provider does not accept the refresh token any more",
  "unreadable": "the stored tokens do not open; were they sealed with a secret that is not in `secret` any more?",
};

/** Makes the error that says why the person has to sign in again. */
export function refreshRequired(reason: RefreshReason, { provider }: { readonly provider: string }): RefreshRequired {
  const error = new RefreshRequired(`Cannot give an access token of "${provider}": ${REASONS[reason]}`);
  error.reason = reason;
  return error;
}
