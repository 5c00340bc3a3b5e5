/**
 * What did not work on the account page, as scripts and the application read it.
 *
 * @module
 */
import type { AuthErrorType } from "../kernel/errors.ts";
import type { AccountProblem } from "./account_views.ts";

/** The status of each problem, and the error that stands for it. */
export const ACCOUNT_PROBLEMS = {
  "name": { status: 400, error: "BadRequest" },
  "email": { status: 400, error: "EmailSignInError" },
  "same-email": { status: 400, error: "BadRequest" },
  "last-way": { status: 409, error: "LastWayIn" },
  "not-found": { status: 404, error: "BadRequest" },
  "typed": { status: 400, error: "BadRequest" },
  "expired": { status: 403, error: "Verification" },
  "too-many": { status: 429, error: "TooManyAttempts" },
  "not-sent": { status: 503, error: "EmailSignInError" },
  "section": { status: 400, error: "BadRequest" },
} as const satisfies Readonly<
  Record<AccountProblem, { readonly status: number; readonly error: AuthErrorType }>
>;
