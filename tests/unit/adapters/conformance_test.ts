import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter } from "../../../src/contract/adapter.ts";
import { conformanceCases, type ConformancePromises, type OpenedAdapter } from "../../../adapters/conformance.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { BUCKET_FLAWS, BY_HAND } from "./_bucket_flaws.ts";
import { FLAWS, type Spoil } from "./_flaws.ts";
import { RECORD_FLAWS } from "./_record_flaws.ts";

const ALL_FLAWS = [...FLAWS, ...RECORD_FLAWS, ...BUCKET_FLAWS];

function opened(spoil: Spoil = () => ({})): OpenedAdapter {
  let clock = Date.UTC(2031, 0, 1);
  const adapter = memoryAdapter({ now: () => clock });
  return { adapter: { ...adapter, ...spoil(adapter) }, now: { set: (milliseconds) => void (clock = milliseconds) } };
}

/** The error of a case about an adapter; `null` if it succeeds. */
async function verdict(open: () => OpenedAdapter, wanted: string): Promise<string | null> {
  const found = conformanceCases(open).find(({ name }) => name === wanted);
  assert.ok(found, `There is no case "${wanted}"`);
  return await found.run().then(() => null, (error) => error.message);
}

for (const [name, spoil] of ALL_FLAWS) {
  test(`a flaw fails the case of conformance: ${name}`, async () => {
    assert.notEqual(await verdict(() => opened(spoil), name), null);
  });
}

test("conformanceCases() has no case that no flaw fails", () => {
  // What storage reads is told by who opens the adapter.
  const seen = new Set([PAGE, ...ALL_FLAWS.map(([name]) => name)]);
  assert.deepEqual(conformanceCases(opened).map(({ name }) => name).filter((name) => !seen.has(name)), []);
});

const PAGE = "listRecords() reads no more rows than a page has";

test(`conformanceCases() counts what storage reads: ${PAGE}`, async () => {
  const reading = (count: number) => () => ({
    ...opened(),
    reads: async (run: () => Promise<unknown>) => {
      await run();
      return count;
    },
  });
  assert.equal(await verdict(reading(40), PAGE), null);
  assert.equal(await verdict(reading(300), PAGE), "listRecords(): it read 300 rows for a page of 20");
});

test("conformanceCases() finds no flaw in buckets that are counted by hand, but that they check nothing", async () => {
  const failing: string[] = [];
  for (const name of new Set(BUCKET_FLAWS.map(([name]) => name))) {
    if (await verdict(() => opened(BY_HAND), name) !== null) failing.push(name);
  }
  assert.deepEqual(failing, ["take() rejects a bucket that is none, or two of one key, and takes from none"]);
});

test("conformanceCases() names each case differently", () => {
  const names = conformanceCases(opened).map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});

test("conformanceCases() reports the expected and the actual value", async () => {
  const red = "getUser() returns null for an unknown id";
  const spoil = () => ({ getUser: () => undefined }) as unknown as Adapter;
  assert.equal(await verdict(() => opened(spoil), red), "getUser(): expected null, got undefined");
});

test("conformanceCases() closes the adapter, whether a case succeeds or fails", async () => {
  for (const spoil of [() => ({}), () => ({ getUser: () => Promise.reject(new Error("It broke")) })]) {
    let open = 0;
    const cases = conformanceCases(() => {
      open += 1;
      return { ...opened(spoil), close: () => void (open -= 1) };
    });
    await Promise.allSettled(cases.map(({ run }) => run()));
    assert.equal(open, 0);
  }
});

test("conformanceCases() succeeds for operations that the adapter lacks", async () => {
  for (const { run } of conformanceCases(() => ({ adapter: {} }))) await run();
});

test("conformanceCases() ends a case where the adapter lacks an operation", async () => {
  const red = "createUser() stores a user that is found by id and by address";
  const spoil = () => ({ getUserByEmail: undefined }) as unknown as Adapter;
  assert.equal(await verdict(() => opened(spoil), red), null);
});

test("conformanceCases() calls the operations of a class on its instance", async () => {
  class Empty {
    readonly #users = new Map<string, null>();
    getUser(id: string) {
      return this.#users.get(id) ?? null;
    }
  }
  assert.equal(await verdict(() => ({ adapter: new Empty() }), "getUser() returns null for an unknown id"), null);
});

const PROMISED: Readonly<Record<keyof ConformancePromises, string>> = {
  keepsIds: "createUser() stores the user under the given id",
  keepsMembers: "Custom members of a user are stored",
  guardsRelations: "linkAccount() rejects a user who does not exist",
  survivesRaces: "Of many callers who use one token, one gets it",
};

for (const [promise, name] of Object.entries(PROMISED)) {
  test(`conformanceCases() leaves out what an adapter does not promise: ${promise}`, () => {
    const names = (promises: ConformancePromises) => conformanceCases(opened, promises).map((one) => one.name);
    assert.ok(names({ [promise]: true }).includes(name));
    assert.ok(!names({ [promise]: false }).includes(name));
    assert.ok(names({ [promise]: false }).includes("createUser() stores a user that is found by id and by address"));
  });
}
