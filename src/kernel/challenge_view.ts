/**
 * Challenges as plain data: pages render it, and JSON clients get it.
 *
 * @module
 */

/** The visible part of a challenge that another service shows. */
export interface ChallengeWidget {
  /** Class of the element that its script looks for. */
  readonly className: string;
  /** `data-` attributes of the element, without the prefix. */
  readonly data: Readonly<Record<string, string>>;
  /** URL of its script. */
  readonly script: string;
}

/** Something that costs whoever asks, and helps over a limit. */
export interface ChallengeView {
  /** The name of the challenge, such as `proof-of-work` or `turnstile`. */
  readonly id: string;
  /** Fields that come back with the form, solved where the challenge says so. */
  readonly fields: Readonly<Record<string, string>>;
  /** What another service shows. Absent for the built-in challenge. */
  readonly widget?: ChallengeWidget;
  /** Origins that the content security policy has to allow. */
  readonly origins?: readonly string[];
  /** Seconds after which a page without script may go on. */
  readonly waits?: number;
}

/** A challenge at the form of a way of signing in. */
export interface PageChallenge {
  /** Id of the provider. */
  readonly provider: string;
  /** What is shown there. */
  readonly view: ChallengeView;
}

/** The field of the built-in challenge. */
export const WORK_FIELD = "proofOfWork";

/** The fields that challenges come back in. */
const CHALLENGE_FIELDS: ReadonlySet<string> = new Set([
  ...[WORK_FIELD, "cf-turnstile-response", "h-captcha-response", "g-recaptcha-response"],
]);

/** Leaves out what a challenge adds to a form: it says nothing of who signs in, so the application does not get it. */
export function withoutChallenge<T>(fields: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !CHALLENGE_FIELDS.has(name)));
}
