/**
 * What a challenge is: another way past a full bucket of an account.
 *
 * @module
 */
import type { Awaitable } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";

/** What a challenge is shown for. */
export interface ChallengeAsked {
  /** What is asked for: opaque text, a keyed hash. A solution is good for this subject only. */
  readonly subject: string;
  /** How far the bucket is over, in tokens: at least 1. Difficulty grows with it. */
  readonly debt: number;
}

/** What came back. */
export interface ChallengeAnswered {
  /** What was asked for, as it was shown. */
  readonly subject: string;
  /** The fields of the form, or the members of the JSON body. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Another way past a full bucket of an account: something that costs whoever asks. */
export interface Challenge {
  /** Its name, as JSON clients get it among `ways`. */
  readonly id: string;
  /** What a page shows: fields, a script, origins of the content security policy. Bound to the subject and to this minute. */
  readonly show: (ctx: RequestContext, about: ChallengeAsked) => Awaitable<ChallengeView>;
  /** Whether the fields that came back solve it. Each solution is good once (storage with `once`, else memory). */
  readonly verify: (ctx: RequestContext, about: ChallengeAnswered) => Awaitable<boolean>;
}

/** The visible part of a challenge that another service shows. */
export interface ChallengeWidget {
  /** Class of the element that its script looks for. */
  readonly className: string;
  /** `data-` attributes of the element, without the prefix. */
  readonly data: Readonly<Record<string, string>>;
  /** URL of its script. */
  readonly script: string;
}

/** A challenge as plain data: pages render it, and JSON clients get it. */
export interface ChallengeView {
  /** The name of the challenge. */
  readonly id: string;
  /** Hidden inputs. */
  readonly fields: Readonly<Record<string, string>>;
  /** What another service shows. Absent for the built-in challenge. */
  readonly widget?: ChallengeWidget;
  /** Origins that the content security policy has to allow. */
  readonly origins?: readonly string[];
  /** Seconds after which a page without script may go on. */
  readonly waits?: number;
}
