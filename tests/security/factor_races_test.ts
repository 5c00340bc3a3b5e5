/** Requests that change second factors at the same time, and storage that breaks off in the middle of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, Plan, StoredRecord } from "@x/auth";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { DatabaseSync } from "node:sqlite";
import {
  addApp,
  type App,
  beginApp,
  byLink,
  codeOf,
  endAsked,
  enrolAtOnce,
  type FactorSite,
  isOnFor,
  openFactorSite,
  prove,
  read,
  recordsOf,
  undoLink,
} from "../_support/enrolling.ts";
import { otherAdapter, type SessionKind } from "../_support/session_kinds.ts";
import type { Visitor } from "../_support/visitors.ts";

const foreign = () => withRecords(otherAdapter(), memoryRecords(), { logger: { warn: () => {} } });

const KINDS: Readonly<Record<string, () => SessionKind>> = {
  "stored": () => ({ adapter: memoryAdapter(), session: { strategy: "database" } }),
  "sealed": () => ({ adapter: memoryAdapter(), session: { strategy: "jwt" } }),
  "stored in SQLite": () => ({
    adapter: sqliteAdapter(new DatabaseSync(":memory:")),
    session: { strategy: "database" },
  }),
  "stored by an adapter of others": () => ({ adapter: foreign(), session: { strategy: "database" } }),
};

interface Enrolled {
  readonly site: FactorSite;
  readonly ada: Visitor;
  readonly userId: string;
  readonly app: App;
}

async function open(config: SessionKind): Promise<Omit<Enrolled, "app">> {
  const site = await openFactorSite(config);
  const ada = site.service.visitor();
  await byLink(site, ada);
  return { site, ada, userId: await ada.inside() ?? assert.fail("Ada is not signed in") };
}

async function enrolled(config: SessionKind): Promise<Enrolled> {
  const { site, ada, userId } = await open(config);
  const app = await enrolAtOnce(site, ada);
  await prove(site, ada, app);
  return { site, ada, userId, app };
}

/** Another browser of the same person, in which both proofs were given. */
async function anotherBrowser({ site, app }: Enrolled): Promise<Visitor> {
  const other = site.service.visitor();
  await byLink(site, other);
  await prove(site, other, app);
  assert.ok(await other.inside());
  return other;
}

function counted(records: readonly StoredRecord[], type: string): StoredRecord[] {
  return records.filter(({ data }) => data.type === type && data.isConfirmed === true);
}

/** Either a second proof is asked for, and there is something that gives it, or nothing counts. */
async function assertWhole(site: FactorSite, userId: string, about: string): Promise<boolean> {
  const records = await recordsOf(site, userId);
  const [apps, codes] = [counted(records, "totp").length, counted(records, "recovery").length];
  assert.ok(codes === 0 ? apps === 0 : codes === 1 && apps > 0, `${about}: ${apps} apps, ${codes} sets of codes`);
  return codes === 1;
}

for (const [name, config] of Object.entries(KINDS)) {
  test(`of many confirmations at once one adds the application: ${name}`, async () => {
    const { site, ada, userId } = await enrolled(config());
    const { id, secret } = await beginApp(ada);
    const code = await codeOf(site, secret);
    const fields = { act: "confirm", id, code, keepSessions: "on" };
    await Promise.all(Array.from({ length: 16 }, () => ada.post("/auth/factors", fields)));
    assert.equal(counted(await recordsOf(site, userId), "totp").length, 2);
    assert.equal(site.mails.length, 1);
  });

  test(`removing the last application and adding another at once leaves all or nothing: ${name}`, async () => {
    for (let round = 0; round < 4; round++) {
      const about = await enrolled(config());
      const { site, ada, userId, app } = about;
      const other = await anotherBrowser(about);
      const { id, secret } = await beginApp(other);
      const code = await codeOf(site, secret);
      const adding = () => other.post("/auth/factors", { act: "confirm", id, code, keepSessions: "on" });
      const removing = () => ada.post("/auth/factors", { act: "remove", id: app.id });
      const [first, second] = round % 2 === 0 ? [adding, removing] : [removing, adding];
      // Storage without transactions may say that it is busy.
      await Promise.allSettled([first(), ...Array.from({ length: round }, () => Promise.resolve()), second()]);
      await assertWhole(site, userId, `${name}, round ${round}`);
    }
  });

  test(`removing both applications at once switches it off: ${name}`, async () => {
    const about = await enrolled(config());
    const { site, ada, userId, app } = about;
    const more = await addApp(site, ada);
    const other = await anotherBrowser(about);
    await Promise.allSettled([
      ada.post("/auth/factors", { act: "remove", id: app.id }),
      other.post("/auth/factors", { act: "remove", id: more.id }),
    ]);
    await assertWhole(site, userId, name);
  });

  test(`undoing an application while it is named, removed and joined by another leaves all or nothing: ${name}`, async () => {
    const about = await enrolled(config());
    const { site, ada, userId } = about;
    const more = await addApp(site, ada);
    const token = undoLink(site).searchParams.get("token") ?? "";
    const next = await beginApp(ada);
    const code = await codeOf(site, next.secret);
    const owner = site.service.visitor();
    await byLink(site, owner);
    await Promise.allSettled([
      ada.post("/auth/factors", { act: "rename", id: more.id, name: "Phone" }),
      owner.post("/auth/factors", { act: "undo", token }),
      ada.post("/auth/factors", { act: "confirm", id: next.id, code, keepSessions: "on" }),
      ada.post("/auth/factors", { act: "remove", id: more.id }),
      owner.post("/auth/factors", { act: "undo", token }),
    ]);
    assert.equal(await assertWhole(site, userId, name), true);
    assert.equal((await recordsOf(site, userId)).some(({ id }) => id === more.id), false);
  });

  // Hashes take a while.
  if (name === "stored") continue;

  test(`of many requests at once one switches it on: ${name}`, async () => {
    const { site, ada, userId } = await open(config());
    const { shown } = await addApp(site, ada);
    const copies = Array.from({ length: 8 }, () => {
      const copy = site.service.visitor();
      for (const [key, value] of ada.cookies) copy.cookies.set(key, value);
      return copy;
    });
    await Promise.all(copies.map((copy) => copy.post("/auth/factors", { act: "keep", code: endAsked(shown) })));
    assert.equal(await assertWhole(site, userId, name), true);
    assert.equal(site.mails.length, 1);
  });
}

/** Lets something happen once, just before something of second factors that counts is written. */
function interrupted(adapter: Adapter): { readonly adapter: Adapter; before: (() => Promise<unknown>) | null } {
  const made: ReturnType<typeof interrupted> = {
    adapter: {
      ...adapter,
      commit: async (plan: Plan) => {
        if (plan.records?.put?.some(({ data }) => data.isConfirmed)) {
          const run = made.before;
          made.before = null;
          await run?.();
        }
        return await adapter.commit?.(plan) ?? "conflict";
      },
    },
    before: null,
  };
  return made;
}

test("a session that is ended meanwhile adds nothing, and switches nothing on", async () => {
  for (const strategy of ["database", "jwt"] as const) {
    const adapter = memoryAdapter();
    const storage = interrupted(adapter);
    const { site, ada, userId } = await open({ adapter: storage.adapter, session: { strategy } });
    const { shown } = await addApp(site, ada);
    storage.before = async () => await adapter.deleteSessionsByUserId(userId);
    const keeping = await ada.post("/auth/factors", { act: "keep", code: endAsked(shown), keepSessions: "on" });
    assert.equal((await read(keeping)).error, "SessionRequired", strategy);
    assert.equal(await isOnFor(site, userId), false);
    assert.deepEqual(site.mails, []);
  }
});

test("an application that is begun and added while everything is switched off does not count", async () => {
  const adapter = memoryAdapter();
  const [off, added] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const reached = { off: Promise.withResolvers<void>(), added: Promise.withResolvers<void>() };
  let waits = false;
  const gated: Adapter = {
    ...adapter,
    commit: async (plan: Plan) => {
      const { put = [], remove = [] } = plan.records ?? {};
      if (waits && remove.some(({ id }) => id.startsWith("recovery"))) {
        reached.off.resolve();
        await off.promise;
      } else if (waits && put.some(({ data }) => data.isConfirmed)) {
        reached.added.resolve();
        await added.promise;
      }
      return await adapter.commit(plan);
    },
  };
  const about = await enrolled({ adapter: gated, session: { strategy: "database" } });
  const { site, ada, userId, app } = about;
  const other = await anotherBrowser(about);
  waits = true;
  const removing = ada.post("/auth/factors", { act: "remove", id: app.id });
  await reached.off.promise;
  const { id, secret } = await beginApp(other);
  const code = await codeOf(site, secret);
  const adding = other.post("/auth/factors", { act: "confirm", id, code, keepSessions: "on" });
  await reached.added.promise;
  off.resolve();
  await removing;
  waits = false;
  added.resolve();
  await adding;
  assert.equal(await assertWhole(site, userId, "after both"), false);
});

test("of two applications that are removed at once, the second knows that it is the last", async () => {
  const storage = interrupted(memoryAdapter());
  const about = await enrolled({ adapter: storage.adapter, session: { strategy: "database" } });
  const { site, ada, userId, app } = about;
  const more = await addApp(site, ada);
  const other = await anotherBrowser(about);
  storage.before = async () => await other.post("/auth/factors", { act: "remove", id: more.id });
  await ada.post("/auth/factors", { act: "remove", id: app.id });
  assert.equal(storage.before, null);
  assert.equal(await assertWhole(site, userId, "after both"), false);
});

/** Makes storage fail at one of its writes, as if the machine had stopped there. */
function breaking(
  adapter: Adapter,
): { readonly adapter: Adapter; failAt(write: number): void; readonly writes: () => number } {
  let [left, writes] = [Infinity, 0];
  const WRITES = /^(?:commit|create|update|delete|put|remove|use|link|unlink)/;
  const wrapped = Object.fromEntries(
    Object.entries(adapter).map(([name, operation]) => {
      if (typeof operation !== "function" || !WRITES.test(name)) return [name, operation];
      return [name, async (...args: readonly unknown[]) => {
        writes++;
        if (--left < 0) throw new Error("the machine has stopped");
        return await (operation as (...args: readonly unknown[]) => unknown).apply(adapter, [...args]);
      }];
    }),
  ) as Adapter;
  return {
    adapter: wrapped,
    failAt: (write) => {
      [left, writes] = [write, 0];
    },
    writes: () => writes,
  };
}

/** Posts, whatever the answer is. */
async function attempt(visitor: Visitor, fields: Readonly<Record<string, string>>): Promise<void> {
  await visitor.post("/auth/factors", fields).catch(() => {});
}

for (const [name, make] of Object.entries({ "stored": memoryAdapter, "stored by an adapter of others": foreign })) {
  test(`switching it off that breaks off anywhere locks nobody out: ${name}`, async () => {
    for (let at = 0, isOver = false; !isOver; at++) {
      const storage = breaking(make());
      const { site, ada, userId, app } = await enrolled({
        adapter: storage.adapter,
        session: { strategy: "database" },
      });
      storage.failAt(at);
      await attempt(ada, { act: "remove", id: app.id });
      isOver = storage.writes() <= at;
      storage.failAt(Infinity);
      const isOn = await isOnFor(site, userId);
      const again = site.service.visitor();
      await byLink(site, again);
      if (isOn) await prove(site, again, app);
      assert.equal(await again.inside(), userId, `write ${at}`);
    }
  });

  test(`undoing that breaks off anywhere can be done again, or is done: ${name}`, async () => {
    for (let at = 0, isOver = false; !isOver; at++) {
      const storage = breaking(make());
      const about = await enrolled({ adapter: storage.adapter, session: { strategy: "database" } });
      const { site, ada, userId } = about;
      const more = await addApp(site, ada);
      const token = undoLink(site).searchParams.get("token") ?? "";
      const owner = site.service.visitor();
      await byLink(site, owner);
      storage.failAt(at);
      await attempt(owner, { act: "undo", token });
      isOver = storage.writes() <= at;
      storage.failAt(Infinity);
      const isLeft = async () => (await recordsOf(site, userId)).some(({ id }) => id === more.id);
      if (await isLeft()) await attempt(owner, { act: "undo", token });
      // Without transactions the link may be used up: storage that has stopped takes it back no more.
      if (name === "stored") assert.equal(await isLeft(), false, `write ${at}`);
      await assertWhole(site, userId, `write ${at}`);
    }
  });
}
