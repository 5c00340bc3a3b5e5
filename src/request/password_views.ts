/**
 * The pages of passwords as plain data.
 *
 * @module
 */
import type { ChallengeView } from "../kernel/challenge_view.ts";

/** What is wrong with what was typed. */
export type PasswordProblem =
  | "email"
  | "short"
  | "long"
  | "common"
  | "breached"
  | "reused"
  | "expired"
  | "too-many"
  | "busy";

/** What somebody who is signed in has done with their password. */
export type PasswordDone = "saved" | "removed";

interface Common {
  readonly csrfToken: string | null;
  readonly action: string;
  readonly callbackUrl: string;
  readonly problem: PasswordProblem | null;
  /** Seconds until another attempt is judged, if there were too many. */
  readonly retryAfter?: number | undefined;
  /** What the form has to prove. */
  readonly challenge?: ChallengeView | undefined;
  readonly signInUrl: string;
  readonly siteUrl: string;
}

/** The fewest and the most characters of a password. */
export interface PasswordLength {
  readonly min: number;
  readonly max: number;
}

/** The page to register with an address and a password. */
export interface SignUpPage extends Common {
  readonly name: "signup";
  readonly email: string | null;
  /** The name that was typed. */
  readonly typedName: string | null;
  readonly length: PasswordLength;
}

/** The page to ask for an email with which a new password is chosen. */
export interface ResetPage extends Common {
  readonly name: "reset";
  readonly email: string | null;
}

/** The page to choose a password. */
export interface NewPasswordPage extends Common {
  readonly name: "new-password";
  /**
   * - `reset`: from the link of an email.
   * - `claim`: from the link of a registration that began in another browser: somebody chose a password with this address,
   *   and its owner chooses theirs.
   * - `set`, `change`: somebody who is signed in, without and with a password.
   */
  readonly purpose: "reset" | "claim" | "set" | "change";
  /** Whose password it is. */
  readonly email: string;
  /** What the link had, to be posted back. */
  readonly token: string | null;
  readonly length: PasswordLength;
  /** Whether the password may be removed, because there is another way in. */
  readonly canRemove: boolean;
  /** What was done just now. @default nothing */
  readonly done?: PasswordDone | undefined;
  /** Sessions on other devices go on, because storage cannot end them. */
  readonly sessionsStay?: true;
}

/** A page of passwords. */
export type PasswordPage = SignUpPage | ResetPage | NewPasswordPage;
