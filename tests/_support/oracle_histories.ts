/**
 * Who may be inside which user, after whatever people did: by the prose of the contract alone.
 *
 * It keeps a world of its own in its own words: who holds which address, by what it was verified, and which ways in there are.
 * Beside the rules it keeps promises, which are written down without them: whoever proved an address is alone, and keeps
 * what they had then and added since. `broken` tells of the rules themselves where they break a promise.
 *
 * @module
 */

/** What somebody does. People and browsers have numbers; person `p` has the browsers `2p` and `2p + 1`. */
export type Act =
  /** Sets out to an identity provider. */
  | { readonly do: "leave"; readonly browser: number; readonly provider: ProviderId }
  /** Comes back from where this browser has gone last. */
  | { readonly do: "return"; readonly browser: number; readonly told: Claim }
  /** Makes a passkey, for a new user or the one that the browser is inside of. `key` is its number from then on. */
  | { readonly do: "register"; readonly browser: number; readonly email: string; readonly key: number }
  | { readonly do: "authenticate"; readonly browser: number; readonly key: number }
  /** Asks for a link to an address. */
  | { readonly do: "ask"; readonly browser: number; readonly email: string }
  /** Opens the newest link to an address. */
  | { readonly do: "open"; readonly browser: number; readonly email: string }
  /** The application gives somebody a password, for the user the browser is inside of or one of its own. */
  | { readonly do: "password"; readonly browser: number; readonly email: string }
  | { readonly do: "type"; readonly browser: number }
  | { readonly do: "sign out"; readonly browser: number }
  /** The application takes a way in away from the user that the browser is inside of. */
  | { readonly do: "unlink"; readonly browser: number; readonly way: string | number }
  /** The application changes the address of that user, as one that nobody has verified. */
  | { readonly do: "move"; readonly browser: number; readonly email: string }
  | { readonly do: "wait"; readonly seconds: number };

/** `linking` has `allowDangerousEmailAccountLinking`. */
export type ProviderId = "plain" | "linking";

/** What a provider tells. */
export interface Claim {
  readonly sub: string;
  readonly email: string | null;
  /** `null` if it says nothing. */
  readonly verified: boolean | null;
}

/** How sessions are kept: as rows, sealed, or sealed with rows so that they can be ended. */
export type Strategy = "database" | "jwt" | "jwt with rows";

export interface OracleOptions {
  readonly strategy: Strategy;
  /** Whether a passkey is only added soon after a sign-in: so it is where a browser asks for one. */
  readonly demandsRecent: boolean;
}

interface Someone {
  email: string | null;
  /** By whom, if a link was opened. */
  opened: number | null;
  /** The address that a provider vouched for at a proof, and whose. */
  vouched: { readonly email: string; readonly by: number } | null;
  /** How often everything from before has ended. */
  age: number;
  /** Whether a proof made or cleared this user. */
  isMarked: boolean;
  readonly guests: Set<number>;
}

interface Held {
  readonly of: number;
  readonly age: number;
  readonly since: number;
  readonly ends: number;
}

interface Way {
  of: number;
  /** The address that the account vouches for. */
  vouchesFor: string | null;
}

interface Password {
  readonly user: number | string;
  readonly email: string | null;
}

const MONTH = 30 * 24 * 3600;
const RECENT = 600;

/** A user, by the order in which they were made; or an id of the application that no user has. */
export type Inside = number | string | null;

/** The world, as it should be. */
export class Oracle {
  readonly users: Someone[] = [];
  readonly accounts = new Map<string, Way>();
  /** The users whose passkeys these are. */
  readonly keys = new Map<number, number>();
  readonly passwords = new Map<number, Password>();
  /** Everything that must go on: who gets into which user by what. */
  readonly promises: Kept[] = [];
  broken: string | null = null;
  now = 0;
  readonly #options: OracleOptions;
  readonly #sessions = new Map<number, Held>();
  readonly #away = new Map<number, { readonly provider: ProviderId; readonly by: Inside; readonly at: number }>();
  readonly #asked = new Map<string, { readonly at: number }>();
  /** How old a user was when a password let somebody in last. */
  readonly #typed = new Map<number | string, number>();
  /** The application's own ids of users. */
  readonly #foreign = new Map<number, string>();

  constructor(options: OracleOptions) {
    this.#options = options;
  }

  /** Whom a browser is inside of. */
  inside(browser: number): Inside {
    return this.#session(browser)?.of ?? null;
  }

  /** Does something, and says whom the browser is inside of then. */
  do(act: Act): Inside {
    if (act.do === "wait") {
      this.now += act.seconds;
      return null;
    }
    this.#act(act);
    this.#check();
    return this.inside(act.browser);
  }

  #act(act: Exclude<Act, { do: "wait" }>): void {
    const { browser } = act;
    switch (act.do) {
      case "leave":
        this.#away.set(browser, { provider: act.provider, by: this.inside(browser), at: this.now });
        return;
      case "return":
        return this.#return(browser, act.told);
      case "register":
        return this.#register(browser, act);
      case "authenticate": {
        const of = this.keys.get(act.key);
        // Whoever is signed in is only asked for passkeys of their own.
        const current = this.inside(browser);
        if (of !== undefined && (current === null || current === of)) this.#enter(browser, of);
        return;
      }
      case "ask":
        this.#asked.set(act.email, { at: this.now });
        return;
      case "open":
        return this.#open(browser, act.email);
      case "password": {
        const user = this.#manager(browser);
        const email = user !== null ? this.users[user]?.email ?? null : act.email;
        this.passwords.set(personOf(browser), { user: user ?? `application ${personOf(browser)}`, email });
        return;
      }
      case "type":
        return this.#type(browser);
      case "sign out":
        this.#sessions.delete(browser);
        return;
      case "unlink":
        return this.#unlink(browser, act.way);
      case "move": {
        const of = this.#manager(browser);
        if (of !== null && this.#holder(act.email) === null) this.#move(of, act.email);
        return;
      }
      default:
        return act satisfies never;
    }
  }

  /** Which account a browser has gone to fetch, if it may still come back. */
  away(browser: number): ProviderId | null {
    const away = this.#away.get(browser);
    return away && this.now - away.at < 900 ? away.provider : null;
  }

  /** The address whose newest link can be opened. */
  isOpen(email: string): boolean {
    const asked = this.#asked.get(email);
    return asked !== undefined && this.now - asked.at < 600;
  }

  /** What opens a user. */
  waysOf(user: number): { readonly accounts: string[]; readonly keys: number[] } {
    return {
      accounts: [...this.accounts].filter(([, { of }]) => of === user).map(([key]) => key),
      keys: [...this.keys].filter(([, of]) => of === user).map(([key]) => key),
    };
  }

  // "Order: the account, then the signed-in user who meant it, then the address, then a new user."
  #return(browser: number, told: Claim): void {
    const away = this.away(browser);
    const { by = null } = this.#away.get(browser) ?? {};
    this.#away.delete(browser);
    if (!away) return;
    const key = `${away}/${told.sub}`;
    const account = this.accounts.get(key);
    const session = this.#session(browser);
    const adds = session !== null && by === session.of && this.#mayAdd(session);
    if (adds && !account) {
      this.accounts.set(key, { of: session.of, vouchesFor: this.#vouch(session.of, told) });
      this.#promise(session.of, browser, { account: key });
      if (this.#options.strategy !== "database") this.#hold(browser, session.of, session.since);
      return;
    }
    if (adds && account && account.of !== session.of) return;
    if (account) {
      account.vouchesFor = this.#vouch(account.of, told) ?? account.vouchesFor;
      return this.#enter(browser, account.of);
    }
    const of = this.#place(browser, away, told);
    if (of === null) return;
    this.accounts.set(key, { of, vouchesFor: this.#vouch(of, told) });
    this.#promise(of, browser, { account: key });
    this.#enter(browser, of);
  }

  /** The user whom an unknown account is to open, if any. */
  #place(browser: number, provider: ProviderId, { email, verified }: Claim): number | null {
    const who = personOf(browser);
    const proof = verified && email !== null ? { email, by: who } : null;
    const holder = email === null ? null : this.#holder(email);
    if (holder === null) return this.#create(email, { vouched: proof });
    if (verified === false) return null;
    const user = this.#user(holder);
    if (provider === "linking") {
      if (this.#prover(holder) === null) {
        this.#clear(holder);
        if (proof) user.vouched = proof;
      } else if (this.#prover(holder) !== who) user.guests.add(who); // the developer's own word
      return holder;
    }
    if (!proof) return null;
    if (!this.#isHeldForNothing(holder)) {
      this.#mayKeepOut(holder, who);
      return null;
    }
    user.email = null;
    return this.#create(email, { vouched: proof });
  }

  #open(browser: number, email: string): void {
    if (!this.isOpen(email)) return;
    this.#asked.delete(email);
    const who = personOf(browser);
    const holder = this.#holder(email) ?? this.#create(email, { opened: who });
    const user = this.#user(holder);
    if (user.opened === null) {
      if (this.#prover(holder) === null) this.#clear(holder);
      user.opened = who;
    }
    if (this.#prover(holder) === who) this.#promise(holder, browser, { link: email });
    this.#enter(browser, holder);
  }

  #register(browser: number, { email, key }: Extract<Act, { do: "register" }>): void {
    const session = this.#session(browser);
    if (session) {
      const isRecent = !this.#options.demandsRecent || this.now - session.since <= RECENT;
      if (!isRecent || !this.#mayAdd(session)) return;
      this.keys.set(key, session.of);
      this.#promise(session.of, browser, { key });
      if (this.#options.strategy !== "database") this.#hold(browser, session.of, session.since);
      return;
    }
    if (this.#holder(email) !== null) return;
    const of = this.#create(email, {});
    this.keys.set(key, of);
    this.#enter(browser, of);
  }

  // "What `authorize` returns at a sign-in is what the session shows from then on", unless the address was verified by
  // somebody else since: then nobody but the application could say that it is still theirs.
  #type(browser: number): void {
    const password = this.passwords.get(personOf(browser));
    if (!password) return;
    const { user, email } = password;
    const known = typeof user === "number" ? user : this.#own(user);
    if (known === null) {
      if (email !== null && this.#holder(email) !== null) return;
      const made = this.#create(email, {});
      this.#foreign.set(made, String(user));
      this.#typed.set(made, 0);
      return this.#enter(browser, made);
    }
    const someone = this.#user(known);
    if ((this.#typed.get(known) ?? 0) !== someone.age) return;
    this.#typed.set(known, someone.age);
    if (email !== null && email !== someone.email && this.#holder(email) === null) this.#move(known, email);
    this.#enter(browser, known);
  }

  #own(id: string): number | null {
    for (const [user, known] of this.#foreign) if (known === id) return user;
    return null;
  }

  #unlink(browser: number, way: string | number): void {
    const of = this.#manager(browser);
    if (of === null) return;
    if (typeof way === "number") {
      if (this.keys.get(way) === of) this.keys.delete(way);
      return this.#forget(({ key }) => key === way);
    }
    if (this.accounts.get(way)?.of === of) this.accounts.delete(way);
    this.#forget(({ account }) => account === way);
  }

  /** Whom the application takes a browser for when something is to be changed. */
  #manager(browser: number): number | null {
    const session = this.#session(browser);
    return session && this.#mayAdd(session) ? session.of : null;
  }

  #move(of: number, email: string): void {
    const user = this.#user(of);
    user.email = email;
    user.opened = null;
    user.guests.clear();
    // Who was let in when it was another address may be let out by whoever proves this one.
    this.#forget((promise) => promise.of === of);
  }

  #create(
    email: string | null,
    { opened = null, vouched = null }: Partial<Pick<Someone, "opened" | "vouched">>,
  ): number {
    const isMarked = opened !== null || vouched !== null;
    return this.users.push({ email, opened, vouched, age: 0, isMarked, guests: new Set() }) - 1;
  }

  /** Rids a user of what was never verified: sessions, passkeys, accounts that do not vouch for the address. */
  #clear(of: number): void {
    const user = this.#user(of);
    user.age += 1;
    user.isMarked = true;
    user.guests.clear();
    for (const [key, way] of this.accounts) {
      if (way.of === of && way.vouchesFor !== user.email) this.accounts.delete(key);
    }
    for (const [key, owner] of this.keys) if (owner === of) this.keys.delete(key);
    if (this.#options.strategy === "jwt") return;
    for (const [browser, session] of this.#sessions) if (session.of === of) this.#sessions.delete(browser);
  }

  // Whoever lost an address once, or never showed a thing, holds none against whom a provider vouches for. What other
  // software or the application itself knows is not for us to judge.
  #isHeldForNothing(of: number): boolean {
    if (this.#prover(of) !== null || this.#typed.has(of)) return false;
    const { accounts, keys } = this.waysOf(of);
    const { email, isMarked } = this.#user(of);
    if (accounts.some((key) => this.accounts.get(key)?.vouchesFor === email)) return false;
    return isMarked || accounts.length + keys.length > 0;
  }

  // An owner may only be kept out by themselves, by what a provider said to somebody else, or by the application.
  #mayKeepOut(of: number, who: number): void {
    const isTheirs = this.#prover(of) === who;
    const { accounts, keys } = this.waysOf(of);
    const isUnknown = accounts.length + keys.length === 0;
    const isVouched = accounts.some((key) => this.accounts.get(key)?.vouchesFor === this.#user(of).email);
    if (isTheirs || this.#typed.has(of) || isVouched || isUnknown) return;
    this.broken = `person ${who} is kept out by user ${of}, who proved nothing`;
  }

  #vouch(of: number, { email, verified }: Claim): string | null {
    return verified && email !== null && email === this.#user(of).email ? email : null;
  }

  // Whoever holds a sealed session from before a proof may be somebody else. One with a row is gone.
  #mayAdd({ of, age }: Held): boolean {
    return this.#user(of).age === age;
  }

  #enter(browser: number, of: number): void {
    this.#hold(browser, of, this.now);
  }

  #hold(browser: number, of: number, since: number): void {
    this.#sessions.set(browser, { of, age: this.#user(of).age, since, ends: this.now + MONTH });
  }

  #session(browser: number): Held | null {
    const session = this.#sessions.get(browser);
    return session && session.ends > this.now ? session : null;
  }

  #holder(email: string): number | null {
    const at = this.users.findIndex((user) => user.email === email);
    return at < 0 ? null : at;
  }

  #user(of: number): Someone {
    const user = this.users[of];
    if (!user) throw new Error(`there is no user ${of}`);
    return user;
  }

  /** Who has verified that the user has the address. */
  #prover(of: number): number | null {
    const { email, opened, vouched } = this.#user(of);
    if (opened !== null) return opened;
    return vouched !== null && vouched.email === email ? vouched.by : null;
  }

  #promise(of: number, browser: number, way: Pick<Kept, "account" | "key" | "link">): void {
    const who = personOf(browser);
    const isGuest = this.#user(of).guests.has(who);
    if (this.#prover(of) === who && !isGuest) this.promises.push({ of, who, ...way });
  }

  #forget(isMeant: (promise: Kept) => boolean): void {
    const kept = this.promises.filter((promise) => !isMeant(promise));
    this.promises.splice(0, this.promises.length, ...kept);
  }

  /** What must hold whatever the rules are. */
  #check(): void {
    for (const [browser, session] of this.#sessions) {
      const prover = this.#prover(session.of);
      const who = personOf(browser);
      // A sealed session without a row cannot be taken back, but opens nothing else.
      const isOver = session.ends <= this.now || !this.#mayAdd(session);
      if (prover === null || prover === who || isOver || this.#user(session.of).guests.has(who)) continue;
      this.broken = `person ${who} is inside user ${session.of}, whose address person ${prover} has verified`;
    }
    for (const { of, account, key } of this.promises) {
      const isLost = (account !== undefined && this.accounts.get(account)?.of !== of) ||
        (key !== undefined && this.keys.get(key) !== of);
      if (isLost) this.broken = `user ${of} lost what was added after the proof: ${account ?? key}`;
    }
  }
}

/** Something that must go on: this person gets into this user by it. */
interface Kept {
  readonly of: number;
  readonly who: number;
  readonly account?: string;
  readonly key?: number;
  readonly link?: string;
}

/** Whose browser it is. */
export function personOf(browser: number): number {
  return Math.floor(browser / 2);
}

/** The options of a service that keeps its sessions so. */
export function sessionOptionsOf(
  strategy: Strategy,
): { readonly strategy: "database" | "jwt"; readonly revalidate?: false } {
  return strategy === "jwt"
    ? { strategy, revalidate: false }
    : { strategy: strategy === "database" ? strategy : "jwt" };
}
