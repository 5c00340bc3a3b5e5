/**
 * The error of what was tried too often, with what its answer tells.
 *
 * @module
 */
import type { ChallengeView } from "../kernel/challenge_view.ts";
import type { Field } from "../http/headers.ts";
import { TooManyAttempts } from "../kernel/errors.ts";

/** Why something is refused for now, and what can be done about it. It is the same whether or not there is such a user. */
export interface Limited {
  /** Seconds after which it is judged again, at least 1. */
  readonly retryAfter: number;
  /** Ways that are open at once, such as `email` or `passkey`. */
  readonly ways: readonly string[];
  /** What solves it at once. */
  readonly challenge?: ChallengeView | undefined;
  /** The limit, as the header fields tell it. */
  readonly policy: { readonly name: string; readonly quota: number; readonly window: number };
}

/** What the answer to an error tells. */
const told = new WeakMap<TooManyAttempts, Limited>();

/** Makes the error of what was tried too often. */
export function tooMany(limited: Limited): TooManyAttempts {
  const error = new TooManyAttempts(`There were too many attempts: wait ${limited.retryAfter} seconds, or another way`);
  error.retryAfter = limited.retryAfter;
  error.ways = Object.freeze([...limited.ways]);
  error.challenge = limited.challenge ?? null;
  told.set(error, limited);
  return error;
}

/**
 * The header fields of the answer to what was tried too often.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 | RFC 9110, section 10.2.3}
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10 | RateLimit header fields, draft 10}
 */
export function limitFields(error: TooManyAttempts): readonly Field[] {
  const retry: Field = ["retry-after", String(error.retryAfter)];
  const policy = told.get(error)?.policy;
  if (!policy) return [retry];
  const { name, quota, window } = policy;
  return [
    retry,
    ["ratelimit-policy", `"${name}";q=${quota};w=${window}`],
    ["ratelimit", `"${name}";r=0;t=${error.retryAfter}`],
  ];
}
