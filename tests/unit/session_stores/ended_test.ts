/** Sealed sessions without a row, made by Auth.js or by an older version: what has ended stays ended. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CompleteAdapter } from "@x/auth";
import { github } from "@x/auth/providers/github";
import { RevocationCache } from "../../../src/storage/revocation_cache.ts";
import { endKeyOf } from "../../../src/contract/ended.ts";
import { type Cookies, openWorld, type Process, type World } from "../../_support/processes.ts";

const BOUND = 60;
const ADA = { sub: "ada", name: "ada" };
const USER = { id: "ada", email: "ada@example.com", emailVerified: null };

/** A service whose users are all stored, and one that lets in others. */
const SERVICES = { "OAuth": { providers: [github({ clientId: "id", clientSecret: "s" })] }, "credentials": {} };

const isIn = async (process: Process, cookies: Cookies) => (await process.read(new Map(cookies)))?.user?.name === "ada";

/** Two processes that have read the session a moment ago. */
async function openBoth(world: World, service: keyof typeof SERVICES, cookies: Cookies): Promise<readonly Process[]> {
  const processes = [world.open(SERVICES[service]), world.open(SERVICES[service])];
  for (const process of processes) assert.ok(await isIn(process, cookies), service);
  return processes;
}

for (const service of ["OAuth", "credentials"] as const) {
  test(`a user who was deleted is out with a cookie of Auth.js, in every process, and stays out (${service})`, async () => {
    const world = openWorld();
    await world.storage.createUser(USER);
    const cookies = await world.sealBefore(ADA);
    world.runtime.advance(1);
    const processes = await openBoth(world, service, cookies);
    await world.storage.deleteUser("ada");
    world.runtime.advance(BOUND);
    for (const process of processes) assert.equal(await process.read(new Map(cookies)), null);
    // The id follows from the account, so the next sign-in stores the same one.
    await world.storage.createUser(USER);
    for (const process of [...processes, world.open(SERVICES[service])]) assert.ok(!await isIn(process, cookies));
    assert.ok(await isIn(world.open(), await world.sealBefore(ADA)), "a cookie that Auth.js makes afterwards");
  });
}

test("a user who was deleted by other software is out, unless somebody may be signed in who was never stored", async () => {
  for (const [service, stays] of [["OAuth", false], ["credentials", true]] as const) {
    const world = openWorld();
    await world.storage.createUser(USER);
    const cookies = await world.sealBefore(ADA);
    const processes = await openBoth(world, service, cookies);
    await world.storage.deleteUser("ada");
    await world.storage.useVerificationToken(endKeyOf("ada"));
    world.runtime.advance(BOUND);
    for (const process of processes) assert.equal(await isIn(process, cookies), stays, service);
  }
});

test("revokeAll() ends the sessions of somebody who is not stored, in every process, and none that begin later", async () => {
  const world = openWorld();
  const cookies: Cookies = new Map();
  await world.open().signIn(cookies, "ada");
  const before = await world.sealBefore(ADA);
  const [here, there] = await openBoth(world, "credentials", cookies);
  assert.ok(here && there);
  world.runtime.advance(1);
  assert.equal(await here.sessions.revokeAll("ada"), 0);
  for (const each of [cookies, before]) assert.ok(!await isIn(here, each), "at once where it was ended");
  world.runtime.advance(BOUND);
  for (const each of [cookies, before]) assert.ok(!await isIn(there, each));
  const next: Cookies = new Map();
  await there.signIn(next, "ada");
  assert.ok(await isIn(here, next));
  const other: Cookies = new Map();
  await there.signIn(other, "bob");
  assert.equal((await here.read(other))?.user?.name, "bob");
});

test("a session that is sealed again while storage is down does not outlive the end of all", async () => {
  for (const claims of [ADA, { ...ADA, jti: undefined }]) {
    const world = openWorld();
    await world.storage.createUser(USER);
    const cookies = await world.sealBefore(claims);
    let isDown = false;
    const broken = Object.fromEntries(
      Object.entries(world.storage).map(([name, operation]) => [name, (...args: never) => {
        if (isDown) throw new Error("down");
        return (operation as (...args: never) => unknown)(...args);
      }]),
    ) as unknown as CompleteAdapter;
    let reads = 0;
    const process = world.open({ adapter: broken, callbacks: { jwt: ({ token }) => ({ ...token, reads: reads++ }) } });
    assert.ok(await process.read(new Map(cookies)));
    world.runtime.advance(10);
    await world.open().sessions.revokeAll("ada");
    world.runtime.advance(10);
    isDown = true;
    assert.ok(await process.read(cookies), "the bound");
    assert.equal(process.errors.length, 1);
    isDown = false;
    world.runtime.advance(BOUND);
    for (const each of [process, world.open()]) assert.equal(await each.read(new Map(cookies)), null);
  }
});

test("a renewal that storage answers late does not outlive the end of all", async () => {
  const world = openWorld();
  const cookies = await world.sealBefore(ADA);
  let late: (() => Promise<void>) | null = null;
  const getVerificationToken: CompleteAdapter["getVerificationToken"] = async (key) => {
    const found = await world.storage.getVerificationToken(key);
    await late?.();
    return found;
  };
  const process = world.open({ adapter: { ...world.storage, getVerificationToken } });
  world.runtime.advance(24 * 3600);
  late = async () => {
    late = null;
    await world.open().sessions.revokeAll("ada");
    world.runtime.advance(2);
  };
  await process.read(cookies);
  world.runtime.advance(BOUND);
  assert.equal(await world.open().read(cookies), null);
});

test("a session that was renewed without a row keeps the id under which it is ended", async () => {
  const world = openWorld();
  const old = await world.sealBefore(ADA);
  const cookies: Cookies = new Map(old);
  const process = world.open();
  world.runtime.advance(24 * 3600);
  assert.ok(await process.read(cookies));
  // Only now the user is stored.
  await world.storage.createUser(USER);
  world.runtime.advance(24 * 3600);
  await process.signOut(new Map(cookies));
  for (const each of [cookies, old]) assert.equal(await world.open().read(new Map(each)), null);
});

test("storage that fails while the user is looked up ends nobody's session", async () => {
  const world = openWorld();
  await world.storage.createUser(USER);
  const cookies = await world.sealBefore(ADA);
  const fails = new Set<string>();
  const adapter: CompleteAdapter = {
    ...world.storage,
    getUser: (id) => fails.has("getUser") ? Promise.reject(new Error("down")) : world.storage.getUser(id),
    getVerificationToken: (key) => {
      if (fails.has("getVerificationToken")) throw new Error("down");
      return world.storage.getVerificationToken(key);
    },
  };
  const process = world.open({ ...SERVICES.OAuth, adapter });
  for (const name of ["getUser", "getVerificationToken"]) {
    fails.add(name);
    await process.send(new Map(cookies), "/auth/session");
    fails.clear();
    assert.ok(await isIn(process, cookies), name);
    world.runtime.advance(BOUND);
  }
});

test("an update of a session that another process has ended changes nothing, also within the bound", async () => {
  for (const isOld of [false, true]) {
    const world = openWorld();
    await world.storage.createUser(USER);
    const cookies: Cookies = isOld ? await world.sealBefore(ADA) : new Map();
    if (!isOld) await world.open().signIn(cookies, "ada");
    const process = world.open({ callbacks: { jwt: ({ token, trigger }) => ({ ...token, trigger }) } });
    assert.ok(await isIn(process, cookies));
    world.runtime.advance(1);
    await world.open().sessions.revokeAll("ada");
    const copy: Cookies = new Map(cookies);
    const response = await process.send(copy, "/auth/session", { data: "{}" });
    assert.deepEqual([response.status, await response.json()], [200, null]);
    assert.equal(await process.read(new Map(cookies)), null, "now this process knows");
  }
});

test("a callback that takes claims from the client does not let it say when the session began", async () => {
  for (const beginning of ["here", "in Auth.js"]) {
    const world = openWorld();
    const later = Math.floor(world.runtime.now() / 1000) + 9e6;
    const lie = { auth_time: later, iat: later, jti: crypto.randomUUID(), auth_session: `?.${later}` };
    const process = world.open({
      // As `{ ...token, ...session }` does, with what the client sent.
      callbacks: { jwt: ({ token, trigger }) => trigger === "update" ? { ...token, ...lie } : token },
    });
    const cookies: Cookies = beginning === "here" ? new Map() : await world.sealBefore(ADA);
    if (beginning === "here") await process.signIn(cookies, "ada");
    for (let time = 0; time < 2; time++) await process.send(cookies, "/auth/session", { data: "{}" });
    assert.ok(await isIn(process, cookies), beginning);
    world.runtime.advance(1);
    await process.sessions.revokeAll("ada");
    assert.ok(!await isIn(world.open(), cookies), beginning);
  }
});

test("what a process has ended stays ended in it, however much it ends afterwards", () => {
  const cache = new RevocationCache();
  const MANY = 12_000;
  cache.noteFound("first", 100);
  cache.noteEnded("first", "ada", 200);
  for (let at = 0; at < MANY; at++) cache.noteEnded(`other ${at}`, `user ${at}`, 300);
  const counts = () => (cache.lastFound("first") ?? -1) > cache.validAfter("ada");
  // The cookie itself says that storage had the session a moment before.
  assert.ok(cache.lastFound("first") === null || cache.validAfter("ada") >= 200);
  cache.noteFound("first", 150);
  assert.ok(!counts());
  for (let at = 0; at < MANY; at++) cache.invalidateBefore(`user ${at}`, 400);
  assert.ok(cache.lastFound("first") === null || cache.validAfter("ada") >= 200, "also for users");
  assert.ok(!counts());
  assert.equal(cache.lastFound(`other ${MANY - 1}`), null);
});
