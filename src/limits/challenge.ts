/**
 * What a challenge does: it is another way past a full bucket of an account.
 *
 * @module
 */
import { type Challenge, loadChallenge } from "../contract/challenge.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import type { Awaitable } from "../kernel/model.ts";
import type { ChallengeView, ChallengeWidget } from "../kernel/challenge_view.ts";
import type { RequestContext } from "../request/context.ts";

export type { Challenge, ChallengeView, ChallengeWidget };

/** What a challenge is shown for. */
export interface ChallengeAsked {
  /** What is asked for: opaque text, a keyed hash. A solution is good for this subject only. */
  readonly subject: string;
  /** How far the bucket is over, in tokens: at least 1. Difficulty grows with it. */
  readonly debt: number;
  /** The network that asks, as a keyed hash; `null` where the address is unknown. */
  readonly network: string | null;
  /** The fields that came back and did not solve it, if it was shown before. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** What came back. */
export interface ChallengeAnswered {
  /** What was asked for, as it was shown. */
  readonly subject: string;
  /** The network that answers, as a keyed hash; `null` where the address is unknown. */
  readonly network: string | null;
  /** The fields of the form, or the members of the JSON body. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What a challenge does. */
export interface ChallengeActs {
  /** What a page shows: fields, a script, origins of the content security policy. Bound to the subject and to this minute. */
  readonly show: (ctx: RequestContext, about: ChallengeAsked) => Awaitable<ChallengeView>;
  /** Whether the fields that came back solve it. Each solution is good once (storage with `once`, else memory). */
  readonly verify: (ctx: RequestContext, about: ChallengeAnswered) => Awaitable<boolean>;
}

/** Loads what a challenge does. @throws {InvalidConfig} if this package has not made it. */
export async function actsOf(challenge: Challenge): Promise<ChallengeActs> {
  const acts = await loadChallenge(challenge);
  // Only functions of this package make challenges, and each of them loads these.
  if (acts) return acts as ChallengeActs;
  throw new InvalidConfig("Cannot use `challenge`: it must be what `proofOfWork()` or a function like it returns");
}
