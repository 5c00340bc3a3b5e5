/**
 * Challenges, as values of a configuration.
 *
 * @module
 */

/**
 * Something that costs whoever guesses more than is allowed: a proof of work, or a task of another service. Functions of
 * this package make challenges. You cannot write one.
 */
export interface Challenge {
  /** Its name. */
  readonly id: string;
}

/** The keys that a service has given out, and where they are used. */
export interface ChallengeKeys {
  /** The key for pages. */
  readonly siteKey: string;
  /** The key for the server. It is sent to the service only. */
  readonly secretKey: string;
  /**
   * Hosts of the pages that show the challenge, in lower case and without a port.
   *
   * @default the host of the request
   */
  readonly hostnames?: readonly string[];
}

/** What loads the code of each challenge. Only what is here is one. */
const made = new WeakMap<object, () => Promise<object>>();

/**
 * Makes a challenge, whose code is loaded once it is needed.
 *
 * @param load Loads what it does, see `ChallengeActs`.
 */
export function makeChallenge(id: string, load: () => Promise<object>): Challenge {
  const challenge = Object.freeze({ id });
  made.set(challenge, load);
  return challenge;
}

/** Whether a value is a challenge. */
export function isChallenge(value: unknown): value is Challenge {
  return typeof value === "object" && value !== null && made.has(value);
}

/** Loads the code of a challenge; `null` if the value is none. */
export async function loadChallenge(challenge: Challenge): Promise<object | null> {
  return await made.get(challenge)?.() ?? null;
}
