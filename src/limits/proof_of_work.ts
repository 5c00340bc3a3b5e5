/**
 * The built-in challenge of `limits()`.
 *
 * @module
 */
import { type Challenge, makeChallenge } from "../contract/challenge.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import { once } from "../kernel/load.ts";

/** How much the built-in challenge costs. */
export interface ProofOfWorkOptions {
  /**
   * Hashes that a solution takes on average, for the first guess too many: 1 to 16,777,216. Every further guess adds as
   * many, up to 16 times as many.
   *
   * @default {65536}
   */
  readonly hashes?: number;
  /** Seconds that somebody without script waits: 1 to 240. @default {30} */
  readonly wait?: number;
}

/** The most hashes that may be asked for. */
const MOST_HASHES = 2 ** 24;

/** The longest wait. What is typed meanwhile has to arrive before the token is too old. */
const LONGEST_WAIT = 240;

const work = once(() => import("./work.ts"));

/**
 * Makes the built-in challenge. It needs no other service and stores nothing until a solution is right.
 *
 * It sets a price and stops nobody: a machine built for it computes these hashes thousands of times faster than a phone.
 *
 * @throws {InvalidConfig} if an option is out of its range.
 *
 * @see {@link http://www.hashcash.org/papers/hashcash.pdf | Hashcash}
 */
export function proofOfWork({ hashes = 65536, wait = 30 }: ProofOfWorkOptions = {}): Challenge {
  assertWithin("hashes", hashes, MOST_HASHES);
  assertWithin("wait", wait, LONGEST_WAIT);

  return makeChallenge("proof-of-work", async () => (await work()).workActs({ hashes, wait }));
}

function assertWithin(option: keyof ProofOfWorkOptions, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  throw new InvalidConfig(`Cannot use \`${option}\` of \`proofOfWork()\`: it must be a whole number from 1 to ${most}`);
}
