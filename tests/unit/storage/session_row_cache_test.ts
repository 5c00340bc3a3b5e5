/** Stored sessions that a process keeps for a moment: what is kept, for how long, and what makes it forget. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, SessionAndUser } from "../../../src/contract/adapter.ts";
import { SessionRowCache } from "../../../src/storage/session_row_cache.ts";
import { guardAdapter, type Storage } from "../../../src/storage/guard.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";

const NOW = 1_000_000;

function row(sessionToken: string, id = "u1", more: object = {}): SessionAndUser {
  const user = { id, name: "Ada", email: `${id}@example.com`, emailVerified: new Date(5) };
  return { session: { sessionToken, userId: id, expires: new Date(NOW * 2), ...more }, user };
}

function keep(kept: SessionRowCache, found: SessionAndUser): void {
  kept.set(found.session.sessionToken, found, kept.begin(NOW));
}

test("a row is kept for less than the given seconds, and not by a clock that went back", () => {
  const kept = new SessionRowCache();
  keep(kept, row("a"));
  for (const [time, isKept] of [[0, true], [9_999, true], [10_000, false], [-1, false]] as const) {
    assert.equal(kept.get("a", NOW + time, 10) !== null, isKept, `${time} ms`);
  }
  assert.equal(kept.get("b", NOW, 10), null);
  assert.equal(kept.get("a ", NOW, 10), null, "another token");
});

test("nobody who was given a row can change what the next one gets", () => {
  const kept = new SessionRowCache();
  const read = { ...row("a"), session: { ...row("a").session, tags: [{ at: new Date(1) }] } };
  keep(kept, read);
  const copy = structuredClone(read);
  const spoil = ({ session, user }: SessionAndUser): void => {
    session.expires.setTime(0);
    user.name = "Mallory";
    user.emailVerified?.setTime(0);
    user.id = "u2";
    const [tag] = (session as typeof read.session).tags;
    tag?.at.setTime(0);
  };
  spoil(read);
  for (let times = 0; times < 2; times++) {
    const got = kept.get("a", NOW, 10);
    assert.deepEqual(got, copy);
    if (got) spoil(got);
  }
});

test("a row that holds more than data is not kept, because it may change by itself", () => {
  class Money {
    amount = 1;
  }
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  for (const value of [new Money(), new Map(), new Uint8Array(1), () => 1, Symbol(), [new Money()], cyclic]) {
    const kept = new SessionRowCache();
    keep(kept, row("a", "u1", { value }));
    assert.equal(kept.get("a", NOW, 10), null);
  }
});

test("a name like __proto__ is a member as any other", () => {
  const kept = new SessionRowCache();
  keep(kept, row("a", "u1", JSON.parse('{"__proto__":{"ended":true}}')));
  const session = kept.get("a", NOW, 10)?.session;
  assert.ok(session && Object.hasOwn(session, "__proto__"));
  assert.equal(session.ended, undefined);
});

test("ten thousand rows are kept and no more, the latest", () => {
  const kept = new SessionRowCache();
  for (let index = 0; index < 10_010; index++) keep(kept, row(`t${index}`, `u${index}`));
  const left = Array.from({ length: 10_010 }, (_, index) => kept.get(`t${index}`, NOW, 10)).filter(Boolean);
  assert.equal(left.length, 10_000);
  assert.equal(kept.get("t9", NOW, 10), null);
  assert.ok(kept.get("t10", NOW, 10));
});

test("large rows are kept up to eight million characters, and very large ones are not", () => {
  const kept = new SessionRowCache();
  for (let index = 0; index < 200; index++) keep(kept, row(`t${index}`, "u1", { logoutHint: "x".repeat(60_000) }));
  const left = Array.from({ length: 200 }, (_, index) => kept.get(`t${index}`, NOW, 10)).filter(Boolean);
  assert.ok(left.length > 100 && left.length * 60_000 <= 8 * 1024 * 1024, `${left.length} rows`);
  assert.ok(kept.get("t199", NOW, 10));
  keep(kept, row("huge", "u2", { logoutHint: "x".repeat(70_000) }));
  assert.equal(kept.get("huge", NOW, 10), null);
});

test("what a read found is not kept if something was changed since it began", () => {
  const kept = new SessionRowCache();
  const beginning = kept.begin(NOW);
  kept.invalidate({ tokens: ["another"] });
  kept.set("a", row("a"), beginning);
  assert.equal(kept.get("a", NOW, 10), null);
});

/** Everything that a service may write: whose session it concerns is `a`, of the user `u1`. */
const WRITES: readonly (readonly [name: string, write: (storage: Storage) => Promise<unknown> | undefined])[] = [
  ["createSession", (storage) => storage.createSession(row("a").session).catch(() => {})],
  ["updateSession", (storage) => storage.updateSession({ sessionToken: "a", expires: new Date(NOW * 3) })],
  ["deleteSession", (storage) => storage.deleteSession("a")],
  ["deleteSessionsByUserId", (storage) => storage.deleteSessionsByUserId?.("u1")],
  ["deleteOtherSessions", (storage) => storage.deleteOtherSessions?.({ userId: "u1", sessionToken: "other" })],
  ["updateUser", (storage) => storage.updateUser({ id: "u1", name: "Grace" })],
  ["deleteUser", (storage) => storage.deleteUser("u1")],
  ["commit with deleteSession", (storage) => storage.commit?.({ deleteSession: "a" })],
  ["commit with updateUser", (storage) => storage.commit?.({ updateUser: { id: "u1", name: "Grace" } })],
  ["commit with evict", (storage) => storage.commit?.({ evict: { userId: "u1", email: null } })],
];

async function filled(change: (adapter: Adapter) => Adapter = (adapter) => adapter) {
  const adapter = memoryAdapter();
  const { user, session } = row("a");
  await adapter.createUser(user);
  await adapter.createSession(session);
  await adapter.createUser(row("b", "u2").user);
  const storage = guardAdapter(change(adapter));
  for (const [token, id] of [["a", "u1"], ["b", "u2"]] as const) keep(storage.rows, row(token, id));
  return storage;
}

for (const [name, write] of WRITES) {
  test(`what ${name} changes is forgotten at once, and nothing else`, async () => {
    const storage = await filled();
    await write(storage);
    assert.equal(storage.rows.get("a", NOW, 10), null);
    assert.ok(storage.rows.get("b", NOW, 10));
  });

  test(`a read that began before ${name} was done is not kept`, async () => {
    const storage = await filled();
    const before = storage.rows.begin(NOW);
    const writing = write(storage);
    const meanwhile = storage.rows.begin(NOW);
    await writing;
    for (const beginning of [before, meanwhile]) storage.rows.set("a", row("a"), beginning);
    assert.equal(storage.rows.get("a", NOW, 10), null);
  });

  test(`${name} makes the process forget although it fails: it may have happened`, async () => {
    const failing = (adapter: Adapter): Adapter => {
      const fail = () => Promise.reject(new Error("the connection was lost"));
      return Object.fromEntries(Object.keys(adapter).map((operation) => [operation, fail]));
    };
    const storage = await filled(failing);
    const writing = write(storage);
    assert.equal(storage.rows.get("a", NOW, 10), null, "while it is under way");
    keep(storage.rows, row("a"));
    await assert.rejects(async () => {
      await writing;
      if (name === "createSession") throw new Error("it fails, and the test has caught that");
    });
    assert.equal(storage.rows.get("a", NOW, 10), null);
  });
}

test("operations that concern no stored session forget none", async () => {
  const storage = await filled();
  await storage.getUser("u1");
  await storage.linkAccount({ userId: "u1", type: "oauth", provider: "github", providerAccountId: "1" });
  await storage.unlinkAccount({ provider: "github", providerAccountId: "1" });
  await storage.once?.("key", new Date(NOW * 2));
  assert.ok(storage.rows.get("a", NOW, 10));
});

test("services with one adapter forget together", async () => {
  const adapter = memoryAdapter();
  await adapter.createUser(row("a").user);
  const [one, other] = [guardAdapter(adapter), guardAdapter(adapter)];
  keep(one.rows, row("a"));
  await other.deleteSession("a");
  assert.equal(one.rows.get("a", NOW, 10), null);
});
