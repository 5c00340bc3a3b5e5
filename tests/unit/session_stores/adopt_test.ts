/** Sealed sessions from before: Auth.js made them, or a version that stored no rows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encode } from "@auth/core/jwt";
import { COOKIE, type Cookies, openWorld, type Process, type World } from "../../_support/processes.ts";
import { SECRET } from "../../_support/service.ts";
import { sealedIdOf } from "../../../src/session_stores/auth_session.ts";

const DAY = 24 * 3600;
const ADA = { sub: "ada", name: "ada", email: "ada@example.com" };

async function openWithAda(): Promise<World> {
  const world = openWorld();
  await world.storage.createUser({ id: "ada", email: "ada@example.com", emailVerified: null, securityStamp: "ada" });
  return world;
}

const isIn = async (process: Process, cookies: Cookies) => (await process.read(cookies))?.user?.name === "ada";

async function revoke(process: Process): Promise<void> {
  const [session] = await process.sessions.list("ada");
  assert.equal(await process.sessions.revoke(session?.id ?? ""), true);
}

test("a session of Auth.js goes on, and has a row once it is renewed", async () => {
  const world = openWorld();
  await world.storage.createUser({ id: "ada", email: "ada@example.com", emailVerified: null });
  // Auth.js reads the clock of the machine.
  world.runtime.advance((Date.now() - world.runtime.now()) / 1000);
  const cookies: Cookies = new Map([[COOKIE, await encode({ token: ADA, secret: SECRET, salt: COOKIE })]]);
  const process = world.open();
  assert.ok(await isIn(process, cookies));
  assert.deepEqual(await process.sessions.list("ada"), []);
  // A second more, because the clock of the machine has gone on between the two readings.
  world.runtime.advance(DAY + 1);
  assert.ok(await isIn(process, cookies));
  assert.equal((await process.sessions.list("ada")).length, 1);
  await revoke(process);
  assert.equal(await process.read(cookies), null);
});

test("requests at the same time, and copies of the cookie, make one row of a session from before", async () => {
  const world = await openWithAda();
  const cookies = await world.sealBefore(ADA);
  world.runtime.advance(DAY);
  const copies = Array.from({ length: 8 }, (): Cookies => new Map(cookies));
  assert.deepEqual(await Promise.all(copies.map((copy) => isIn(world.open(), copy))), copies.map(() => true));
  assert.equal((await world.storage.listSessionsByUserId("ada")).length, 1);
  await revoke(world.open());
  world.runtime.advance(60);
  for (const copy of [...copies, cookies]) assert.equal(await world.open().read(copy), null);
});

test("the old cookie of a session does not bring it back after it was ended, whatever the way", async () => {
  const ways: Readonly<Record<string, (process: Process, cookies: Cookies) => Promise<unknown>>> = {
    "revoke()": revoke,
    "revokeAll()": (process) => process.sessions.revokeAll("ada"),
    "signing out": (process, cookies) => process.signOut(new Map(cookies)),
    "signing in again": (process, cookies) => process.signIn(new Map(cookies), "ada"),
  };
  for (const [way, end] of Object.entries(ways)) {
    const world = await openWithAda();
    const old = await world.sealBefore(ADA);
    world.runtime.advance(DAY);
    const cookies: Cookies = new Map(old);
    assert.ok(await isIn(world.open(), cookies));
    await end(world.open(), cookies);
    world.runtime.advance(60);
    assert.equal(await world.open().read(new Map(cookies)), null, way);
    assert.equal(await world.open().read(new Map(old)), null, way);
    world.runtime.advance(DAY);
    assert.equal(await world.open().read(new Map(old)), null, way);
  }
});

test("signing out of a session from before that has no row yet ends copies of its cookie", async () => {
  const world = await openWithAda();
  const cookies = await world.sealBefore(ADA);
  const stolen: Cookies = new Map(cookies);
  await world.open().signOut(cookies);
  assert.equal(await world.open().read(stolen), null);
});

test("revokeAll() ends sessions from before that have no row, and none that begin afterwards", async () => {
  const world = await openWithAda();
  const cookies = await world.sealBefore({ ...ADA, auth_time: Math.floor(world.runtime.now() / 1000) });
  const [here, there] = [world.open(), world.open()];
  for (const process of [here, there]) assert.ok(await isIn(process, new Map(cookies)));
  world.runtime.advance(1);
  await here.sessions.revokeAll("ada");
  assert.equal(await here.read(new Map(cookies)), null, "at once where it was ended");
  world.runtime.advance(60);
  assert.equal(await there.read(new Map(cookies)), null);
  const next: Cookies = new Map();
  await there.signIn(next, "ada");
  assert.ok(await isIn(here, next));
  assert.ok(await isIn(here, await world.sealBefore(ADA)), "one that Auth.js began afterwards");
});

test("a session from before whose user was proven to be somebody else's ends", async () => {
  const world = await openWithAda();
  const cookies = await world.sealBefore(ADA);
  await world.storage.updateUser({ id: "ada", securityStamp: "another" });
  assert.equal(await world.open().read(cookies), null);
  assert.ok(await isIn(world.open(), await world.sealBefore({ ...ADA, security_stamp: "another" })));
});

test("a row that is made while all sessions of the user are ended does not stay", async () => {
  const world = await openWithAda();
  const cookies = await world.sealBefore(ADA);
  world.runtime.advance(DAY);
  const process = world.open({
    adapter: {
      ...world.storage,
      createSession: async (row) => {
        await world.open().sessions.revokeAll("ada");
        return await world.storage.createSession(row);
      },
    },
  });
  assert.equal(await process.read(cookies), null);
  assert.deepEqual(await process.sessions.list("ada"), []);
});

test("a session whose user storage does not know goes on, also where ids that it does not know are an error", async () => {
  const world = await openWithAda();
  const getUser = (id: string) => id === "42" ? Promise.reject(new Error("invalid uuid")) : world.storage.getUser(id);
  for (const adapter of [world.storage, { ...world.storage, getUser }]) {
    const cookies = await world.sealBefore({ ...ADA, sub: "42" });
    world.runtime.advance(2 * DAY);
    const process = world.open({ adapter });
    assert.ok(await isIn(process, cookies));
    assert.deepEqual(process.errors, []);
  }
  const broken = { ...world.storage, getUser, getSessionAndUser: () => Promise.reject(new Error("no connection")) };
  const process = world.open({ adapter: broken });
  assert.equal((await process.send(await world.sealBefore({ ...ADA, sub: "42" }), "/auth/session")).status, 503);
});

test("a token whose id is not its own makes no row, and opens no session of somebody else", async () => {
  const world = await openWithAda();
  await world.storage.createUser({ id: "bob", email: "bob@example.com", emailVerified: null });
  const [cookies] = [await world.sealBefore(ADA)];
  const { jti } = await world.claimsOf(cookies) ?? {};
  await world.storage.createSession({ sessionToken: `sealed:~${jti}`, userId: "bob", expires: new Date(2e13) });
  world.runtime.advance(DAY);
  assert.ok(await isIn(world.open(), cookies));
  assert.equal(sealedIdOf(await world.claimsOf(cookies) ?? {}), null);
});

test("a session that Auth.js renewed meanwhile goes on as long as its row, which is extended at the next read", async () => {
  const world = await openWithAda();
  const cookies: Cookies = new Map();
  await world.open().signIn(cookies, "ada");
  world.runtime.advance(29 * DAY);
  // As Auth.js does: all claims, sealed again.
  const renewed = await world.sealBefore(await world.claimsOf(cookies) ?? {});
  assert.ok(await isIn(world.open(), renewed));
  world.runtime.advance(29 * DAY);
  assert.ok(await isIn(world.open(), renewed));
});
