/**
 * What the built-in challenge does: a proof of work, or a wait for browsers that run no script.
 *
 * A browser with script looks for a number whose hash is small (hashcash over SHA-256). Without script, the token alone is
 * a ticket once it is old enough. Tickets can be collected at the same time, so only one of them is good for each wait and
 * network.
 *
 * @module
 */
import { sha256Hex } from "../crypto/digest.ts";
import { type ChallengeView, WORK_FIELD } from "../kernel/challenge_view.ts";
import type { ChallengeActs, ChallengeAnswered, ChallengeAsked } from "./challenge.ts";
import { spend, type SpendContext } from "./spent.ts";
import { LIFETIME, makeToken, readToken, secondsOf, type WorkToken } from "./work_token.ts";

/** The most times that the work grows by. */
const MOST_TIMES = 16;

/** Seconds that a mark outlives what it is for: the clock of storage may differ. */
const MARGIN = 60;

/** What it costs. */
export interface WorkCosts {
  /** Hashes that a solution takes on average, for the first guess too many. */
  readonly hashes: number;
  /** Seconds that somebody without script waits. */
  readonly wait: number;
}

/** Makes what the built-in challenge does. */
export function workActs({ hashes, wait }: WorkCosts): ChallengeActs {
  async function show({ config }: SpendContext, asked: ChallengeAsked): Promise<ChallengeView> {
    const { subject, debt, fields } = asked;
    const kept = await readToken(config, subject, fields?.[WORK_FIELD]);
    const left = kept && kept.solution === null ? wait - ageOf(config, kept) : 0;
    // Who came back too early need not wait again.
    const isEarly = kept !== null && left > 0;
    const times = Math.min(Math.max(1, Math.ceil(debt)), MOST_TIMES);
    const token = isEarly ? kept.text : await makeToken(config, subject, hashes * times);
    return { id: "proof-of-work", fields: { [WORK_FIELD]: token }, waits: isEarly ? left : wait };
  }

  async function verify(ctx: SpendContext, { subject, network, fields }: ChallengeAnswered): Promise<boolean> {
    const token = await readToken(ctx.config, subject, fields[WORK_FIELD]);
    if (!token) return false;
    const isSolved = token.solution === null
      ? ageOf(ctx.config, token) >= wait && await isFirstOfWait(ctx, network ?? `subject:${subject}`, wait)
      : await isRight(token);
    const expires = new Date((token.issued + LIFETIME + MARGIN) * 1000);
    return isSolved && await spend(ctx, `work:${token.mac}`, expires);
  }

  return { show, verify };
}

function ageOf({ runtime }: SpendContext["config"], { issued }: WorkToken): number {
  return secondsOf(runtime) - issued;
}

/** Whether the first 32 bits of the hash, as a number, are below 2^32 divided by the work. */
async function isRight({ mac, work, solution }: WorkToken): Promise<boolean> {
  const hash = await sha256Hex(`${mac}.${solution}`);
  return parseInt(hash.slice(0, 8), 16) < 2 ** 32 / work;
}

// A stranger may open thousands of pages at once, and all tickets get old together.
async function isFirstOfWait(ctx: SpendContext, holder: string, wait: number): Promise<boolean> {
  const turn = Math.floor(secondsOf(ctx.config.runtime) / wait);
  const expires = new Date(((turn + 1) * wait + MARGIN) * 1000);
  return await spend(ctx, `wait:${await sha256Hex(holder)}:${turn}`, expires);
}
