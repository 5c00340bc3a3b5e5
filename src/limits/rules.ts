/**
 * How often something may be tried, and how a rule becomes buckets.
 *
 * @module
 */
import type { Bucket } from "../contract/adapter.ts";

/** How often something may be tried: some times at once, then once in a while. */
export interface Rule {
  /** How often at once. */
  readonly burst: number;
  /** Seconds after which one more is allowed. */
  readonly every: number;
  /** How often in any 24 hours, if that is less than `burst` and `every` allow. It must be more than `burst`. */
  readonly perDay?: number | undefined;
}

/** Rules about what is compared: codes and credentials. */
export interface GuessRules {
  /** For an account in a browser that it has signed in before. Then no other rule counts. */
  readonly device: Rule;
  /** For an account, in all other browsers together. */
  readonly account: Rule;
  /** For a network, whatever the account: an IPv4 address, or a /56 of IPv6. A /48 has eight times as much. */
  readonly network: Rule;
  /** For an account and a network together. */
  readonly pair: Rule;
  /** For an account, in place of `account` and `pair`, after a challenge was solved. */
  readonly solved: Rule;
}

/** Rules about emails that somebody asks for. */
export interface MailRules {
  /** For an address, in a browser that it has signed in before. Then neither `address` nor `network` counts. */
  readonly device: Rule;
  /** For an address. Over it the answer is the same, and nothing is sent. */
  readonly address: Rule;
  /** For a network. */
  readonly network: Rule;
  /** For an address, in place of `address`, after a challenge was solved. */
  readonly solved: Rule;
  /** For all of the site. Over it, a challenge has to be solved first. Without a challenge, it is only logged. */
  readonly site: Rule;
}

/** Rules about passkeys that strangers register, and about logout tokens that are not valid. */
export interface OtherRules {
  /** Registrations of a network. */
  readonly registration: Rule;
  /** Logout tokens of a network that are not valid. */
  readonly logout: Rule;
  /** Second proofs of a user: in each browser that gave one before, and in all others together. */
  readonly factor: Rule;
}

const MINUTE = 60;

/** Guesses, unless an application says otherwise. */
export const GUESS_RULES: GuessRules = {
  device: { burst: 10, every: MINUTE },
  account: { burst: 10, every: 5 * MINUTE, perDay: 100 },
  network: { burst: 50, every: 5 },
  pair: { burst: 5, every: MINUTE },
  solved: { burst: 10, every: 5 * MINUTE },
};

/** Emails, unless an application says otherwise. */
export const MAIL_RULES: MailRules = {
  device: { burst: 3, every: 10 * MINUTE, perDay: 20 },
  address: { burst: 3, every: 10 * MINUTE, perDay: 20 },
  network: { burst: 20, every: MINUTE },
  solved: { burst: 3, every: 10 * MINUTE, perDay: 20 },
  site: { burst: 500, every: 2 },
};

/** All else. Nobody can change it: these are only reached after a proof, or by somebody who sends what is not valid. */
export const OTHER_RULES: OtherRules = {
  registration: { burst: 20, every: MINUTE },
  logout: { burst: 50, every: 5 },
  factor: { burst: 6, every: 10 * MINUTE, perDay: 24 },
};

const DAY = 24 * 60 * 60 * 1000;

/**
 * Makes the buckets of a rule: one, or two if it has `perDay`.
 *
 * A bucket lets through its burst and what comes back in a day. So that both together stay below `perDay`, half of it is
 * the burst of the second bucket, and the other half comes back.
 *
 * @param key What names the bucket.
 * @param share How many times the burst and the rate there are.
 */
export function bucketsOf({ burst, every, perDay }: Rule, key: string, share = 1): readonly Bucket[] {
  const first = { key, burst: burst * share, every: Math.max(1, Math.ceil(every * 1000 / share)) };
  if (perDay === undefined) return [first];
  const most = perDay * share;
  const half = Math.max(burst * share, Math.ceil(most / 2));
  return [first, { key: `${key}.day`, burst: half, every: Math.ceil(DAY / (most - half)) }];
}

/** Says what is wrong with a rule; `null` if it can be used. */
export function ruleProblem(rule: unknown): string | null {
  if (typeof rule !== "object" || rule === null) return "it must be { burst: 10, every: 60 }, for example";
  const { burst, every, perDay } = rule as Readonly<Record<string, unknown>>;
  if (!isCount(burst)) return "`burst` must be a whole number from 1 to 1000000";
  if (typeof every !== "number" || !(every >= 0.001 && every <= 31_536_000)) {
    return "`every` must be a number of seconds, at most a year";
  }
  if (perDay === undefined) return null;
  return isCount(perDay) && perDay > burst ? null : "`perDay` must be a whole number that is more than `burst`";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 1_000_000;
}
