/**
 * What is said of session cookies.
 *
 * @module
 */

/**
 * What became of a session cookie. `opens` is a session. `stored`, `next-auth-v4` and `better-auth` may be one, but not by
 * the secret alone. All others are refused.
 */
export type SessionVerdict =
  | "opens"
  | "stored"
  | "next-auth-v4"
  | "better-auth"
  | "expired"
  | "not-yet"
  | "other-secret"
  | "other-cookie"
  | "changed"
  | "incomplete"
  | "twins"
  | "empty"
  | "signed"
  | "unreadable";

/** What was found of one session cookie. */
export interface SessionFinding {
  /** Its name, without the number of a part; `null` if a value was given without one. */
  readonly name: string | null;
  /** How many cookies it came in. */
  readonly parts: number;
  /** What became of it. */
  readonly verdict: SessionVerdict;
  /** The same as a sentence. */
  readonly says: string;
  /** What to do; `null` if it opens. */
  readonly fix: string | null;
  /** Which secret opens it: the name of the variable, or `secret` with its number in the list. */
  readonly openedBy: string | null;
  /** When it was made, as ISO 8601. */
  readonly issued: string | null;
  /** When it expires, as ISO 8601. */
  readonly expires: string | null;
  /** What it says; what looks like a token is hidden. */
  readonly claims: Readonly<Record<string, unknown>> | null;
  /** The key of its row in storage. With an adapter the session has ended if there is no such row. */
  readonly row: string | null;
  /** What else was seen. */
  readonly notes: readonly string[];
}

/** What was found in a `Cookie` header. */
export interface SessionReport {
  /** The version of this form. */
  readonly version: 1;
  /** Each session cookie; empty if there is none. */
  readonly cookies: readonly SessionFinding[];
  /** The names of other cookies. */
  readonly others: readonly string[];
}

/** How a session cookie is looked at. */
export interface SessionOptions {
  /** The secret, or several, newest first. @default those of the environment, as the service reads them */
  readonly secret?: string | readonly string[] | undefined;
  /** The name of the session cookie, if it was configured. */
  readonly cookie?: string | undefined;
  /** Whether to show what looks like a token. @default {false} */
  readonly show?: boolean | undefined;
}
