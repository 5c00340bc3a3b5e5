/**
 * Histories of what people did, by chance: written down, lived through, compared with the oracle at every step.
 *
 * @module
 */
import { type Chance, chanceOf } from "./chance.ts";
import { type Act, type Claim, type Inside, Oracle, type OracleOptions, personOf } from "./oracle_histories.ts";

/** A service in which histories happen. */
export interface Stage extends OracleOptions {
  /** Opens it for one history. Addresses and names of it occur in no other. */
  open(name: string): Promise<Scene>;
}

/** The service during one history. */
export interface Scene {
  /** Does something. */
  do(act: Act): Promise<void>;
  /** The id of the user that a browser is inside of. */
  inside(browser: number): Promise<string | null>;
}

/** How many people there are, and browsers of each. */
const [PEOPLE, BROWSERS] = [4, 2];

/** Whose mailboxes these are, by number; the last person has none. */
const MAILBOXES = ["ann", "ben", "mal"] as const;

const WAITS = [300, 1200, 31 * 24 * 3600];

/** Makes a history by chance. */
export function historyOf(chance: Chance, length: number, options: OracleOptions): Act[] {
  const wanderer = new Wanderer(chance, options);
  return Array.from({ length }, () => wanderer.next());
}

class Wanderer {
  readonly #chance: Chance;
  readonly #oracle: Oracle;
  readonly #strategy: OracleOptions["strategy"];
  readonly #keys: number[][] = Array.from({ length: PEOPLE }, () => []);
  #made = 0;

  constructor(chance: Chance, options: OracleOptions) {
    this.#chance = chance;
    this.#oracle = new Oracle(options);
    this.#strategy = options.strategy;
  }

  next(): Act {
    const act = this.#choose();
    this.#oracle.do(act);
    return act;
  }

  #choose(): Act {
    const chance = this.#chance;
    const browser = chance.below(PEOPLE * BROWSERS);
    const who = personOf(browser);
    // What was begun is mostly finished.
    if (this.#oracle.away(browser) && chance.hits(0.8)) return { do: "return", browser, told: this.#claim(who) };
    const waiting = MAILBOXES.filter((email) => this.#oracle.isOpen(email));
    if (waiting.length > 0 && chance.hits(0.3)) {
      const email = chance.pick(waiting);
      return { do: "open", browser: MAILBOXES.indexOf(email) * BROWSERS + chance.below(BROWSERS), email };
    }
    const roll = chance.below(100);
    if (roll < 30) return { do: "leave", browser, provider: chance.hits(0.7) ? "plain" : "linking" };
    if (roll < 45) return this.#register(browser);
    if (roll < 57) return { do: "authenticate", browser, key: chance.pick(this.#keys[who] ?? []) ?? -1 };
    if (roll < 72) return { do: "ask", browser, email: this.#address() };
    if (roll < 76) return { do: "sign out", browser };
    if (roll < 80) return this.#unlink(browser);
    if (roll < 85) return { do: "move", browser, email: this.#address() };
    if (roll < 90) return { do: "wait", seconds: chance.pick(WAITS) };
    if (this.#strategy !== "database") return this.#register(browser);
    return chance.hits(0.4) ? { do: "password", browser, email: this.#address() } : { do: "type", browser };
  }

  #register(browser: number): Act {
    const key = this.#made++;
    this.#keys[personOf(browser)]?.push(key);
    return { do: "register", browser, email: this.#address(), key };
  }

  #unlink(browser: number): Act {
    const of = this.#oracle.inside(browser);
    const { accounts, keys } = this.#oracle.waysOf(typeof of === "number" ? of : -1);
    return { do: "unlink", browser, way: this.#chance.pick([...accounts, ...keys]) ?? "nothing" };
  }

  #address(): string {
    return this.#chance.hits(0.6) ? MAILBOXES[0] : this.#chance.pick(MAILBOXES);
  }

  // A provider that vouches for an address does so to whoever has it.
  #claim(who: number): Claim {
    const chance = this.#chance;
    const sub = `${who}-${chance.below(2)}`;
    const own = MAILBOXES[who];
    if (own && chance.hits(0.4)) return { sub, email: own, verified: true };
    if (chance.hits(0.05)) return { sub, email: null, verified: null };
    return { sub, email: this.#address(), verified: chance.hits(0.6) ? false : null };
  }
}

/** What everybody tries at the end: every passkey, every account, every password, every mailbox. */
function trials(acts: readonly Act[]): Act[] {
  const all: Act[] = [];
  const tried = new Set<string>();
  const away = new Map<number, string>();
  const once = (name: string, ...more: Act[]) => {
    if (!tried.has(name)) all.push(...more);
    tried.add(name);
  };
  const out = (browser: number): Act => ({ do: "sign out", browser });
  for (const act of acts) {
    if (act.do === "leave") away.set(act.browser, act.provider);
    if (act.do === "register") {
      const { browser, key } = act;
      once(`key ${key}`, out(browser), { do: "authenticate", browser, key });
    }
    if (act.do === "password") once(`password ${personOf(act.browser)}`, out(act.browser), { ...act, do: "type" });
    if (act.do !== "return") continue;
    const { browser, told } = act;
    const provider = away.get(browser) === "linking" ? "linking" : "plain";
    once(`${provider} ${told.sub}`, out(browser), { do: "leave", browser, provider }, act);
  }
  for (const [at, email] of MAILBOXES.entries()) {
    const browser = at * BROWSERS;
    if (acts.some((act) => "email" in act && act.email === email)) {
      all.push({ do: "ask", browser, email }, { do: "open", browser, email });
    }
  }
  return all;
}

let lived = 0;

/** Lives through a history and what everybody tries at its end; the answer is what went otherwise than it should. */
export async function live(stage: Stage, acts: readonly Act[]): Promise<string | null> {
  const scene = await stage.open(`h${lived++}`);
  const oracle = new Oracle(stage);
  const ids = new Map<string, Inside>();
  const compare = (expected: Inside, id: string | null): boolean => {
    if (id === null || expected === null) return id === expected;
    const known = ids.get(id);
    if (known === undefined && ![...ids.values()].includes(expected)) ids.set(id, expected);
    return ids.get(id) === expected;
  };
  const look = async (browser: number, expected: Inside): Promise<string | null> => {
    const id = await scene.inside(browser);
    if (compare(expected, id)) return null;
    const seen = id === null ? "nobody" : `user ${ids.get(id) ?? "that is new"}`;
    return `browser ${browser} is inside of ${seen} instead of ${expected === null ? "nobody" : `user ${expected}`}`;
  };
  const step = async (act: Act): Promise<string | null> => {
    const expected = oracle.do(act);
    await scene.do(act);
    const wrong = oracle.broken ?? (act.do === "wait" ? null : await look(act.browser, expected));
    return wrong && `${wrong} after ${JSON.stringify(act)}`;
  };
  for (const act of acts) {
    const wrong = await step(act);
    if (wrong) return wrong;
  }
  for (const browser of new Set(acts.flatMap((act) => act.do === "wait" ? [] : [act.browser]))) {
    const wrong = await look(browser, oracle.inside(browser));
    if (wrong) return `${wrong} at the end`;
  }
  for (const act of trials(acts)) {
    if (act.do === "sign out" && oracle.inside(act.browser) === null) continue;
    const wrong = await step(act);
    if (wrong) return `${wrong}, which was tried at the end`;
  }
  return null;
}

/** Leaves out of a history what is not needed for it to go wrong. */
async function shrink(stage: Stage, acts: readonly Act[]): Promise<readonly Act[]> {
  for (let at = acts.length - 1; at >= 0; at--) {
    const fewer = acts.toSpliced(at, 1);
    if (await live(stage, fewer)) return await shrink(stage, fewer);
  }
  return acts;
}

export interface Run {
  readonly histories: number;
  /** How many acts each has, at most. */
  readonly length: number;
  readonly seed: number;
  /** How many happen at once. */
  readonly at: number;
}

/** Lives through many histories. The first that goes wrong is told, as short as it can be. */
export async function liveAll(stage: Stage, { histories, length, seed, at }: Run): Promise<number> {
  let [next, acts] = [0, 0];
  await Promise.all(Array.from({ length: at }, async () => {
    while (next < histories) {
      const own = seed + next++;
      const chance = chanceOf(own);
      const history = historyOf(chance, 2 + chance.below(length - 1), stage);
      acts += history.length;
      const wrong = await live(stage, history);
      if (!wrong) continue;
      next = histories;
      const short = await shrink(stage, history);
      const told = short.map((act) => `  ${JSON.stringify(act)}`).join("\n");
      throw new Error(`seed ${own} (${stage.strategy}): ${await live(stage, short) ?? wrong}\n${told}`);
    }
  }));
  return acts;
}
