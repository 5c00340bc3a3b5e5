/**
 * What is limited, and by which buckets.
 *
 * @module
 */
import type { Bucket } from "../contract/adapter.ts";
import type { GuessKind, LimitedBy } from "../contract/limited.ts";
import { bucketsOf, type GuessRules, type MailRules, OTHER_RULES, type Rule } from "./rules.ts";
import type { Network } from "./client_address.ts";

/** The kinds of buckets. */
export type BucketName = LimitedBy;

/** Everything that is limited. */
export type Act = GuessKind | "mail";

/** What stands before an act. */
interface Guarded {
  /** The buckets, of which those count that are known. */
  readonly buckets: readonly BucketName[];
  /** What happens while storage is down: nothing is let through, or a process counts for itself. */
  readonly whenDown: "closed" | "memory";
  /** Whether it costs only if it was wrong. Otherwise it is paid before, and a success gives back. */
  readonly paidAfter?: boolean;
}

/** Which buckets stand before which act. A missing row does not compile. */
export const ACTS: Readonly<Record<Act, Guarded>> = {
  code: { buckets: ["device", "account", "network", "pair", "solved"], whenDown: "closed" },
  credentials: { buckets: ["device", "account", "network", "pair", "solved"], whenDown: "memory" },
  password: { buckets: ["device", "account", "network", "pair", "solved"], whenDown: "memory" },
  // Who knows the password gets here. A browser that gave a second proof before has guesses of its own, so that nobody else
  // uses those of the owner up.
  factor: { buckets: ["device", "account"], whenDown: "closed" },
  registration: { buckets: ["network", "solved"], whenDown: "memory" },
  // A provider that ends the sessions of 5,000 people sends tokens that are right.
  logout: { buckets: ["network"], whenDown: "memory", paidAfter: true },
  mail: { buckets: ["device", "account", "network", "solved", "site"], whenDown: "memory" },
};

/**
 * Which act each route of the service leads to, by method, action and the type of provider that the path names; `null` if
 * it compares no secret that can be guessed and sends no email. A test compares it with the table of endpoints.
 */
export const ROUTES: Readonly<Record<string, readonly Act[] | null>> = {
  "GET csrf": null,
  "GET providers": null,
  "GET session": null,
  "POST session": null,
  "GET signin": null,
  "POST signin": null,
  "GET signout": null,
  "POST signout": null,
  "GET error": null,
  "GET verify-request": null,
  // Whoever is signed in changes their address: the email goes to one that they typed.
  "GET account": null,
  "POST account": ["mail"],
  "GET challenge": null,
  "POST challenge": ["factor"],
  "GET factors": null,
  "POST factors": ["factor"],
  // The token of a link has 256 bits. What costs a hash is limited all the same, also for whoever is signed in.
  "GET signup": null,
  "POST signup": ["registration", "mail"],
  "GET reset": null,
  "POST reset": ["registration", "mail"],
  "GET password": null,
  "POST password": ["password"],
  // A state, a code of a provider and a logout token with a signature have more than 128 bits.
  "GET signin oauth": null,
  "POST signin oauth": null,
  "GET callback oauth": null,
  "POST callback oauth": null,
  "GET signout oauth": null,
  "GET frontchannel-logout oauth": null,
  "POST backchannel-logout oauth": ["logout"],
  "GET signin email": null,
  "POST signin email": ["mail"],
  "GET callback email": ["code"],
  "POST callback email": ["code"],
  "GET signin credentials": null,
  "POST signin credentials": null,
  "POST callback credentials": ["credentials", "password"],
  "GET signin webauthn": null,
  "POST signin webauthn": ["mail"],
  // A signature cannot be guessed, so passkeys are never limited by account.
  "POST callback webauthn": null,
  "GET webauthn-options webauthn": ["registration"],
};

/** What an act is about, as far as it is known. Whoever is unknown has no bucket: never one together with others. */
export interface Subject {
  readonly act: Act;
  /** Whose it is, as keyed hashes: several if several names were typed, of which each counts. */
  readonly accounts: readonly string[];
  /** The browser, if all these accounts have signed in there before. */
  readonly device: string | null;
  readonly networks: readonly Network[];
  /** Whether a challenge was solved. */
  readonly isSolved: boolean;
}

/** A bucket that stands before an act. */
export interface Standing extends Bucket {
  readonly name: BucketName;
  /** Whether it may refuse and the act is done all the same. */
  readonly isSoft: boolean;
}

/** The bucket of one code: its first guess costs its account nothing, so nobody can use up what a person was just sent. */
export function standingBeforeFirst(act: Act, target: string): readonly Standing[] {
  return standing("account", { burst: 1, every: 24 * 60 * 60 }, ["first", act, target]);
}

/** What decides how many tokens there are. */
export interface Rules {
  readonly guess: GuessRules;
  readonly mail: MailRules;
}

/** Lists the buckets that stand before an act. Their keys are not hashed yet. */
export function standingBefore(subject: Subject, { guess, mail }: Rules): readonly Standing[] {
  const { act } = subject;
  switch (act) {
    case "registration":
      // Many people may be behind one address: who solves a challenge goes on beside the others.
      return subject.isSolved
        ? ofNetworks(subject, "solved", OTHER_RULES.solvedRegistration)
        : ofNetworks(subject, "network", OTHER_RULES.registration);
    case "logout":
      return ofNetworks(subject, "network", OTHER_RULES.logout);
    case "factor":
      return ofFactor(subject, OTHER_RULES.factor);
    case "mail":
      return [...ofMail(subject, mail), ...standing("site", mail.site, [act])];
    default:
      return ofGuess(subject, guess);
  }
}

function ofGuess(subject: Subject, rules: GuessRules): readonly Standing[] {
  const { networks: [nearest], isSolved } = subject;
  // With the device of this account no neighbour and no stranger counts: they cannot lock its owner out.
  if (isKnown(subject)) return ofAccounts(subject, "device", rules.device, subject.device);
  const network = ofNetworks(subject, "network", rules.network);
  if (isSolved) return [...ofAccounts(subject, "solved", rules.solved), ...network];
  const pair = nearest ? ofAccounts(subject, "pair", rules.pair, nearest.name) : [];
  return [...ofAccounts(subject, "account", rules.account), ...network, ...pair];
}

// As many in either: more would make guesses worth while.
function ofFactor(subject: Subject, rule: Rule): readonly Standing[] {
  return isKnown(subject) ? ofAccounts(subject, "device", rule, subject.device) : ofAccounts(subject, "account", rule);
}

function ofMail(subject: Subject, rules: MailRules): readonly Standing[] {
  if (isKnown(subject)) return ofAccounts(subject, "device", rules.device, subject.device);
  const name = subject.isSolved ? "solved" : "account";
  const rule = subject.isSolved ? rules.solved : rules.address;
  return [...ofAccounts(subject, name, rule), ...ofNetworks(subject, "network", rules.network)];
}

function isKnown(subject: Subject): subject is Subject & { readonly device: string } {
  return subject.accounts.length > 0 && subject.device !== null;
}

/** @param also What else the buckets are about. */
function ofAccounts(
  { act, accounts }: Pick<Subject, "act" | "accounts">,
  name: BucketName,
  rule: Rule,
  ...also: readonly string[]
): readonly Standing[] {
  return accounts.flatMap((account) => standing(name, rule, [act, account, ...also]));
}

function ofNetworks({ act, networks }: Subject, bucket: BucketName, rule: Rule): readonly Standing[] {
  return networks.flatMap(({ name, share }) => standing(bucket, rule, [act, name], share));
}

function standing(name: BucketName, rule: Rule, about: readonly string[], share = 1): readonly Standing[] {
  // As JSON, so that no two lists of texts have the same key.
  const key = JSON.stringify([name, ...about]);
  return bucketsOf(rule, key, share).map((bucket) => ({ ...bucket, name, isSoft: name === "site" }));
}

/** What follows from the buckets that refused. */
export type Verdict =
  | { readonly act: "pass" }
  /** The answer is the same as if it had passed, and nothing is done. */
  | { readonly act: "pretend" }
  | {
    readonly act: "refuse";
    /** Whether a challenge would help. */
    readonly isSolvable: boolean;
  };

/** The buckets that a solved challenge leads past. */
const SOLVABLE: Readonly<Partial<Record<Act, readonly BucketName[]>>> = {
  code: ["account", "pair"],
  credentials: ["account", "pair"],
  password: ["account", "pair"],
  registration: ["network"],
};

/**
 * Decides by the buckets that refused.
 *
 * @param asksChallenge Whether a challenge can be asked for.
 */
export function decide(
  { act, isSolved }: Pick<Subject, "act" | "isSolved">,
  refused: readonly BucketName[],
  asksChallenge: boolean,
): Verdict {
  if (act !== "mail") {
    if (refused.length === 0) return { act: "pass" };
    return { act: "refuse", isSolvable: refused.every((name) => SOLVABLE[act]?.includes(name)) };
  }
  if (refused.includes("network")) return { act: "refuse", isSolvable: false };
  // The ceiling of the site keeps nobody out: it asks for a challenge if there is one.
  if (refused.includes("site") && asksChallenge && !isSolved) return { act: "refuse", isSolvable: true };
  // Whose mailbox is full learns nothing, and a stranger learns nothing of the owner.
  return refused.some((name) => name !== "site") ? { act: "pretend" } : { act: "pass" };
}
