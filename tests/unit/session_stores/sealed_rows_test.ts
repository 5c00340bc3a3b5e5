/** Sealed sessions that can be ended: the row of a session decides whether it goes on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CompleteAdapter } from "../../../src/contract/adapter.ts";
import { type Cookies, openWorld, type World } from "../../_support/processes.ts";

const DAY = 24 * 3600;

async function openWithAda(): Promise<World> {
  const world = openWorld();
  await world.storage.createUser({ id: "ada", email: "ada@example.com", emailVerified: null });
  return world;
}

const nameIn = (session: { readonly user?: { readonly name?: string | null | undefined } | undefined } | null) =>
  session?.user?.name ?? null;

test("a sealed session has a row that no cookie can be, and its user is in the list", async () => {
  const world = await openWithAda();
  const process = world.open();
  const cookies: Cookies = new Map();
  await process.signIn(cookies, "ada");
  const [row, ...others] = await world.storage.listSessionsByUserId("ada");
  assert.deepEqual(others, []);
  assert.match(row?.sessionToken ?? "", /^sealed:[0-9a-f-]{36}$/);
  assert.equal(row?.provider, "credentials");
  const stored = world.open({ session: { strategy: "database" } });
  assert.equal(await stored.read(new Map([["authjs.session-token", row?.sessionToken ?? ""]])), null);
  const [listed] = await process.sessions.list("ada");
  assert.equal(listed?.provider, "credentials");
  assert.deepEqual(listed?.signedInAt, new Date(world.runtime.now()));
  assert.ok(!JSON.stringify(listed).includes(row?.sessionToken.slice(7) ?? "?"));
});

test("within the bound a session is read without storage and without a timer, and after it with one look-up", async () => {
  const world = await openWithAda();
  const [one, other] = [world.open(), world.open()];
  const cookies: Cookies = new Map();
  await one.signIn(cookies, "ada");
  for (const process of [one, other]) process.calls.length = 0;
  world.runtime.advance(59);
  for (const process of [one, other]) {
    assert.equal(nameIn(await process.read(cookies)), "ada");
    assert.deepEqual(process.calls, []);
  }
  world.runtime.advance(1);
  await Promise.all(Array.from({ length: 20 }, () => other.read(cookies)));
  assert.deepEqual(other.calls, ["getSessionAndUser"]);
  world.runtime.advance(59);
  await other.read(cookies);
  assert.deepEqual(other.calls, ["getSessionAndUser"]);
  assert.equal(world.runtime.timers(), 0);
});

test("a session that was ended goes on elsewhere for as long as the bound, and here not at all", async () => {
  for (const revalidate of [1, 60, 3600]) {
    const world = await openWithAda();
    const [here, there] = [world.open({ session: { revalidate } }), world.open({ session: { revalidate } })];
    const cookies: Cookies = new Map();
    await here.signIn(cookies, "ada");
    const [session] = await here.sessions.list("ada");
    assert.equal(await here.sessions.revoke(session?.id ?? ""), true);
    assert.equal(await here.sessions.revoke(session?.id ?? ""), false);
    assert.equal(await here.read(new Map(cookies)), null);
    world.runtime.advance(revalidate - 0.001);
    assert.equal(nameIn(await there.read(new Map(cookies))), "ada", "so long the token counts");
    world.runtime.advance(0.001);
    assert.equal(await there.read(cookies), null);
    assert.deepEqual([...cookies], [], "the cookie is removed");
    assert.deepEqual(await there.sessions.list("ada"), []);
  }
});

test("without `session.revalidate` a sealed session has no row, and needs no storage", async () => {
  for (const revalidate of [false, 0] as const) {
    const world = await openWithAda();
    const process = world.open({ session: { revalidate } });
    const cookies: Cookies = new Map();
    await process.signIn(cookies, "ada");
    world.runtime.advance(2 * DAY);
    assert.equal(nameIn(await process.read(cookies)), "ada");
    assert.deepEqual(process.calls, []);
    await assert.rejects(process.sessions.list("ada"), { name: "MissingAdapter", message: /session\.revalidate/ });
  }
});

test("an adapter that cannot end sessions is used as before, and refused where it is told to", async () => {
  const world = await openWithAda();
  const { commit: _, ...lacking } = world.storage;
  const process = world.open({ adapter: lacking });
  const cookies: Cookies = new Map();
  await process.signIn(cookies, "ada");
  assert.equal((await world.claimsOf(cookies))?.auth_session, undefined);
  assert.deepEqual(await world.storage.listSessionsByUserId("ada"), []);
  const told = world.open({ adapter: lacking, session: { revalidate: 60 } });
  await told.send(new Map(), "/auth/session");
  assert.match(told.errors[0]?.message ?? "", /`session\.revalidate`: the adapter lacks commit/);
});

test("a renewal extends the row, and cannot bring back a session that was ended while it ran", async () => {
  const world = await openWithAda();
  const cookies: Cookies = new Map();
  await world.open().signIn(cookies, "ada");
  const [before] = await world.storage.listSessionsByUserId("ada");
  world.runtime.advance(DAY);
  const renewed: Cookies = new Map(cookies);
  await world.open().read(renewed);
  assert.notEqual(renewed.get("authjs.session-token"), cookies.get("authjs.session-token"));
  const [after] = await world.storage.listSessionsByUserId("ada");
  assert.equal(after?.sessionToken, before?.sessionToken);
  assert.equal((after?.expires.getTime() ?? 0) - (before?.expires.getTime() ?? 0), DAY * 1000);

  world.runtime.advance(DAY);
  const racing: CompleteAdapter = {
    ...world.storage,
    updateSession: async (changes) => {
      await world.open().sessions.revokeAll("ada");
      return await world.storage.updateSession(changes);
    },
  };
  const process = world.open({ adapter: racing });
  assert.equal(await process.read(renewed), null);
  assert.deepEqual([...renewed], []);
  assert.deepEqual(await world.storage.listSessionsByUserId("ada"), []);
});

test("a session lives as long as its token, also if that was sealed again without the row", async () => {
  const world = await openWithAda();
  let name = "ada";
  const process = world.open({ callbacks: { jwt: ({ token }) => ({ ...token, name }) } });
  const cookies: Cookies = new Map();
  await process.signIn(cookies, "ada");
  world.runtime.advance(0.9 * DAY);
  name = "Ada";
  process.calls.length = 0;
  await process.read(cookies);
  assert.deepEqual(process.calls, ["getSessionAndUser"], "a row is extended once a day");
  world.runtime.advance(29.9 * DAY);
  assert.equal(nameIn(await world.open().read(cookies)), "Ada");
});

test("a look-up that runs while all sessions are ended lets nobody in afterwards", async () => {
  const world = await openWithAda();
  const cookies: Cookies = new Map();
  await world.open().signIn(cookies, "ada");
  const deleteSessionsByUserId = async (userId: string) => {
    world.runtime.advance(1);
    assert.equal(nameIn(await process.read(new Map(cookies))), "ada");
    await world.storage.deleteSessionsByUserId(userId);
  };
  const process = world.open({ adapter: { ...world.storage, deleteSessionsByUserId } });
  await process.sessions.revokeAll("ada");
  assert.equal(await process.read(cookies), null);
});

test("signing out ends the session for copies of its cookie, and removes the row", async () => {
  const world = await openWithAda();
  const process = world.open();
  const cookies: Cookies = new Map();
  await process.signIn(cookies, "ada");
  const stolen: Cookies = new Map(cookies);
  await process.signOut(cookies);
  assert.deepEqual(await world.storage.listSessionsByUserId("ada"), []);
  assert.equal(await process.read(stolen), null);
});

test("signing in again ends the session before", async () => {
  const world = await openWithAda();
  const process = world.open();
  const cookies: Cookies = new Map();
  await process.signIn(cookies, "ada");
  const former: Cookies = new Map(cookies);
  await process.signIn(cookies, "ada");
  assert.equal((await process.sessions.list("ada")).length, 1);
  assert.equal(await process.read(former), null);
  assert.equal(nameIn(await process.read(cookies)), "ada");
});

test("a user who was deleted is out after the bound", async () => {
  const world = await openWithAda();
  const process = world.open();
  const cookies: Cookies = new Map();
  await process.signIn(cookies, "ada");
  await world.storage.deleteUser("ada");
  world.runtime.advance(60);
  assert.equal(await process.read(cookies), null);
});

test("the claim survives a jwt callback that forgets it, and one that takes another from the client", async () => {
  const world = await openWithAda();
  for (const claims of [{}, { auth_session: "00000000-0000-4000-8000-000000000000.9999999999" }]) {
    const process = world.open({ callbacks: { jwt: ({ token: { sub, name } }) => ({ sub, name, ...claims }) } });
    const cookies: Cookies = new Map();
    await process.signIn(cookies, "ada");
    await process.read(cookies);
    const [, id] = /^sealed:(.*)$/.exec((await world.storage.listSessionsByUserId("ada"))[0]?.sessionToken ?? "") ?? [];
    assert.equal(String((await world.claimsOf(cookies))?.auth_session).split(".")[0], id);
    await process.sessions.revokeAll("ada");
    assert.equal(await process.read(cookies), null);
  }
});

test("a jwt callback that ends the session ends its row, and one that fails at the sign-in leaves none", async () => {
  const world = await openWithAda();
  let isOver = false;
  const ending = world.open({ callbacks: { jwt: ({ token }) => isOver ? null : token } });
  const cookies: Cookies = new Map();
  await ending.signIn(cookies, "ada");
  const stolen: Cookies = new Map(cookies);
  isOver = true;
  assert.equal(await ending.read(cookies), null);
  isOver = false;
  assert.equal(await ending.read(stolen), null);
  assert.deepEqual(await world.storage.listSessionsByUserId("ada"), []);
});

test("storage that fails or hangs means that nobody knows whether there is a session, and the cookie stays", async () => {
  const world = await openWithAda();
  const cookies: Cookies = new Map();
  await world.open().signIn(cookies, "ada");
  world.runtime.advance(60);
  const answers = {
    fails: () => Promise.reject(new Error("no connection")),
    hangs: () => new Promise<never>(() => {}),
  };
  for (const [how, getSessionAndUser] of Object.entries(answers)) {
    const process = world.open({ adapter: { ...world.storage, getSessionAndUser }, timeouts: { total: 0.05 } });
    const answer = await process.send(cookies, "/auth/session");
    assert.equal(answer.status, 503, how);
    assert.equal(world.runtime.timers(), 0, how);
    assert.equal(cookies.size, 1, how);
    assert.equal(await process.auth(process.requestOf(cookies)), null, how);
  }
});

test("a renewal that storage refuses is tried again, and the session goes on", async () => {
  const world = await openWithAda();
  const cookies: Cookies = new Map();
  await world.open().signIn(cookies, "ada");
  const before = cookies.get("authjs.session-token");
  world.runtime.advance(DAY);
  const updateSession = () => Promise.reject(new Error("read only"));
  const process = world.open({ adapter: { ...world.storage, updateSession } });
  assert.equal(nameIn(await process.read(cookies)), "ada");
  assert.equal(cookies.get("authjs.session-token"), before);
  assert.equal(nameIn(await world.open().read(cookies)), "ada");
  assert.notEqual(cookies.get("authjs.session-token"), before);
});

test("a clock that was ahead when a session was sealed does not lengthen the bound", async () => {
  const world = await openWithAda();
  const cookies: Cookies = new Map();
  world.runtime.advance(DAY);
  await world.open().signIn(cookies, "ada");
  world.runtime.advance(-DAY);
  const process = world.open();
  await process.read(cookies);
  assert.ok(process.calls.includes("getSessionAndUser"));
});

test("somebody who is not in storage keeps a sealed session that nobody can list", async () => {
  const world = openWorld();
  const process = world.open();
  const cookies: Cookies = new Map();
  await process.signIn(cookies, "eve");
  world.runtime.advance(2 * DAY);
  assert.equal(nameIn(await process.read(cookies)), "eve");
  world.runtime.advance(2 * DAY);
  assert.equal(nameIn(await process.read(cookies)), "eve");
  assert.deepEqual(await process.sessions.list("eve"), []);
  assert.deepEqual(process.errors, []);
});
