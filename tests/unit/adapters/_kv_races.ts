/** Races over a key-value store, of any number of rounds. */
import assert from "node:assert/strict";
import type { CompleteAdapter } from "../../../src/contract/adapter.ts";

const CALLERS = 64;

const LATER = new Date(Date.UTC(2100, 0, 1));

/** An operation that one of many callers wins in each round. */
export interface Race {
  readonly name: string;
  readonly prepare: (adapter: CompleteAdapter, round: number) => Promise<unknown>;
  readonly run: (adapter: CompleteAdapter, round: number, caller: number) => Promise<boolean>;
}

function tokenOf(round: number) {
  return { identifier: "ada@example.com", token: `t-${round}`, expires: LATER };
}

async function store(adapter: CompleteAdapter, round: number): Promise<void> {
  await adapter.createVerificationToken(tokenOf(round));
}

/** The races. */
export const RACES: readonly Race[] = [
  {
    name: "useVerificationToken()",
    prepare: store,
    run: async (adapter, round) => await adapter.useVerificationToken(tokenOf(round)) !== null,
  },
  {
    name: "commit() of a plan that uses a token",
    prepare: store,
    run: async (adapter, round) => {
      const { identifier, token } = tokenOf(round);
      return await adapter.commit({ consume: { identifier, tokens: [token], now: new Date(0) } }) === "done";
    },
  },
  {
    name: "once()",
    prepare: async () => {},
    run: async (adapter, round) => await adapter.once(`m-${round}`, LATER),
  },
];

/** Runs a race and asserts one winner in each round. Callers are spread over the adapters. */
export async function run(race: Race, adapters: readonly CompleteAdapter[], rounds: number): Promise<void> {
  const first = adapters[0];
  assert.ok(first);
  for (let round = 0; round < rounds; round++) {
    await race.prepare(first, round);
    const callers = Array.from({ length: CALLERS }, (_, caller): Promise<boolean> => {
      return race.run(adapters[caller % adapters.length] ?? first, round, caller);
    });
    const wins = (await Promise.all(callers)).filter((won) => won);
    assert.equal(wins.length, 1, `${race.name}, round ${round}`);
  }
}
