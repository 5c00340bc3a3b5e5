import assert from "node:assert/strict";
import { test } from "node:test";
import { conformanceCases } from "../../../adapters/conformance.ts";
import { AdapterError } from "../../../src/kernel/errors.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { contend, oneEach, prepare } from "../../_support/contest.ts";

function open() {
  let clock = Date.UTC(2031, 0, 1);
  return {
    adapter: memoryAdapter({ now: () => clock }),
    now: { set: (milliseconds: number) => void (clock = milliseconds) },
  };
}

for (const { name, run } of conformanceCases(open)) test(`memoryAdapter(): ${name}`, run);

test("memoryAdapter() refuses records that could not be read back as they are", async () => {
  const adapter = memoryAdapter();
  const record = { kind: "key", id: "k", version: 0, data: {} };
  const flaws = [
    { kind: "" },
    { id: 1 },
    { group: "" },
    { version: -1 },
    { version: 1.5 },
    { version: "0" },
    { data: [] },
    { data: null },
    { expires: new Date(NaN) },
  ];
  for (const flaw of flaws) {
    await assert.rejects(async () => await adapter.putRecord({ ...record, ...flaw } as never), AdapterError);
  }
  assert.equal(typeof await adapter.putRecord(record), "number");
});

test("Of 64 concurrent callers one wins, 200 times of 200", async () => {
  const adapter = memoryAdapter();
  await prepare(adapter, 200);
  assert.deepEqual(await contend(adapter, { rounds: 200, callers: 64 }), oneEach(200));
});

test("memoryAdapter() removes sessions, tokens and replay guards that have ended while others are added", async () => {
  let clock = 0;
  const adapter = memoryAdapter({ now: () => clock });
  await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null });
  const hour = 3_600_000;
  await adapter.createSession({ userId: "ada", sessionToken: "stays", expires: new Date(1e4 * hour) });
  for (let i = 0; i < 5000; i++) {
    clock = i * hour;
    const expires = new Date(clock + 10_000);
    await adapter.createSession({ userId: "ada", sessionToken: `s-${i}`, expires });
    await adapter.createVerificationToken({ identifier: "ada@example.com", token: `t-${i}`, expires });
    assert.equal(await adapter.once(`m-${i}`, expires), true);
  }
  const left = (await adapter.listSessionsByUserId("ada")).map(({ sessionToken }) => sessionToken);
  assert.ok(left.includes("stays"));
  assert.ok(left.length < 50, `${left.length} sessions are left`);
  assert.equal(await adapter.getVerificationToken({ identifier: "ada@example.com", token: "t-0" }), null);
});

for (const [within, ahead] of [["a day", 0], ["ten years by the clock of the machine", 10 * 365 * 24]] as const) {
  test(`memoryAdapter() keeps a session for a day after its end, which is ${within} ago`, async () => {
    const hour = 3_600_000;
    const start = Date.now();
    let clock = start;
    const adapter = memoryAdapter({ now: () => clock });
    await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null });
    const before = start - (ahead === 0 ? 47 : 23) * hour;
    await adapter.createSession({ userId: "ada", sessionToken: "ended", expires: new Date(before + 23.5 * hour) });
    clock = start + ahead * hour;
    for (let n = 0; n < 9; n += 1) {
      await adapter.createSession({ userId: "ada", sessionToken: `${n}`, expires: new Date(clock + hour) });
    }
    const left = (await adapter.listSessionsByUserId("ada")).map(({ sessionToken }) => sessionToken);
    assert.ok(left.includes("ended"));
  });
}

test("memoryAdapter() undoes a plan if a record cannot be copied", async () => {
  const adapter = memoryAdapter();
  const createUser = { id: "ada", email: "ada@example.com", emailVerified: null };
  const linkAccount = { userId: "ada", provider: "idp", providerAccountId: "1", type: "oidc", odd: () => 1 } as const;
  await assert.rejects(async () => await adapter.commit({ createUser, linkAccount }), { name: "DataCloneError" });
  assert.equal(await adapter.getUser("ada"), null);
  assert.equal(await adapter.commit({ createUser }), "done");
});

test("memoryAdapter() shares no data with another one", async () => {
  await memoryAdapter().createUser({ id: "ada", email: "ada@example.com", emailVerified: null });
  assert.equal(await memoryAdapter().getUser("ada"), null);
});

test("memoryAdapter() rejects where it fails, and throws nothing", async () => {
  for (const [name, operation] of Object.entries(memoryAdapter())) {
    const run = operation as (...args: readonly unknown[]) => unknown;
    // Whatever a symbol is, it can be neither stored nor found.
    const answer = run(Symbol(name));
    assert.ok(answer instanceof Promise, name);
    await answer.catch((error: unknown) => assert.ok(error instanceof Error, name));
  }
  const adapter = memoryAdapter();
  const account = { userId: "nobody", type: "oidc", provider: "idp", providerAccountId: "1" } as const;
  await assert.rejects(Promise.resolve(adapter.linkAccount(account)), { name: "AdapterError" });
});
