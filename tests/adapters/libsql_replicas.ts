/** Machines that each read a replica of one database of libSQL, whose writes go to its server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@libsql/client";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { contend, oneEach, prepare } from "../_support/contest.ts";
import { type Primary, startPrimary } from "./replica.ts";

const LATER = new Date(Date.UTC(2100, 0, 1));
const ADA = { id: "ada", email: "ada@example.com", emailVerified: null };
const ACCOUNT = { userId: "ada", provider: "mock", providerAccountId: "1", type: "oidc" } as const;
const SESSION = { sessionToken: "s", userId: "ada", expires: LATER };

/** After this a replica is up to date. */
const SYNCHRONIZED = 1050;

async function onMachines(use: (primary: Primary) => Promise<void>): Promise<void> {
  const primary = await startPrimary();
  try {
    await use(primary);
  } finally {
    await primary.close();
  }
}

test("a session that ends on one machine ends on another a second later, without `syncInterval`", async () => {
  await onMachines(async (primary) => {
    const [here, there] = [sqliteAdapter(primary.replica()), sqliteAdapter(primary.replica())];
    await here.commit({ createUser: ADA, linkAccount: ACCOUNT, createSession: SESSION });
    assert.equal((await there.getSessionAndUser("s"))?.user.id, "ada");
    await here.deleteSession("s");
    assert.equal(await here.getSessionAndUser("s"), null);
    await sleep(SYNCHRONIZED);
    assert.equal(await there.getSessionAndUser("s"), null);
  });
});

test("what a machine decides, it decides on what another has written just now", async () => {
  await onMachines(async (primary) => {
    const [here, there] = [sqliteAdapter(primary.replica()), sqliteAdapter(primary.replica())];
    assert.equal(await there.getUserByAccount({ provider: "mock", providerAccountId: "1" }), null);
    await here.commit({ createUser: ADA, linkAccount: ACCOUNT });
    const record = { kind: "k", id: "1", version: 0, data: {} };
    const version = await here.putRecord(record);
    assert.ok(version);
    assert.equal(
      await there.commit({ createUser: { ...ADA, id: "other" }, linkAccount: { ...ACCOUNT, userId: "other" } }),
      "conflict",
    );
    // Its replica is up to date, and then it is not.
    assert.ok(await there.getUser("ada"));
    const next = await here.putRecord({ ...record, version });
    assert.ok(next);
    const expect = { records: [{ kind: "k", id: "1", version: next }] };
    assert.equal(await there.commit({ expect, createSession: SESSION }), "done");
    await here.putRecord({ ...record, version: next });
    assert.equal(await there.commit({ expect, createSession: { ...SESSION, sessionToken: "t" } }), "conflict");
  });
});

test("of the callers on two machines one wins each contest", async () => {
  await onMachines(async (primary) => {
    const adapters = [sqliteAdapter(primary.replica()), sqliteAdapter(primary.replica({ readYourWrites: false }))];
    const [first] = adapters;
    assert.ok(first);
    await prepare(first, 2);
    const all = await Promise.all(adapters.map((adapter, who) => contend(adapter, { rounds: 2, callers: 8 }, who)));
    const wins = oneEach(2);
    for (const prize of Object.keys(wins) as (keyof typeof wins)[]) {
      assert.deepEqual(wins[prize].map((_, round) => all.reduce((sum, one) => sum + (one[prize][round] ?? 0), 0)), [
        1,
        1,
      ]);
    }
  });
});

test("a machine with `readYourWrites: false` reads what it wrote", async () => {
  await onMachines(async (primary) => {
    const adapter = sqliteAdapter(primary.replica({ readYourWrites: false }));
    await adapter.createUser(ADA);
    assert.equal((await adapter.getUser("ada"))?.id, "ada");
    assert.equal(await adapter.commit({ createSession: SESSION }), "done");
    assert.equal((await adapter.getSessionAndUser("s"))?.user.id, "ada");
  });
});

test("nobody is signed in by a replica that cannot be brought up to date", async () => {
  await onMachines(async (primary) => {
    const adapter = sqliteAdapter(primary.replica());
    await adapter.commit({ createUser: ADA, createSession: SESSION });
    assert.ok(await adapter.getSessionAndUser("s"));
    primary.stop();
    await sleep(SYNCHRONIZED);
    await assert.rejects(async () => await adapter.getSessionAndUser("s"), /sync/i);
  });
});

test("a client that writes to its replica first is refused, and so is one that gives numbers as text", async () => {
  await onMachines(async (primary) => {
    const offline = sqliteAdapter(primary.replica({ offline: true }));
    await assert.rejects(async () => await offline.createUser(ADA), /AdapterError.*Remove `offline`/);
    const text = createClient({ url: ":memory:", intMode: "string" });
    await assert.rejects(async () => await sqliteAdapter(text).createUser(ADA), /AdapterError.*Remove `intMode/);
    text.close();
  });
});
