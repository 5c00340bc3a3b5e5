/**
 * Random histories of sessions that are ended, against a model: whoever's session was ended is let in nowhere later than the
 * bound, nobody else is thrown out, and within the bound nothing is looked up.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Chance, chanceOf } from "../_support/chance.ts";
import { COOKIE, type Cookies, openWorld, type Process, type World } from "../_support/processes.ts";

const USERS = ["ada", "bob"];
const BOUND = 60;
const MAX_AGE = 30 * 24 * 3600;
/** A look-up, and what a session from before needs besides. */
const MOST_CALLS = 3;
const WAITS = [0, 1, 7, 30, 59, 60, 61, 600, 90_000];

/** A session, however many cookies there are of it. */
interface Model {
  readonly user: string;
  /** Whether it began before sessions had rows. */
  readonly isOld: boolean;
  /** When it was ended, and in which process, if in one; `null` while it goes on. */
  ended: { readonly at: number; readonly by: Process | null } | null;
  /** When each process has looked it up last. */
  readonly lookUps: Map<Process, number>;
}

interface Held {
  readonly cookies: Cookies;
  readonly session: Model;
  /** When the cookie was sealed last. */
  sealedAt: number;
}

class History {
  readonly #world: World = openWorld();
  readonly #stored: boolean;
  readonly #chance: Chance;
  readonly #processes: readonly Process[];
  readonly #held: Held[] = [];
  readonly #log: string[] = [];

  constructor(seed: number, stored: boolean) {
    this.#chance = chanceOf(seed);
    this.#stored = stored;
    const session = stored ? { strategy: "database" } as const : { revalidate: BOUND };
    this.#processes = [this.#world.open({ session }), this.#world.open({ session })];
  }

  async run(steps: number): Promise<void> {
    for (const id of USERS) {
      // With stored sessions the sign-in with a password makes the user.
      if (this.#stored) await this.#enter(id);
      else await this.#world.storage.createUser({ id, email: `${id}@example.com`, emailVerified: null });
      await this.#world.storage.linkAccount({ provider: "idp", providerAccountId: id, type: "oidc", userId: id });
    }
    try {
      for (let step = 0; step < steps; step++) await this.#step();
      for (const held of [...this.#held]) for (const process of this.#processes) await this.#read(held, process);
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${this.#log.join("\n")}`, { cause: error });
    }
  }

  get #now(): number {
    return this.#world.runtime.now() / 1000;
  }

  async #step(): Promise<void> {
    const roll = this.#chance.below(100);
    const process = this.#chance.pick(this.#processes);
    const held = this.#chance.pick(this.#held);
    const user = this.#chance.pick(USERS);
    assert.ok(process && user);
    if (roll < 14 || !held) return await this.#enter(user);
    if (roll < 20 && !this.#stored) return await this.#arriveFromBefore(user);
    if (roll < 27) return this.#steal(held);
    if (roll < 60) return await this.#read(held, process);
    if (roll < 80) return this.#wait(this.#chance.pick(WAITS) ?? 0);
    if (roll < 84) return await this.#signOut(held, process);
    if (roll < 90) return await this.#revoke(user, process);
    if (roll < 94) return await this.#revokeOthers(held, process);
    if (roll < 96) return await this.#revokeAll(user, process);
    if (roll < 98) return await this.#deleteUser(user);
    return await this.#endByProvider(user, process);
  }

  #wait(seconds: number): void {
    this.#log.push(`wait ${seconds}`);
    this.#world.runtime.advance(seconds);
  }

  async #enter(user: string): Promise<void> {
    const process = this.#chance.pick(this.#processes);
    assert.ok(process);
    const cookies: Cookies = new Map();
    await process.signIn(cookies, user);
    this.#log.push(`${user} signs in at ${this.#nameOf(process)}: ${this.#held.length}`);
    this.#hold(cookies, { user, isOld: false, ended: null, lookUps: new Map() });
  }

  async #arriveFromBefore(user: string): Promise<void> {
    const cookies = await this.#world.sealBefore({ sub: user, name: user });
    this.#log.push(`${user} comes with a cookie from before: ${this.#held.length}`);
    this.#hold(cookies, { user, isOld: true, ended: null, lookUps: new Map() });
  }

  #hold(cookies: Cookies, session: Model): void {
    this.#held.push({ cookies, session, sealedAt: this.#now });
  }

  #steal({ cookies, session, sealedAt }: Held): void {
    this.#log.push(`a copy is made: ${this.#held.length}`);
    this.#held.push({ cookies: new Map(cookies), session, sealedAt });
  }

  async #read(held: Held, process: Process): Promise<void> {
    const { cookies, session } = held;
    if (cookies.size === 0) return;
    const [before, calls] = [cookies.get(COOKIE), process.calls.length];
    const seenAt = this.#stored ? null : await this.#seenAt(cookies);
    const isIn = await process.read(cookies) !== null;
    const made = process.calls.slice(calls);
    this.#log.push(`${this.#held.indexOf(held)} is read at ${this.#nameOf(process)}: ${isIn} ${made.join(" ")}`);
    const isRenewed = cookies.has(COOKIE) && cookies.get(COOKIE) !== before;
    this.#judge(held, process, isIn);
    if (!this.#stored && !isRenewed) this.#judgeCalls(session, process, { made, seenAt, isIn });
    if (!this.#stored && made.length > 0) session.lookUps.set(process, this.#now);
    if (isRenewed || this.#stored) held.sealedAt = this.#now;
  }

  #judge({ session, sealedAt }: Held, process: Process, isIn: boolean): void {
    const { ended } = session;
    if (!ended) {
      // A session that nobody used for so long is over anyway.
      if (this.#now < sealedAt + MAX_AGE) assert.ok(isIn, "somebody was thrown out whose session was not ended");
      return;
    }
    const isOver = this.#stored || ended.by === process || this.#now >= ended.at + BOUND;
    if (isOver) assert.ok(!isIn, "somebody was let in whose session was ended");
  }

  #judgeCalls(
    { isOld, lookUps, ended }: Model,
    process: Process,
    { made, seenAt, isIn }: {
      readonly made: readonly string[];
      readonly seenAt: number | null;
      readonly isIn: boolean;
    },
  ): void {
    // It was to be renewed, and had been ended.
    if (made[0] === "updateSession") return;
    assert.ok(made.length <= (isOld ? MOST_CALLS : 1), `there were ${made.length} calls: ${made.join(" ")}`);
    const last = Math.max(lookUps.get(process) ?? -Infinity, seenAt ?? -Infinity);
    // What the process ended itself it may look up again.
    const isKnown = this.#now < last + BOUND && !this.#distrusted.has(process);
    if (isIn && isKnown && !ended) assert.deepEqual(made, [], "there was a look-up within the bound");
  }

  /** Processes that have ended all sessions of a user, and so look again once. */
  readonly #distrusted = new Set<Process>();

  async #seenAt(cookies: Cookies): Promise<number | null> {
    const [, seconds] = /\.(\d+)$/.exec(String((await this.#world.claimsOf(cookies))?.auth_session)) ?? [];
    return seconds === undefined ? null : Number(seconds);
  }

  async #signOut(held: Held, process: Process): Promise<void> {
    if (held.cookies.size === 0) return;
    this.#log.push(`${this.#held.indexOf(held)} signs out at ${this.#nameOf(process)}`);
    const isThere = this.#isThere(held);
    await process.signOut(held.cookies);
    if (isThere) this.#end([held.session], process);
  }

  async #revoke(user: string, process: Process): Promise<void> {
    const listed = await process.sessions.list(user);
    const chosen = this.#chance.pick(listed);
    if (!chosen) return;
    const keyOf = async (held: Held) => await this.#idOf(held, process);
    const ids = await Promise.all(this.#held.map(keyOf));
    const meant = this.#held.filter((_, at) => ids[at] === chosen.id).map(({ session }) => session);
    assert.equal(await process.sessions.revoke(chosen.id), true);
    this.#log.push(`a session of ${user} is ended at ${this.#nameOf(process)}`);
    this.#end(meant, process);
  }

  /** The id under which the list has the session of a cookie. */
  async #idOf(held: Held, process: Process): Promise<string | undefined> {
    if (held.cookies.size === 0 || held.session.ended || !this.#isThere(held)) return undefined;
    const calls = [...process.calls];
    const listed = await process.sessions.list(process.requestOf(held.cookies));
    if (process.calls.length > calls.length) held.session.lookUps.set(process, this.#now);
    return listed.find(({ isCurrent }) => isCurrent)?.id;
  }

  async #revokeOthers(held: Held, process: Process): Promise<void> {
    if (held.cookies.size === 0 || held.session.ended || !this.#isThere(held)) return;
    await process.sessions.revokeOthers(process.requestOf(held.cookies));
    this.#log.push(`${this.#held.indexOf(held)} ends all others at ${this.#nameOf(process)}`);
    this.#distrusted.add(process);
    this.#end(this.#sessionsOf(held.session.user).filter((session) => session !== held.session), process);
    // Sessions from before are told apart by the second in which they were sealed.
    this.#wait(1);
  }

  async #revokeAll(user: string, process: Process): Promise<void> {
    await process.sessions.revokeAll(user);
    this.#log.push(`all sessions of ${user} are ended at ${this.#nameOf(process)}`);
    this.#distrusted.add(process);
    this.#end(this.#sessionsOf(user), process);
    this.#wait(1);
  }

  // Storage is asked, and no process. The user is stored again under the same id.
  async #deleteUser(id: string): Promise<void> {
    const user = await this.#world.storage.getUser(id);
    if (!user) return;
    await this.#world.storage.deleteUser(id);
    this.#log.push(`${id} is deleted, and comes again`);
    this.#end(this.#sessionsOf(id), null);
    await this.#world.storage.createUser(user);
    await this.#world.storage.linkAccount({ provider: "idp", providerAccountId: id, type: "oidc", userId: id });
    this.#wait(1);
  }

  // Of sessions from before nobody knows where they began; the others began with a password.
  async #endByProvider(user: string, process: Process): Promise<void> {
    await process.endSessions({ provider: "idp", sub: user });
    this.#log.push(`the provider ends sessions of ${user} at ${this.#nameOf(process)}`);
    this.#distrusted.add(process);
    this.#end(this.#sessionsOf(user).filter(({ isOld }) => isOld), process);
    this.#wait(1);
  }

  #sessionsOf(user: string): Model[] {
    return [...new Set(this.#held.map(({ session }) => session))].filter((session) => session.user === user);
  }

  #end(sessions: readonly Model[], by: Process | null): void {
    for (const session of sessions) session.ended ??= { at: this.#now, by };
  }

  #isThere({ sealedAt }: Held): boolean {
    return this.#now < sealedAt + MAX_AGE;
  }

  #nameOf(process: Process): string {
    return process === this.#processes[0] ? "A" : "B";
  }
}

const STEPS = 60;

for (const [kind, histories] of [["sealed", 120], ["stored", 30]] as const) {
  test(`in ${histories} histories of ${kind} sessions, who was ended is out in time, and nobody else`, async () => {
    for (let seed = 0; seed < histories; seed++) {
      try {
        await new History(seed, kind === "stored").run(STEPS);
      } catch (error) {
        throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
      }
    }
  });
}
