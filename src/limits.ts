/**
 * Limits that stop guessing, and never lock out the owner of an account.
 *
 * @module
 */
import { type Challenge, isChallenge } from "./contract/challenge.ts";
import { type Feature, makeFeature } from "./contract/feature.ts";
import { InvalidConfig } from "./kernel/errors.ts";
import { once } from "./kernel/load.ts";
import { isObject } from "./kernel/objects.ts";
import { proofOfWork, type ProofOfWorkOptions } from "./limits/proof_of_work.ts";
import type { AddressHeader, ClientAddress } from "./limits/client_address.ts";
import { GUESS_RULES, type GuessRules, MAIL_RULES, type MailRules, type Rule, ruleProblem } from "./limits/rules.ts";

export type { AddressHeader, Challenge, ClientAddress, GuessRules, MailRules, ProofOfWorkOptions, Rule };
export { proofOfWork };

/** Options of {@linkcode limits}. */
export interface LimitsOptions {
  /**
   * Rules about codes by email and credentials. Those that are not given keep their defaults: in a browser that the account
   * has signed in before 10 guesses, then 1 a minute, and nothing else counts there; for an account 10, then 1 in 5 minutes, 100
   * in 24 hours; for a network 50, then 1 in 5 seconds; for both together 5, then 1 a minute.
   */
  readonly guess?: Partial<GuessRules> | undefined;
  /**
   * Rules about emails that somebody asks for. Those that are not given keep their defaults: for an address 3, then 1 in 10
   * minutes, 20 in 24 hours, and as many again in a browser that it has signed in before; for a network 20, then 1 a minute;
   * for the site 500, then 1 in 2 seconds.
   */
  readonly mail?: Partial<MailRules> | undefined;
  /**
   * Where the address of a client is found. Behind a proxy you have to say it.
   *
   * @default the other end of the connection, if the host tells it, it is not on a private network, and no proxy is in sight
   */
  readonly clientAddress?: ClientAddress | undefined;
  /**
   * Names the account that somebody tries to enter with credentials, such as the number of an employee with that of their
   * company. Spellings that your `authorize` takes for the same account must give the same name.
   *
   * @default the field with the usual name of one, such as `email` or `username`
   */
  readonly account?:
    | ((fields: Readonly<Record<string, unknown>>, provider: string) => string | null | undefined)
    | undefined;
  /** Another way past the limit of an account; `null` for none. @default proofOfWork() */
  readonly challenge?: Challenge | null | undefined;
}

/** Switches all limits off, also those of codes by email and of second proofs, which are there without `limits()`. */
export interface NoLimits {
  /** Why: what counts instead. It has to know the account, or somebody with many addresses finds six digits soon. */
  readonly off: string;
}

/**
 * Limits how often codes and credentials are guessed, emails are asked for and passkeys are registered.
 *
 * A stranger cannot lock anybody out: a browser in which somebody has signed in before has guesses of its own, and passkeys
 * and links that were sent always work. A client whose address is unknown shares no limit with others.
 *
 * Over a limit the answer has status 429, with `Retry-After` and the fields of the draft below, and the error is
 * `TooManyAttempts`. Too many emails for one address look as always, and nothing is sent.
 *
 * It counts in storage if the adapter has `take`, otherwise in the memory of each process. If a function chooses the
 * configuration of each request, make the feature once, outside of it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { limits } from "@x/auth/limits";
 *
 * createAuth({
 *   providers: [],
 *   features: [limits({ clientAddress: { header: "x-forwarded-for", hops: 1 } })],
 * });
 * ```
 *
 * @param options What differs from the defaults, or why there are no limits: `{ off: "our gateway counts" }`.
 * @returns The feature, for `features` of the configuration.
 * @throws {InvalidConfig} if an option cannot be used.
 *
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10 | RateLimit header fields, draft 10}
 */
export function limits(options: LimitsOptions | NoLimits = {}): Feature {
  if ("off" in options) {
    if (typeof options.off !== "string" || options.off.trim() === "") {
      throw new InvalidConfig('Cannot use `limits`: `off` must say why, such as `{ off: "our proxy counts" }`');
    }
    return makeFeature("limits", [], () => Promise.resolve({}), []);
  }
  const { account, clientAddress, challenge = proofOfWork() } = options;
  checkAddress(clientAddress);
  if (challenge !== null && !isChallenge(challenge)) {
    throw new InvalidConfig(
      "Cannot use `limits`: `challenge` must be what `proofOfWork()` or a function like it returns",
    );
  }
  const rules = {
    guess: { ...GUESS_RULES, ...readRules("guess", options.guess, GUESS_RULES) },
    mail: { ...MAIL_RULES, ...readRules("mail", options.mail, MAIL_RULES) },
  };
  const settings = { rules, clientAddress, account, challenge };
  return makeFeature("limits", [], once(async () => (await making()).makePoints(settings)), ACTS_AT);
}

const making = once(() => import("./limits/mod.ts"));

const ACTS_AT = ["guess", "mail", "entered", "check"] as const;

function readRules<Rules extends object>(
  option: string,
  given: Partial<Rules> | undefined,
  known: Rules,
): Partial<Rules> {
  const rules: unknown = given ?? {};
  if (!isObject(rules)) throw new InvalidConfig(`Cannot use \`limits\`: \`${option}\` must be an object of rules`);
  const chosen = Object.entries(rules).filter(([, rule]) => rule !== undefined);
  for (const [name, rule] of chosen) {
    const problem = Object.hasOwn(known, name) ? ruleProblem(rule) : `there is no such rule: it has ${namesOf(known)}`;
    if (problem) throw new InvalidConfig(`Cannot use \`limits\`: \`${option}.${name}\`: ${problem}`);
  }
  return Object.fromEntries(chosen) as Partial<Rules>;
}

function namesOf(known: object): string {
  return Object.keys(known).join(", ");
}

function checkAddress(given: unknown): void {
  if (given === undefined || given === "connection" || typeof given === "function") return;
  const { header, hops = 1 } = isObject(given) ? given : {};
  const isName = typeof header === "string" && /^[\w-]{1,64}$/.test(header);
  const isCount = typeof hops === "number" && Number.isInteger(hops) && hops >= 1 && hops <= 32;
  if (isName && isCount) return;
  throw new InvalidConfig(
    'Cannot use `limits`: `clientAddress` must be "connection", a function, or the name of a header with the number of ' +
      'your proxies, such as `{ header: "x-forwarded-for", hops: 1 }`',
  );
}
