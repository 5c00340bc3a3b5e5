import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { conformanceCases, type OpenedAdapter } from "../../../adapters/conformance.ts";
import { memoryAdapter, memoryRecords, memorySessions } from "../../../adapters/memory.ts";
import { withRecords } from "../../../adapters/records.ts";
import { type KeptSessionStore, withSessions } from "../../../adapters/sessions.ts";
import { sqliteAdapter } from "../../../adapters/sqlite.ts";
import type { Adapter, CompleteAdapter, Plan } from "../../../src/contract/adapter.ts";
import { AdapterError, InvalidConfig } from "../../../src/kernel/errors.ts";

const QUIET = { logger: { warn: () => {} } };

/** An adapter without records. */
function plain(now?: () => number): Adapter {
  const { getRecord: _1, putRecord: _2, removeRecord: _3, listRecords: _4, ...adapter } = memoryAdapter({ now });
  return adapter;
}

type Make = (now: () => number) => { readonly adapter: Adapter; readonly close?: () => void };

const COMPOSED: Readonly<Record<string, Make>> = {
  "memoryAdapter()": (now) => ({ adapter: withSessions(memoryAdapter({ now }), memorySessions()) }),
  "sqliteAdapter()": (now) => {
    const adapter = sqliteAdapter(":memory:", { now });
    return { adapter: withSessions(adapter, memorySessions()), close: () => adapter.close() };
  },
  "an adapter without records": (now) => ({ adapter: withSessions(plain(now), memorySessions()) }),
  "withRecords()": (now) => ({
    adapter: withSessions(withRecords(plain(now), memoryRecords({ now }), QUIET), memorySessions()),
  }),
  "an adapter, within withRecords()": (now) => ({
    adapter: withRecords(withSessions(plain(now), memorySessions()), memoryRecords({ now }), QUIET),
  }),
};

/** What cannot be done where records, and so epochs, are stored apart. */
const APART = /[Rr]ecord|^commit\(\) changes nothing and returns/;

for (const [name, make] of Object.entries(COMPOSED)) {
  const open = (): OpenedAdapter => {
    let clock = Date.UTC(2031, 0, 1);
    return { ...make(() => clock), now: { set: (milliseconds) => void (clock = milliseconds) } };
  };
  const left = { "withRecords()": APART, "an adapter, within withRecords()": /[Rr]ecord/ }[name];
  for (const each of conformanceCases(open)) {
    if (!left?.test(each.name)) test(`withSessions() over ${name}: ${each.name}`, each.run);
  }
}

const ADA = { id: "ada", email: "ada@example.com", emailVerified: null };
const LATER = new Date(Date.UTC(2100, 0, 1));

function sessionOf(sessionToken: string, userId = "ada") {
  return { sessionToken, userId, expires: LATER };
}

/** The plan of somebody who proves an address for the first time, in a browser with an older session. */
const PROOF: Plan = {
  expect: { user: { id: "ada", email: ADA.email, emailVerified: null, securityStamp: null } },
  updateUser: { id: "ada", emailVerified: LATER, securityStamp: "new" },
  evict: { userId: "ada", email: ADA.email },
  deleteSession: "own",
  createSession: sessionOf("new"),
};

/** The adapters, each with sessions beside it. */
const BASES: Readonly<Record<string, () => Adapter>> = {
  "an adapter with records": () => memoryAdapter(),
  "an adapter without records": () => plain(),
  "withRecords()": () => withRecords(plain(), memoryRecords(), QUIET),
};

function together(base: Adapter, sessions: KeptSessionStore): CompleteAdapter {
  return withSessions(base, sessions) as CompleteAdapter;
}

/** A store that loses the removals of sessions, as one that comes back as it was before. */
function forgetful(store: KeptSessionStore): KeptSessionStore {
  return { ...store, end: async () => {}, remove: () => Promise.resolve(null) };
}

/** Lists which of the sessions can be used. */
async function usable(adapter: CompleteAdapter, ...tokens: readonly string[]): Promise<string[]> {
  const found = await Promise.all(tokens.map(async (token) => (await adapter.getSessionAndUser(token)) && token));
  return found.filter((token) => token !== null);
}

for (const [name, base] of Object.entries(BASES)) {
  const WAYS: Readonly<Record<string, (adapter: CompleteAdapter) => Promise<unknown>>> = {
    "all sessions of a user are ended": async (adapter) => await adapter.deleteSessionsByUserId("ada"),
    "the address of a user is proven": async (adapter) => await adapter.commit(PROOF),
    "a user is deleted and stored again": async (adapter) => {
      await adapter.deleteUser("ada");
      await adapter.createUser(ADA);
      await adapter.createSession(sessionOf("another"));
    },
  };
  for (const [when, end] of Object.entries(WAYS)) {
    test(`withSessions() over ${name}: sessions that come back stay ended when ${when}`, async () => {
      const store = memorySessions();
      const adapter = together(base(), forgetful(store));
      await adapter.createUser(ADA);
      for (const token of ["own", "other"]) await adapter.createSession(sessionOf(token));
      assert.deepEqual(await usable(adapter, "own", "other"), ["own", "other"]);
      await end(adapter);
      assert.equal((await store.listByUserId("ada")).length > 1, true);
      assert.deepEqual(await usable(adapter, "own", "other"), []);
      const listed = await adapter.listSessionsByUserId("ada");
      assert.deepEqual(listed.filter(({ sessionToken }) => ["own", "other"].includes(sessionToken)), []);
      assert.equal(await adapter.updateSession({ sessionToken: "other", expires: LATER }), null);
      const expect = { session: { sessionToken: "other", userId: "ada" } };
      assert.equal(await adapter.commit({ expect, updateUser: { id: "ada", name: "Mallory" } }), "conflict");
    });
  }

  test(`withSessions() over ${name}: a process that ends in the middle leaves no ended session`, async () => {
    let dead = 0;
    const outcomes = new Map<string, number>();
    for (let calls = 0, ended = false; !ended; calls++) {
      const [storage, store] = [base(), memorySessions()];
      const adapter = together(storage, store);
      await adapter.createUser(ADA);
      for (const token of ["own", "other"]) await adapter.createSession(sessionOf(token));
      let left = calls;
      const dying = <Kind extends object>(operations: Kind): Kind =>
        new Proxy(operations, {
          get: (_, member) => {
            const operation: unknown = Reflect.get(operations, member);
            if (typeof operation !== "function") return operation;
            return (...args: readonly unknown[]) => {
              if (left-- <= 0) throw new Error("the process has ended");
              return operation.apply(operations, args);
            };
          },
        });
      const dies = together(dying(storage), dying(store));
      const result = await Promise.resolve(dies.commit(PROOF)).catch(() => "dead");
      ended = result === "done";
      dead += Number(!ended);
      const isWritten = (await adapter.getUser("ada"))?.emailVerified !== null;
      const rest = await usable(adapter, "own", "other", "new");
      const allowed = ended ? [["new"]] : isWritten ? [[], ["new"]] : [["own", "other"], ["other"], []];
      assert.ok(allowed.some((tokens) => `${tokens}` === `${rest}`), `${calls} calls: ${rest}`);
      const outcome = `${isWritten ? "written" : "not written"}, left: ${rest.join(" ") || "none"}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    assert.ok(dead > 5);
    const counts = [...outcomes].map(([outcome, count]) => `${count} times ${outcome}`);
    process.stderr.write(`  ${name}: ${counts.join("; ")}\n`);
  });

  test(`withSessions() over ${name}: a session that is ended while it is stored is not found`, async () => {
    const store = memorySessions();
    const storage = base();
    const plain = together(storage, store);
    await plain.createUser(ADA);
    await plain.createSession(sessionOf("first"));
    const adapter = together(storage, {
      ...store,
      add: async (kept) => {
        await plain.deleteSessionsByUserId("ada");
        return await store.add(kept);
      },
    });
    await adapter.createSession(sessionOf("second"));
    assert.deepEqual(await usable(plain, "first", "second"), []);
    assert.equal(await adapter.commit({ createSession: sessionOf("third") }), "done");
    assert.deepEqual(await usable(plain, "third"), []);
  });
}

test("withSessions() gives a session back if its plan is rejected, unless it was ended meanwhile", async () => {
  const storage = memoryAdapter();
  const store = memorySessions();
  const plain = together(storage, store);
  await plain.createUser(ADA);
  for (const [token, meanwhile] of [["a", () => {}], ["b", () => plain.deleteSession("b")]] as const) {
    await plain.createSession(sessionOf(token));
    const adapter = together({
      ...storage,
      commit: async () => {
        assert.deepEqual(await usable(plain, token), []);
        await meanwhile();
        return "conflict" as const;
      },
    }, store);
    assert.equal(await adapter.commit({ deleteSession: token, updateUser: { id: "ada" } }), "conflict");
  }
  assert.deepEqual(await usable(plain, "a", "b"), ["a"]);
});

test("withSessions() gives a session back only to the last of those who set it aside", async () => {
  const store = memorySessions();
  const adapter = together(memoryAdapter(), store);
  await adapter.createUser(ADA);
  await adapter.createSession(sessionOf("s"));
  const place = await store.locate("s");
  assert.ok(place);
  for (const by of ["one", "two"]) await store.setAside(place, by);
  await store.putBack(place, "one");
  assert.deepEqual(await usable(adapter, "s"), []);
  await store.putBack(place, "two");
  assert.deepEqual(await usable(adapter, "s"), ["s"]);
});

test("withSessions() ends all other sessions in the database, and never the one that stays", async () => {
  const store = memorySessions();
  const storage = memoryAdapter();
  const plain = together(storage, store);
  await plain.createUser(ADA);
  for (const token of ["own", "other"]) await plain.createSession(sessionOf(token));
  const before = await store.read({ userId: "ada", sessionToken: "other" });
  const seen: string[][] = [];
  const watched = new Proxy(storage, {
    get: (_, member) => {
      const operation: unknown = Reflect.get(storage, member);
      if (member !== "putRecord") return operation;
      return async (record: never) => {
        seen.push(await usable(plain, "own", "other"));
        const version = await storage.putRecord(record);
        seen.push(await usable(plain, "own", "other"));
        return version;
      };
    },
  });
  await together(watched, store).deleteOtherSessions({ userId: "ada", sessionToken: "own" });
  assert.deepEqual(seen, [["own"], ["own"]]);
  // The store comes back as it was.
  assert.ok(before && await store.add(before));
  assert.deepEqual(await usable(plain, "own", "other"), ["own"]);
});

test("withSessions() keeps the ids of a database that numbers its users", async () => {
  for (const id of [7, 7n]) {
    const users = { getUser: (given: unknown) => (given === id ? { ...ADA, id } : null) as never };
    const adapter = withSessions(users, memorySessions());
    await adapter.createSession({ ...sessionOf("s"), userId: id as never });
    assert.equal((await adapter.getSessionAndUser("s"))?.session.userId, id);
    assert.equal((await adapter.listSessionsByUserId("7")).length, 1);
    await adapter.deleteSessionsByUserId("7");
    assert.equal(await adapter.getSessionAndUser("s"), null);
  }
});

test("withSessions() refuses what is no store of sessions, and says what the adapter lacks", async () => {
  for (const other of [{}, null, undefined, "redis://:secret@localhost"]) {
    assert.throws(() => withSessions(memoryAdapter(), other as never), (error) => {
      return error instanceof InvalidConfig && /redisSessions\(client\)/.test(error.message) &&
        !error.message.includes("secret");
    });
  }
  const adapter = withSessions({}, memorySessions());
  await assert.rejects(async () => await adapter.createSession(sessionOf("s")), AdapterError);
});

test("withSessions() asks both the adapter and the store what is wrong with them", async () => {
  const adapter = withSessions({ ...memoryAdapter(), findProblems: () => ["one"] }, {
    ...memorySessions(),
    findProblems: () => Promise.resolve(["two"]),
  });
  assert.deepEqual(await adapter.findProblems(), ["one", "two"]);
  assert.deepEqual(await withSessions(memoryAdapter(), memorySessions()).findProblems(), []);
});
