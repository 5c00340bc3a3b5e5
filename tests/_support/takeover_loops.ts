/**
 * One victim, and an impostor who goes on with everything there is while the victim proves the address.
 *
 * @module
 */
import type { CompleteAdapter } from "@x/auth";
import type { Passkey } from "./authenticator.ts";
import { openVisitedService, type Told, type VisitedService, type Visitor } from "./visitors.ts";

/** How a victim proves the address, and how the impostor made the user before. */
export const PROOFS = ["a link", "a provider that links", "a provider that does not link"] as const;
const FOUNDINGS = ["passkey", "provider", "password"] as const;

/** What came of it. */
export interface Figures {
  rounds: number;
  /** Ways in of the impostor that were tried after the proof. */
  tried: number;
  /** Victims who had to try again. */
  again: number;
  readonly takenOver: string[];
  readonly alive: string[];
  readonly outside: string[];
}

interface Loot {
  readonly keys: Passkey[];
  readonly subs: string[];
  readonly tokens: Set<string>;
}

/** How often each loop goes round at least, before the proof and after it. */
const TURNS = { before: 2, after: 1 } as const;

/** How often a victim tries. */
const TRIES = 3;

/** Lets so many victims prove their address, each beside six loops of an impostor. */
export async function besiege(adapter: CompleteAdapter, rounds: number): Promise<Figures> {
  const service = await openVisitedService({ adapter, session: { strategy: "database" } });
  const figures: Figures = { rounds, tried: 0, again: 0, takenOver: [], alive: [], outside: [] };
  let next = 0;
  await Promise.all(Array.from({ length: 2 }, async () => {
    while (next < rounds) await new Round(service, adapter, next++).run(figures);
  }));
  return figures;
}

// What is all in memory would never let anybody else have a turn.
function breathe(): Promise<void> {
  return new Promise((go) => setTimeout(go));
}

class Round {
  readonly #service: VisitedService;
  readonly #adapter: CompleteAdapter;
  readonly #name: string;
  readonly #address: string;
  readonly #proof: typeof PROOFS[number];
  readonly #founding: typeof FOUNDINGS[number];
  readonly #loot: Loot = { keys: [], subs: [], tokens: new Set() };
  #made = 0;

  constructor(service: VisitedService, adapter: CompleteAdapter, at: number) {
    this.#service = service;
    this.#adapter = adapter;
    this.#name = `round-${at}`;
    this.#address = `victim-${at}@example.com`;
    this.#proof = PROOFS[at % PROOFS.length] ?? "a link";
    const founding = FOUNDINGS[Math.floor(at / PROOFS.length) % FOUNDINGS.length] ?? "passkey";
    // What the application checks itself holds the address against providers.
    this.#founding = this.#proof === "a provider that does not link" && founding === "password" ? "passkey" : founding;
  }

  async run(figures: Figures): Promise<void> {
    const impostor = await this.#found();
    const turns = Array<number>(6).fill(0);
    let isOver = false;
    const loops = this.#loops(impostor).map(async (turn, at) => {
      for (; !isOver; turns[at] = (turns[at] ?? 0) + 1) {
        await turn();
        await breathe();
      }
    });
    const goOn = async (rounds: number) => {
      const enough = turns.map((done) => done + rounds);
      while (turns.some((done, at) => done < (enough[at] ?? 0)) && !isOver) await breathe();
    };
    const siege = async () => {
      await goOn(TURNS.before);
      const victim = await this.#prove(figures);
      await goOn(TURNS.after);
      return victim;
    };
    // A loop that fails must not leave the others running.
    const end = () => void (isOver = true);
    const [victim] = await Promise.all([siege().finally(end), ...loops.map((loop) => loop.finally(end))]);
    await this.#judge(figures, victim);
  }

  /** The impostor makes a user in the victim's address. */
  async #found(): Promise<Visitor> {
    const impostor = this.#service.visitor();
    const id = `${this.#name}-own`;
    if (this.#founding === "passkey") await this.#register(impostor);
    if (this.#founding === "provider") await this.#come(impostor, "founder");
    if (this.#founding === "password") {
      this.#service.passwords.set(this.#name, { id, email: this.#address });
      await impostor.type(this.#name);
    } else {
      // The application gives whoever is inside a password; where it would hold the address it gives one of its own.
      const own = this.#proof === "a provider that does not link" ? id : await impostor.inside() ?? id;
      this.#service.passwords.set(this.#name, { id: own, email: this.#address });
    }
    this.#keep(impostor);
    return impostor;
  }

  #loops(impostor: Visitor): (() => Promise<void>)[] {
    const again = async (visitor: Visitor) => {
      if (await visitor.inside() === null) await this.#authenticate(visitor);
    };
    const [second, third] = [this.#service.visitor(), this.#service.visitor()];
    second.token = impostor.token;
    return [
      async () => {
        await again(impostor);
        await this.#register(impostor);
      },
      async () => await this.#authenticate(this.#service.visitor()),
      async () => {
        await again(second);
        await this.#come(second, `added-${this.#made++}`);
      },
      async () => await this.#come(this.#service.visitor(), this.#loot.subs.at(-1 - this.#made % 3) ?? "founder"),
      async () => {
        const visitor = this.#service.visitor();
        await visitor.type(this.#name);
        this.#keep(visitor);
      },
      async () => {
        const visitor = this.#service.visitor();
        await this.#register(visitor);
        await third.ask(this.#address);
        await visitor.signOut();
      },
    ];
  }

  async #register(visitor: Visitor): Promise<void> {
    const key = await visitor.register(this.#address);
    if (key) this.#loot.keys.push(key);
    this.#keep(visitor);
  }

  async #authenticate(visitor: Visitor): Promise<void> {
    const { keys } = this.#loot;
    const key = keys[this.#made++ % Math.max(keys.length, 1)];
    if (key) await visitor.authenticate(key);
    this.#keep(visitor);
  }

  async #come(visitor: Visitor, sub: string): Promise<void> {
    if (!this.#loot.subs.includes(sub)) this.#loot.subs.push(sub);
    await visitor.come("plain", this.#told(sub));
    this.#keep(visitor);
  }

  /** What a provider says of the impostor: the victim's address, but not that it is verified. */
  #told(sub: string): Told {
    return { sub: `${this.#name}-${sub}`, email: this.#address, email_verified: false };
  }

  #keep({ token }: Visitor): void {
    if (token) this.#loot.tokens.add(token);
  }

  async #prove(figures: Figures): Promise<Visitor> {
    for (let tries = 1; tries <= TRIES; tries++) {
      const victim = this.#service.visitor();
      await this.#enter(victim);
      if (await victim.inside() !== null) return victim;
      if (tries === 1) figures.again += 1;
    }
    const { cause, message } = this.#service.errors.at(-1) ?? {};
    figures.outside.push(`${this.#address}, by ${this.#proof}: ${message} ${cause ?? ""}`);
    return this.#service.visitor();
  }

  async #enter(victim: Visitor): Promise<void> {
    if (this.#proof === "a link") {
      await victim.ask(this.#address);
      const link = this.#service.links.get(this.#address);
      if (link) await victim.open(link);
      return;
    }
    const told = { sub: `${this.#name}-victim`, email: this.#address, email_verified: true };
    await victim.come(this.#proof === "a provider that links" ? "linking" : "plain", told);
  }

  async #judge(figures: Figures, victim: Visitor): Promise<void> {
    const user = await victim.inside();
    if (user === null) return;
    const note = (list: string[], what: string) => void list.push(`${this.#address}: ${what}, after ${this.#proof}`);
    const found = await this.#adapter.getUserByEmail(this.#address);
    if (found?.id !== user) note(figures.outside, "the victim's user has not the address");
    for (const token of this.#loot.tokens) {
      const visitor = this.#service.visitor();
      visitor.token = token;
      figures.tried += 1;
      if (await visitor.inside() === user) note(figures.alive, "a session");
    }
    const sessions = await this.#adapter.listSessionsByUserId(user);
    if (sessions.length !== 1) note(figures.alive, `${sessions.length} sessions are stored`);
    for (const [what, enter] of this.#ways()) {
      const visitor = this.#service.visitor();
      await enter(visitor);
      figures.tried += 1;
      if (await visitor.inside() === user) note(figures.takenOver, what);
    }
    const again = this.#service.visitor();
    await this.#enter(again);
    if (await again.inside() !== user) note(figures.outside, "the same way does not lead in again");
    if (await victim.inside() !== user) note(figures.outside, "the session is lost");
  }

  /** Everything that the impostor holds. */
  *#ways(): Generator<readonly [what: string, enter: (visitor: Visitor) => Promise<unknown>]> {
    for (const key of this.#loot.keys) yield ["a passkey", (visitor) => visitor.authenticate(key)];
    for (const sub of this.#loot.subs) {
      yield ["an account", (visitor) => visitor.come("plain", this.#told(sub))];
      yield ["an account that may link", (visitor) => visitor.come("linking", this.#told(sub))];
    }
    yield ["a password", (visitor) => visitor.type(this.#name)];
  }
}
