/** `auth.sessions`, and sessions that a provider ends: stored and sealed ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CompleteAdapter, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { type Cookies, HOME, openWorld, type Process, type World } from "../../_support/processes.ts";
import { testConfig } from "../../_support/service.ts";

const STRATEGIES = ["database", "jwt"] as const;

interface Scene {
  readonly world: World;
  readonly process: Process;
  /** Signs in on another device. */
  device(user?: string): Promise<Cookies>;
  isIn(cookies: Cookies): Promise<boolean>;
}

async function open(strategy: "database" | "jwt"): Promise<Scene> {
  const world = openWorld();
  const process = world.open({ session: { strategy } });
  // Stored users of credentials are made at the first sign-in.
  if (strategy === "jwt") {
    for (const id of ["ada", "bob"]) {
      await world.storage.createUser({ id, email: `${id}@example.com`, emailVerified: null });
    }
  }
  return {
    world,
    process,
    async device(user = "ada") {
      const cookies: Cookies = new Map();
      await process.signIn(cookies, user);
      return cookies;
    },
    isIn: async (cookies) => (await process.read(new Map(cookies))) !== null,
  };
}

for (const strategy of STRATEGIES) {
  test(`a page lists the sessions of who is signed in, and ends one of them (${strategy})`, async () => {
    const { world, process, device, isIn } = await open(strategy);
    const phone = await device();
    world.runtime.advance(5);
    const laptop = await device();
    const listed = await process.sessions.list(process.requestOf(laptop));
    assert.deepEqual(listed.map(({ isCurrent }) => isCurrent), [true, false]);
    assert.deepEqual(listed.map(({ provider }) => provider), ["credentials", "credentials"]);
    assert.equal(JSON.stringify(listed).includes(laptop.get("authjs.session-token") ?? ""), false);
    const [, other] = listed;
    assert.equal(await process.sessions.revoke(other?.id ?? "", { request: process.requestOf(laptop) }), true);
    assert.deepEqual([await isIn(phone), await isIn(laptop)], [false, true]);
    assert.equal((await process.sessions.list("ada")).length, 1);
    assert.equal((await process.sessions.list("ada"))[0]?.isCurrent, undefined);
  });

  test(`nobody ends the session of somebody else by its id, nor with a request of another site (${strategy})`, async () => {
    const { process, device, isIn } = await open(strategy);
    const [ada, bob] = [await device("ada"), await device("bob")];
    const [session] = await process.sessions.list("ada");
    const id = session?.id ?? "";
    const { revoke } = process.sessions;
    assert.equal(await revoke(id, { request: process.requestOf(bob) }), false);
    assert.equal(await revoke(id, { request: process.requestOf(new Map()) }), false);
    assert.equal(await revoke(id, { request: process.requestOf(ada), userId: "bob" }), false);
    assert.equal(await revoke(id, { userId: "bob" }), false);
    for (const wrong of ["", "x", id.slice(0, -1), `${id}A`, id.replace(/^./, (c) => c === "0" ? "1" : "0"), ".."]) {
      assert.equal(await revoke(wrong), false, wrong);
    }
    const foreign = new Request(`${HOME}/settings`, {
      method: "POST",
      headers: { cookie: [...ada].map((pair) => pair.join("=")).join("; "), origin: "https://evil.test" },
    });
    await assert.rejects(revoke(id, { request: foreign }), { name: "MissingCSRF" });
    await assert.rejects(process.sessions.revokeOthers(foreign), { name: "MissingCSRF" });
    await assert.rejects(process.sessions.revokeAll(foreign), { name: "MissingCSRF" });
    assert.ok(await isIn(ada));
    assert.equal(await revoke(id, { userId: "ada" }), true);
    assert.equal(await isIn(ada), false);
  });

  test(`revokeOthers() ends all sessions but that of the request, and revokeAll() ends all (${strategy})`, async () => {
    const { process, device, isIn } = await open(strategy);
    const devices = [await device(), await device(), await device()];
    const bob = await device("bob");
    const [mine = new Map()] = devices;
    assert.equal(await process.sessions.revokeOthers(process.requestOf(mine)), 2);
    assert.deepEqual(await Promise.all(devices.map(isIn)), [true, false, false]);
    assert.equal(await process.sessions.revokeAll(process.requestOf(mine)), 1);
    assert.equal(await isIn(mine), false);
    assert.equal(await process.sessions.revokeAll("bob"), 1);
    assert.equal(await isIn(bob), false);
    assert.equal(await process.sessions.revokeAll("nobody"), 0);
    assert.equal(await process.sessions.revokeOthers(process.requestOf(mine)), 0);
    assert.deepEqual(await process.sessions.list(process.requestOf(mine)), []);
  });

  test(`a provider ends the session of its \`sid\`, or all that began with an account (${strategy})`, async () => {
    const { world, process, device, isIn } = await open(strategy);
    const devices = [await device(), await device(), await device()];
    const rows = await world.storage.listSessionsByUserId("ada");
    await world.storage.linkAccount({ provider: "idp", providerAccountId: "a", type: "oidc", userId: "ada" });
    const [one, two] = rows;
    await world.storage.updateSession({ sessionToken: one?.sessionToken ?? "", provider: "idp", providerSid: "s" });
    await world.storage.updateSession({ sessionToken: two?.sessionToken ?? "", provider: "idp", providerSid: "t" });
    assert.equal(await process.endSessions({ provider: "other", sid: "s" }), 0);
    assert.equal(await process.endSessions({ provider: "idp", sid: "s" }), 1);
    assert.deepEqual((await Promise.all(devices.map(isIn))).filter(Boolean).length, 2);
    assert.equal(await process.endSessions({ provider: "idp", sub: "nobody" }), 0);
    assert.equal(await process.endSessions({ provider: "idp", sub: "a" }), 1);
    assert.deepEqual((await Promise.all(devices.map(isIn))).filter(Boolean).length, 1, "one began elsewhere");
  });
}

test("revokeOthers() of a session from before keeps that session, and ends others from before", async () => {
  const { world, process, isIn } = await open("jwt");
  const claims = { sub: "ada", name: "ada" };
  const [mine, other] = [await world.sealBefore(claims), await world.sealBefore(claims)];
  assert.ok(await isIn(other));
  await process.sessions.revokeOthers(process.requestOf(mine));
  assert.deepEqual([await isIn(mine), await isIn(other)], [true, false]);
});

test("a sealed session that was ended elsewhere ends no others, also within the bound", async () => {
  const { world, process, device, isIn } = await open("jwt");
  const [stolen, mine] = [await device(), await device()];
  const other = world.open();
  await other.sessions.revokeOthers(other.requestOf(mine));
  assert.ok(await isIn(stolen), "the bound");
  assert.equal(await process.sessions.revokeOthers(process.requestOf(stolen)), 0);
  assert.equal(await process.sessions.revokeAll(process.requestOf(stolen)), 0);
  assert.deepEqual(await process.sessions.list(process.requestOf(stolen)), []);
  assert.ok(await isIn(mine));
});

test("an id that a page showed before the secret was changed still ends its session", async () => {
  const { world, process, device, isIn } = await open("jwt");
  const cookies = await device();
  const [session] = await process.sessions.list("ada");
  const [newer] = ["another secret of at least 32 characters"];
  const rotated = world.open({ secret: [newer ?? "", "a secret for tests, longer than 32 characters"] });
  assert.notEqual((await rotated.sessions.list("ada"))[0]?.id, session?.id);
  assert.equal(await rotated.sessions.revoke(session?.id ?? ""), true);
  world.runtime.advance(60);
  assert.equal(await isIn(cookies), false);
});

test("without storage that knows sessions, the error says what is missing", async () => {
  const none = createAuth(testConfig());
  await assert.rejects(none.sessions.list("ada"), { name: "MissingAdapter", message: /adapter/ });
  const { listSessionsByUserId: _, ...lacking } = memoryAdapter();
  const some = createAuth(testConfig({ adapter: lacking }));
  await assert.rejects(some.sessions.revokeAll("ada"), {
    name: "MissingAdapterMethods",
    message: /listSessionsByUserId/,
  });
  const chosen = createAuth(() => testConfig({ adapter: memoryAdapter() }));
  await assert.rejects(chosen.sessions.list("ada"), { name: "InvalidConfig", message: /Pass a request/ });
  assert.deepEqual(await chosen.sessions.list(new Request(HOME)), []);
});

/** Sessions of somebody whose devices were never signed out. */
const MANY = 5000;

/** Storage that answers each operation after 2 ms, as over a network, and counts those that run at the same time. */
function slow(adapter: CompleteAdapter): CompleteAdapter & { most(): number } {
  let [running, most] = [0, 0];
  const operations = Object.entries(adapter).map(([name, operation]) => [name, async (...args: never) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 2));
    running--;
    return await (operation as (...args: never) => unknown)(...args);
  }]);
  return { ...Object.fromEntries(operations) as CompleteAdapter, most: () => most };
}

for (const strategy of STRATEGIES) {
  for (const lacks of [undefined, "deleteOtherSessions"] as const) {
    const how = lacks ? `without ${lacks}` : "in one statement";
    test(`revokeOthers() and revokeAll() end thousands of sessions at once, ${how} (${strategy})`, async () => {
      for (const end of ["revokeOthers", "revokeAll"] as const) {
        const { world } = await open(strategy);
        const adapter = slow(lacks ? withoutOthers(world.storage) : world.storage);
        const process = world.open({ session: { strategy }, adapter });
        const cookies: Cookies = new Map();
        await process.signIn(cookies, "ada");
        // As long as nobody has proven the address, only what was listed is ended, row by row.
        if (!lacks) await world.storage.updateUser({ id: await ownerOf(world), emailVerified: new Date(0) });
        const [first] = await world.storage.listSessionsByUserId(await ownerOf(world));
        assert.ok(first);
        const prefix = strategy === "jwt" ? "sealed:" : "";
        for (let at = 0; at < MANY; at++) {
          await world.storage.createSession({ ...first, sessionToken: `${prefix}${crypto.randomUUID()}` });
        }
        const before = process.calls.length;
        const ended = await process.sessions[end](process.requestOf(cookies));
        assert.equal(ended, end === "revokeAll" ? MANY + 1 : MANY);
        const left = end === "revokeAll" ? 0 : 1;
        assert.equal((await world.storage.listSessionsByUserId(first.userId)).length, left);
        assert.equal(await process.read(new Map(cookies)) !== null, left === 1);
        if (!lacks) assert.ok(process.calls.length - before < 10, process.calls.slice(before).join(" "));
        // 5,000 at 2 ms, one after the other, would take 10 s.
        assert.ok(adapter.most() <= 32, "no flood");
        if (lacks && end === "revokeOthers") assert.ok(adapter.most() > 24, String(adapter.most()));
      }
    });
  }
}

function withoutOthers({ deleteOtherSessions: _, ...others }: CompleteAdapter): CompleteAdapter {
  return others as CompleteAdapter;
}

async function ownerOf({ storage }: World): Promise<string> {
  const user = await storage.getUser("ada") ?? await storage.getUserByEmail("ada@example.com");
  return user?.id ?? "";
}

test("a removal that fails among many is an error, and begins no others", async () => {
  const { world } = await open("database");
  let calls = 0;
  const deleteSession: CompleteAdapter["deleteSession"] = async (token) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (++calls === 40) throw new Error("no connection");
    return await world.storage.deleteSession(token);
  };
  const adapter = withoutOthers({ ...world.storage, deleteSession });
  const process = world.open({ session: { strategy: "database" }, adapter });
  const cookies: Cookies = new Map();
  await process.signIn(cookies, "ada");
  const [first] = await world.storage.listSessionsByUserId(await ownerOf(world));
  assert.ok(first);
  for (let at = 0; at < 500; at++) {
    await world.storage.createSession({ ...first, sessionToken: crypto.randomUUID() });
  }
  await assert.rejects(process.sessions.revokeOthers(process.requestOf(cookies)), { name: "AdapterError" });
  assert.ok(calls < 40 + 32, String(calls));
});
