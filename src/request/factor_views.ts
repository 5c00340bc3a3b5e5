/**
 * The pages of second factors as plain data: pages render it, and JSON clients get it.
 *
 * @module
 */

/** A way to give a second proof. */
export type ProofMethod = "passkey" | "totp" | "email-code" | "recovery-code";

/** The page that asks for a second proof. `csrfToken` is `null` where CSRF tokens are switched off. */
export interface ChallengePage {
  readonly name: "challenge";
  readonly csrfToken: string | null;
  readonly action: string;
  readonly callbackUrl: string;
  /** Whether a sign-in waits for the proof, or somebody who is signed in has to prove more. */
  readonly purpose: "sign-in" | "step-up";
  readonly method: ProofMethod;
  /** The other ways, each with the URL of its page. */
  readonly others: readonly { readonly method: ProofMethod; readonly url: string }[];
  /** What did not work just now. */
  readonly problem: "wrong" | "expired" | "too-many" | "not-sent" | null;
  /** Seconds until another attempt is judged, if there were too many. */
  readonly retryAfter?: number | undefined;
  /** Options of `navigator.credentials.get()` as JSON, for a passkey. */
  readonly passkeyOptions?: object | undefined;
  /** The address that a code was sent to, shortened, for an email code. Without it the page has a button that sends one. */
  readonly sentTo?: string | undefined;
  /** Days that this browser need not prove it again, if the person says so; `null` if that is not offered. */
  readonly trustDays: number | null;
  /** For somebody who has lost every way: how long they wait, and whether they have asked for it. */
  readonly lost?: { readonly hours: number; readonly isAsked: boolean } | undefined;
  /** Where somebody undoes what was added to their account, if a link in an email brought them; otherwise `null`. */
  readonly undoUrl: string | null;
  /** Where to give up: the sign-in page, or the front page, or the sign-out page if the front page asks for the proof too. */
  readonly cancelUrl: string;
}

/** A factor, as its owner sees it. */
export interface FactorEntry {
  readonly id: string;
  readonly type: "totp" | "passkey";
  /** The name that its owner chose. */
  readonly name: string | null;
  readonly createdAt: Date | null;
  readonly usedAt: Date | null;
}

/** A secret to put into an authenticator app. */
export interface TotpSetup {
  /** Id of the factor that is not confirmed yet. */
  readonly id: string;
  /** The secret in base32, in groups of four. */
  readonly secret: string;
  /** The `otpauth:` URI. */
  readonly uri: string;
  /** The picture of the URI: a square of so many modules, and the path of those that are dark, for SVG. */
  readonly qr: { readonly size: number; readonly path: string };
}

/** What the page of factors asks for. */
export type FactorsStep =
  /** `isSaved`: something was changed just now. */
  | { readonly kind: "list"; readonly isSaved?: boolean }
  | { readonly kind: "totp"; readonly setup: TotpSetup }
  /** Shown once. `ask` is the number of the code whose last four characters are typed back, from 1. */
  | { readonly kind: "recovery-codes"; readonly codes: readonly string[]; readonly ask: number }
  /** The codes are not shown again: only what was asked. */
  | { readonly kind: "recovery-codes-again"; readonly ask: number }
  | { readonly kind: "remove"; readonly factor: FactorEntry }
  /** From the link of an email: what was added is removed, and all sessions are ended. */
  | { readonly kind: "undo"; readonly token: string; readonly isProven: boolean; readonly signInUrl: string }
  | { readonly kind: "undone"; readonly signInUrl: string };

/** The page that lists, adds and removes factors. */
export interface FactorsPage {
  readonly name: "factors";
  readonly csrfToken: string | null;
  readonly action: string;
  readonly callbackUrl: string;
  /** Whether a factor is needed to go on, or somebody looks at theirs. */
  readonly purpose: "manage" | "required";
  /** Whether the person is asked for a second proof when they sign in. */
  readonly isOn: boolean;
  readonly factors: readonly FactorEntry[];
  /** How many recovery codes are left; `null` if there are none yet. */
  readonly recoveryCodes: number | null;
  /** What can be added. */
  readonly add: readonly ("totp" | "passkey")[];
  /** Where a passkey is made; `null` if the site has none. */
  readonly passkeyUrl: string | null;
  readonly step: FactorsStep;
  readonly problem: "wrong" | "expired" | "too-many" | "name" | null;
  readonly retryAfter?: number | undefined;
  /** Sessions on other devices go on, because storage cannot end them. */
  readonly sessionsStay?: true;
  readonly siteUrl: string;
}

/** A second factor of a user, as your code sees it. */
export interface UserFactor {
  /** Its id, for `remove()`. */
  readonly id: string;
  /** An authenticator app, a passkey, or the set of recovery codes. */
  readonly type: "totp" | "passkey" | "recovery";
  /** The name that its owner chose. */
  readonly name: string | null;
  /** When it was added, if that is known. */
  readonly createdAt: Date | null;
  /** When it was used last, if it was and that is known. */
  readonly usedAt: Date | null;
}
