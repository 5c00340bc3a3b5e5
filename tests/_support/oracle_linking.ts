/**
 * Whose account it is, by the prose of the contract alone: a world before a sign-in, and the same world after it.
 *
 * Written as a story of what the service promises, in another order and with other words than the rules in the source.
 */

/** Whose session a browser holds. */
export type Held = "nobody" | "alice" | "bob" | "alice, ended";

/** Who has the address that comes with the sign-in. */
export type Match =
  | "nobody"
  | "carol"
  | "carol, unverified"
  | "alice"
  | "alice, unverified"
  | "no mailbox"
  | "no mailbox, taken"
  | "a lookalike";

/** One row of the table. */
export interface LinkingRow {
  /** Whether sessions are sealed or stored. */
  readonly strategy: "jwt" | "database";
  readonly method: "oauth" | "oidc" | "email" | "credentials";
  /** Whose account it is already; for credentials whose id `authorize` gives. */
  readonly account: "nobody" | "alice" | "bob";
  /** The session when the browser sets out. */
  readonly started: Held;
  /** The session when it comes back. */
  readonly returned: Held;
  readonly match: Match;
  /** `email_verified`, as the provider writes it. */
  readonly told: boolean | "true" | "false" | undefined;
  /** `allowDangerousEmailAccountLinking`. */
  readonly option: boolean;
  /**
   * What the provider is: one whose word counts, one whose word does not, one that runs the domain of the address or runs
   * another one, and one whose word is about another address.
   */
  readonly trust: "any" | "none" | "its domain" | "another domain" | "another address";
}

/** A user: the address, and whether it is verified. */
export interface Somebody {
  readonly email: string | null;
  readonly verified: boolean;
}

/** An account or a credential. */
export interface Owned {
  readonly owner: string;
  /** `email_verified`, as stored; for credentials it says nothing. */
  readonly proof?: boolean | undefined;
}

/** Everything that is stored. Users by name, accounts by `provider/id`, credentials by id, sessions by token. */
export interface World {
  readonly users: Readonly<Record<string, Somebody>>;
  readonly accounts: Readonly<Record<string, Owned>>;
  readonly credentials: Readonly<Record<string, Owned>>;
  readonly sessions: Readonly<Record<string, string>>;
}

/** What is seen of a sign-in. */
export interface Seen {
  readonly world: World;
  /** The session in the browser: one of before by its name, or whose it is. */
  readonly holds: string | undefined;
  readonly location: string;
  readonly events: readonly string[];
}

/** The address as it is stored, as somebody types it, as a provider tells it, and one that only looks the same. */
export const MAILBOX = {
  stored: "match@x.test",
  typed: "M\uFF21tch@X.test",
  told: "Match@X.test",
  lookalike: "M\uFF21tch@X.test",
} as const;

/** What no mail server would take for one mailbox. */
export const NO_MAILBOX = "match@x.test,mallory@y.test";

/** The address that comes with a sign-in. */
export function addressOf({ method, match }: LinkingRow): string {
  if (match.startsWith("no mailbox")) return NO_MAILBOX;
  if (match === "a lookalike") return MAILBOX.lookalike;
  return method === "oauth" || method === "oidc" ? MAILBOX.told : MAILBOX.typed;
}

/** The name of somebody who was not there before. */
export const NEW = "new";

/** The token of the session that a sign-in makes. */
export const FRESH = "fresh";

/** The account that a sign-in brings. */
export function accountOf({ method, option, trust }: LinkingRow): string {
  const kind = trust === "any" ? "" : `-${trust.replaceAll(" ", "-")}`;
  return `${method}-${option ? "on" : "off"}${kind}/p1`;
}

/** The tokens of the sessions that exist. */
export const TOKENS: Readonly<Record<Held, string | undefined>> = {
  nobody: undefined,
  alice: "session-alice",
  bob: "session-bob",
  "alice, ended": "session-alice-ended",
};

/** The world before. Whoever has the address has accounts of every kind. */
export function worldOf(row: LinkingRow): World {
  const holder = holderOf(row.match);
  const email = row.match === "no mailbox, taken" ? NO_MAILBOX : MAILBOX.stored;
  const verified = !row.match.endsWith("unverified");
  return {
    users: {
      alice: { email: "alice@app.test", verified: true },
      bob: { email: "bob@app.test", verified: true },
      ...(holder && { [holder]: { email, verified } }),
    },
    accounts: {
      ...(holder && {
        "old/unverified": { owner: holder, proof: false },
        "old/verified": { owner: holder, proof: true },
        "old/unknown": { owner: holder },
        "webauthn/key": { owner: holder },
      }),
      ...(isKnown(row) && { [accountOf(row)]: { owner: row.account } }),
    },
    credentials: { ...(holder && { key: { owner: holder } }) },
    sessions: {
      "session-alice": "alice",
      "session-alice-2": "alice",
      "session-bob": "bob",
      "session-alice-ended": "alice",
      ...(holder === "carol" && { "session-carol": "carol" }),
    },
  };
}

function holderOf(match: Match): string | undefined {
  if (match === "no mailbox, taken" || match === "a lookalike") return "carol";
  return match.startsWith("carol") ? "carol" : match.startsWith("alice") ? "alice" : undefined;
}

function isKnown({ method, account }: LinkingRow): boolean {
  return account !== "nobody" && (method === "oauth" || method === "oidc");
}

/** What a sign-in must come to. */
export function expected(row: LinkingRow): Seen {
  const before = worldOf(row);
  const who = recognised(row, before);
  if (who.refused) return refusal(row, before, who.refused);
  const { name, adds } = who;
  const story = new Story(before);
  if (isUnknown(row)) return story.end(name, { holds: freshOf(name), isNew: undefined });
  if (name === NEW) story.arrive(row);
  if (provesMailbox(row, name, before)) story.prove(name);
  else if (adoptsUnproven(row, name, before)) story.clean(name);
  if (bringsAccount(row)) story.bring(row, name);
  if (row.method === "credentials") story.check(row, name);
  if (row.strategy === "database" && !adds) story.change(row, name);
  const holds = row.strategy === "database" && adds ? TOKENS[row.returned] : freshOf(name);
  return story.end(name, { holds, isNew: name === NEW });
}

// "Credentials work with both strategies: under `database` a real stored session", and without it nobody is remembered.
function isUnknown({ method, strategy }: LinkingRow): boolean {
  return method === "credentials" && strategy === "jwt";
}

/** A session that was not there before. */
export function freshOf(name: string): string {
  return `${FRESH} of ${name}`;
}

interface Recognised {
  readonly name: string;
  /** Whether only an account is added to the session there is. */
  readonly adds: boolean;
  readonly refused?: string;
}

// "Order: the account, then the signed-in user who meant it, then the address, then a new user."
function recognised(row: LinkingRow, { users }: World): Recognised {
  const has = bringsAddress(row) ? MAILBOX.stored : undefined;
  const [holder] = Object.entries(users).filter(([, { email }]) => email === has).map(([name]) => name);
  const is = (name: string): Recognised => ({ name, adds: false });
  const refused: Recognised = { name: "", adds: false, refused: "OAuthAccountNotLinked" };
  if (row.method === "email") return is(holder ?? NEW);
  if (isUnknown(row)) return is(row.account === "nobody" ? NEW : row.account);
  const meansToAdd = bringsAccount(row) && row.started === "alice" && row.returned === "alice";
  if (row.account !== "nobody") return meansToAdd && row.account !== "alice" ? refused : is(row.account);
  if (meansToAdd) return { name: "alice", adds: true };
  if (row.match === "no mailbox, taken" && row.method === "credentials") return refused;
  if (!holder) return is(NEW);
  // "The option links where the provider is silent", but nobody else's address, and not by a word about something else.
  const isTold = row.told !== undefined;
  const strays = row.trust === "another domain" || (row.trust === "another address" && isTold);
  const links = bringsAccount(row) && row.option && String(row.told) !== "false" && !strays;
  return links ? is(holder) : refused;
}

// What a provider tells is compared as it is, "case aside", and what no email client would take is nobody's address.
function bringsAddress(row: LinkingRow): boolean {
  return !bringsAccount(row) || !(row.match.startsWith("no mailbox") || row.match === "a lookalike");
}

function bringsAccount({ method }: LinkingRow): boolean {
  return method === "oauth" || method === "oidc";
}

function provesMailbox({ method }: LinkingRow, name: string, { users }: World): boolean {
  return method === "email" && users[name]?.verified === false;
}

// Nobody is recognised by an address unless by link or by the option; the others had the account or the session.
function adoptsUnproven(row: LinkingRow, name: string, { users }: World): boolean {
  const byAddress = bringsAccount(row) && row.account === "nobody" &&
    !(row.started === "alice" && row.returned === "alice");
  return byAddress && users[name]?.verified === false;
}

function refusal(row: LinkingRow, world: World, error: string): Seen {
  const location = `https://app.test/auth/signin?error=${error}`;
  return { world, holds: TOKENS[row.returned], location, events: [] };
}

/** The world while somebody signs in. */
class Story {
  readonly #users: Record<string, Somebody>;
  readonly #accounts: Record<string, Owned>;
  readonly #credentials: Record<string, Owned>;
  readonly #sessions: Record<string, string>;
  readonly #events: string[] = [];

  constructor({ users, accounts, credentials, sessions }: World) {
    this.#users = { ...users };
    this.#accounts = { ...accounts };
    this.#credentials = { ...credentials };
    this.#sessions = { ...sessions };
  }

  arrive(row: LinkingRow): void {
    const email = row.match === "no mailbox" ? NO_MAILBOX : MAILBOX.stored;
    this.#users[NEW] = { email: bringsAddress(row) ? email : null, verified: row.method === "email" };
    this.#events.push("createUser new");
  }

  prove(name: string): void {
    const { email = null } = this.#users[name] ?? {};
    this.#users[name] = { email, verified: true };
    this.#events.push(`updateUser ${name}`);
    this.clean(name);
  }

  /** Takes what was never verified: accounts known not to be, keys, and every session. */
  clean(name: string): void {
    for (const [key, { owner, proof }] of Object.entries(this.#accounts)) {
      if (owner === name && (proof === false || key.startsWith("webauthn/"))) delete this.#accounts[key];
    }
    for (const [key, { owner }] of Object.entries(this.#credentials)) if (owner === name) delete this.#credentials[key];
    for (const [key, owner] of Object.entries(this.#sessions)) if (owner === name) delete this.#sessions[key];
  }

  /** Keeps the account, and whether it vouches for the very address of its user. */
  bring(row: LinkingRow, name: string): void {
    const key = accountOf(row);
    const before = this.#accounts[key];
    const isProof = row.trust === "any" || row.trust === "its domain";
    const vouches = isProof && String(row.told) === "true" && bringsAddress(row) &&
      this.#users[name]?.email === MAILBOX.stored;
    if (!before) this.#events.push(`linkAccount ${name}`);
    this.#accounts[key] = { owner: name, proof: before ? vouches || before.proof : vouches };
  }

  /** Keeps that credentials opened the user, and what the application says of them. */
  check({ account, match }: LinkingRow, name: string): void {
    this.#accounts[`credentials/${account === "nobody" ? "typed" : account}`] = { owner: name };
    if (name === NEW) return;
    const email = match.startsWith("no mailbox") ? NO_MAILBOX : MAILBOX.stored;
    const isTaken = Object.entries(this.#users).some(([other, user]) => other !== name && user.email === email);
    if (isTaken || this.#users[name]?.email === email) return;
    this.#users[name] = { email, verified: false };
    this.#events.push(`updateUser ${name}`);
  }

  /** A sign-in always makes a new session and ends the one there was. */
  change({ returned }: LinkingRow, name: string): void {
    const replaced = TOKENS[returned];
    if (replaced) delete this.#sessions[replaced];
    this.#sessions[FRESH] = name;
  }

  end(
    name: string,
    { holds, isNew }: { readonly holds: string | undefined; readonly isNew: boolean | undefined },
  ): Seen {
    return {
      world: {
        users: this.#users,
        accounts: this.#accounts,
        credentials: this.#credentials,
        sessions: this.#sessions,
      },
      holds,
      location: isNew ? "https://app.test/welcome?callbackUrl=https%3A%2F%2Fapp.test%2F" : "https://app.test/",
      events: [...this.#events, `signIn ${name} ${isNew}`],
    };
  }
}
