/** Sessions that are kept in storage: how long they live, who is told what, and that nothing revives them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AdapterSession, AuthConfig } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { createEngine } from "../../../src/service/engine.ts";
import { authFunction } from "../../../src/service/guard.ts";
import { respond } from "../../../src/service/respond.ts";
import { Browser } from "../../_support/browser.ts";
import { readSetCookie } from "../../_support/cookie_jar.ts";
import { type TestRuntime, testRuntime } from "../../_support/runtime.ts";
import { ADA, type Log, password, recordLog, testConfig } from "../../_support/service.ts";

const COOKIE = "authjs.session-token";
const TOKEN = "token-of-grace";
const GRACE = { id: "u1", name: "Grace", email: "grace@example.com", emailVerified: null };

/** Seconds: a session lives for 1000, and is renewed when 100 have passed. */
const MAX_AGE = 1000;
const UPDATE_AGE = 100;

interface World {
  readonly runtime: TestRuntime;
  readonly adapter: ReturnType<typeof memoryAdapter>;
  readonly engine: ReturnType<typeof createEngine>;
  readonly log: Log;
  /** The names of the operations that were called. */
  readonly calls: string[];
  /** Makes a session that ends in some seconds. */
  seed(left?: number): Promise<AdapterSession>;
  /** What a browser with a session is told, and the cookies it is to set. */
  read(path?: string, init?: { cookie?: string; method?: string }): Promise<Told>;
  row(): Promise<AdapterSession | undefined>;
  visitor(): Browser;
}

interface Told {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  /** Cookies: name to value and end; removed ones to `null`. */
  readonly cookies: Readonly<Record<string, { value: string; expires: string } | null>>;
}

async function open(config: AuthConfig = {}, change: (adapter: Adapter) => Adapter = () => ({})): Promise<World> {
  const runtime = testRuntime();
  const adapter = memoryAdapter({ now: runtime.now });
  const calls: string[] = [];
  const log = recordLog();
  const offered: Adapter = { ...adapter, ...change(adapter) };
  const watched = Object.fromEntries(
    Object.entries(offered).map(([name, operation]) => [name, (...args: never[]) => {
      calls.push(name);
      return (operation as (...args: never[]) => unknown)(...args);
    }]),
  );
  const session = { maxAge: MAX_AGE, updateAge: UPDATE_AGE, ...config.session };
  const engine = createEngine(testConfig({ logger: log.logger, ...config, session, adapter: watched }), runtime);
  const handler = async (request: Request) => await respond(await engine.run(request));
  await adapter.createUser(GRACE);
  return {
    runtime,
    adapter,
    engine,
    log,
    calls,
    async seed(left = MAX_AGE) {
      const expires = new Date(runtime.now() + left * 1000);
      return await adapter.createSession({ sessionToken: TOKEN, userId: GRACE.id, expires });
    },
    async read(path = "/auth/session", { cookie = `${COOKIE}=${TOKEN}`, method = "GET" } = {}) {
      return await tell(await handler(new Request(`http://localhost:3000${path}`, { method, headers: { cookie } })));
    },
    row: async () => (await adapter.listSessionsByUserId(GRACE.id))[0],
    visitor: () => new Browser(handler, { mayFail: true }),
  };
}

async function tell(response: Response): Promise<Told> {
  const cookies = response.headers.getSetCookie().map(readSetCookie).map(({ name, value, attributes }) => {
    const expires = new Date(attributes.get("expires") ?? NaN);
    return [name, attributes.get("max-age") === "0" ? null : { value, expires: expires.toISOString() }] as const;
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text || "null"), cookies: Object.fromEntries(cookies) };
}

const REMOVED = { [COOKIE]: null };

function bodyUntil(expires: number): unknown {
  return { user: { name: GRACE.name, email: GRACE.email }, expires: new Date(expires).toISOString() };
}

test("a session ends exactly when its row does", async () => {
  for (const [left, alive] of [[1, true], [0, false], [-1, false]] as const) {
    const { read, seed, row, runtime } = await open();
    const { expires } = await seed(left / 1000);
    const told = await read();
    if (alive) {
      assert.deepEqual(told.body, bodyUntil((await row())?.expires.valueOf() ?? 0));
      continue;
    }
    assert.deepEqual([told.status, told.body, told.cookies], [200, null, REMOVED], `${left} ms`);
    assert.equal(await row(), undefined, "its row is removed");
    assert.ok(expires.valueOf() <= runtime.now());
  }
});

test("a session is renewed from the very millisecond on at which updateAge has passed", async () => {
  for (const [early, renewed] of [[1, false], [0, true], [-1, true]] as const) {
    const { read, seed, row, runtime } = await open();
    const before = (await seed(MAX_AGE - UPDATE_AGE + early / 1000)).expires.valueOf();
    const end = renewed ? runtime.now() + MAX_AGE * 1000 : before;
    const told = await read();
    assert.deepEqual(told.body, bodyUntil(end), `${early} ms early`);
    assert.equal((await row())?.expires.valueOf(), end);
    const sent = renewed ? { [COOKIE]: { value: TOKEN, expires: new Date(end).toISOString() } } : {};
    assert.deepEqual(told.cookies, sent, "a cookie is sent when it changes, and ends with the row");
  }
});

test("with an updateAge of 0 every read renews, and no read shortens", async () => {
  const { read, seed, row, runtime } = await open({ session: { updateAge: 0 } });
  await seed();
  assert.deepEqual((await read()).cookies, {}, "nothing has passed yet");
  for (let step = 0; step < 3; step++) {
    runtime.advance(0.001);
    const end = runtime.now() + MAX_AGE * 1000;
    assert.deepEqual((await read()).body, bodyUntil(end));
    assert.equal((await row())?.expires.valueOf(), end);
  }
  runtime.advance(-500);
  const kept = (await row())?.expires.valueOf() ?? 0;
  assert.deepEqual((await read()).body, bodyUntil(kept), "a clock that goes back takes nothing away");
  assert.equal((await row())?.expires.valueOf(), kept);
});

test("a session whose row is gone is null, and the browser is told to forget it", async () => {
  const { read, seed, adapter } = await open();
  await seed();
  await adapter.deleteSession(TOKEN);
  const { status, body, cookies } = await read();
  assert.deepEqual([status, body, cookies], [200, null, REMOVED]);
});

test("a session of a user who was deleted is null, and the browser is told to forget it", async () => {
  const { read, seed, adapter } = await open();
  await seed();
  await adapter.deleteUser(GRACE.id);
  const { status, body, cookies } = await read();
  assert.deepEqual([status, body, cookies], [200, null, REMOVED]);
});

test("what a sealed session left in cookies is removed when the cookie is sent again", async () => {
  const { read, seed } = await open();
  await seed(MAX_AGE - UPDATE_AGE);
  const cookie = `${COOKIE}=${TOKEN}; ${COOKIE}.0=old; ${COOKIE}.1=older`;
  const { body, cookies } = await read(undefined, { cookie });
  assert.ok(body);
  assert.deepEqual([cookies[`${COOKIE}.0`], cookies[`${COOKIE}.1`]], [null, null]);
  assert.equal(cookies[COOKIE]?.value, TOKEN);
});

test("a generator may make session tokens of 1024 characters and no longer, and all that it makes are found", async () => {
  for (const [length, name] of [[1024, GRACE.name], [1025, undefined]] as const) {
    const { visitor, adapter } = await open({
      providers: [password({ authorize: () => GRACE })],
      session: { generateSessionToken: () => "t".repeat(length) },
    });
    const browser = visitor();
    await signIn(browser);
    assert.equal((await browser.session())?.user?.name, name, `${length} characters`);
    assert.equal(browser.cookies.get(COOKIE)?.value.length, name && length);
    assert.ok(adapter);
  }
});

test("a token too long to be ours is not looked up", async () => {
  const { read, calls } = await open();
  assert.equal((await read(undefined, { cookie: `${COOKIE}=${"x".repeat(1025)}` })).body, null);
  assert.equal((await read(undefined, { cookie: `${COOKIE}.0=a; ${COOKIE}.1=b` })).body, null);
  assert.deepEqual(calls, []);
});

test("auth(request) and HEAD read only", async () => {
  const { engine, seed, row, read, calls } = await open({ session: { updateAge: 0 } });
  const { expires } = await seed(10);
  const request = new Request("http://localhost:3000/", { headers: { cookie: `${COOKIE}=${TOKEN}` } });
  assert.deepEqual(await authFunction(engine)(request), bodyUntil(expires.valueOf()));
  assert.deepEqual((await read(undefined, { method: "HEAD" })).cookies, {});
  assert.deepEqual(await row(), { sessionToken: TOKEN, userId: GRACE.id, expires });
  assert.deepEqual(calls, ["getSessionAndUser", "getSessionAndUser"]);
});

test("an update reaches callbacks.session as newSession, and nothing else writes it", async () => {
  const seen: unknown[] = [];
  const { visitor, seed, row } = await open({
    callbacks: {
      session: ({ session, newSession, trigger }) => {
        seen.push({ trigger, ...newSession as object });
        return session;
      },
    },
  });
  const { expires } = await seed();
  const browser = visitor();
  browser.cookies.store(`${COOKIE}=${TOKEN}`, new URL(browser.origin));
  const csrfToken = await browser.csrf();
  const response = await browser.postJson("/auth/session", { csrfToken, data: { name: "Mallory" } });
  assert.equal((await response.json()).user.name, GRACE.name);
  await browser.session();
  assert.deepEqual(seen, [{ trigger: "update", name: "Mallory" }, { trigger: undefined }]);
  assert.deepEqual(await row(), { sessionToken: TOKEN, userId: GRACE.id, expires });
});

test("the token of a session is in no body, no event of a read and no argument that is handed on", async () => {
  const seen: unknown[] = [];
  const { read, seed } = await open({
    callbacks: {
      session: (params) => {
        seen.push(params);
        return params.session;
      },
    },
    events: { session: (message) => void seen.push(message) },
  });
  await seed(MAX_AGE - UPDATE_AGE);
  const { text } = await read();
  assert.equal(seen.length, 2);
  assert.doesNotMatch(text + JSON.stringify(seen), new RegExp(TOKEN));
});

test("a session callback that gives no session makes null, and the cookie stays", async () => {
  for (const junk of [undefined, null, "session", 1, [], new Date(0), () => {}]) {
    const { read, seed, row, log } = await open({ callbacks: { session: () => junk as never } });
    await seed();
    const { status, body, cookies } = await read();
    assert.deepEqual([status, body, cookies], [200, null, {}]);
    assert.ok(await row());
    assert.deepEqual(log.errors.map(({ name }) => name), ["SessionTokenError"]);
  }
});

async function signIn(browser: Browser): Promise<Response> {
  return await browser.post("/auth/callback/credentials", { ...ADA, csrfToken: await browser.csrf() });
}

test("signing out removes the row and tells which", async () => {
  const told: unknown[] = [];
  const { visitor, seed, row } = await open({ events: { signOut: (message) => void told.push(message) } });
  const { expires } = await seed();
  const browser = visitor();
  browser.cookies.store(`${COOKIE}=${TOKEN}`, new URL(browser.origin));
  await browser.signOut();
  assert.equal(await row(), undefined);
  assert.equal(browser.cookies.get(COOKIE), undefined);
  assert.deepEqual(told, [{ session: { sessionToken: TOKEN, userId: GRACE.id, expires } }]);
  await browser.post("/auth/signout", { csrfToken: await browser.csrf() });
  assert.equal(told.length, 1, "whoever has no session ends none");
});

test("a session that another tab ends while this one renews it stays ended", async () => {
  const world = await open({}, (adapter) => ({
    updateSession: async (changes) => {
      await adapter.deleteSession?.(TOKEN);
      return await adapter.updateSession?.(changes);
    },
  }));
  await world.seed(MAX_AGE - UPDATE_AGE);
  const { body, cookies } = await world.read();
  assert.deepEqual([body, cookies], [null, REMOVED]);
  assert.equal(await world.row(), undefined);
});

test("a renewal that storage does not confirm is looked at again, and nobody is signed out by it", async () => {
  for (const unconfirmed of [undefined, null]) {
    const { read, seed, row, runtime } = await open({}, (adapter) => ({
      updateSession: async (changes) => {
        await adapter.updateSession?.(changes);
        return unconfirmed;
      },
    }));
    await seed(MAX_AGE - UPDATE_AGE);
    const end = runtime.now() + MAX_AGE * 1000;
    const { body, cookies } = await read();
    assert.deepEqual(body, bodyUntil(end));
    assert.equal(cookies[COOKIE]?.expires, new Date(end).toISOString());
    assert.equal((await row())?.expires.valueOf(), end);
  }
});

test("a renewal that fails leaves the session as it is, and the next read tries again", async () => {
  let broken = true;
  const { read, seed, log, runtime } = await open({}, ({ updateSession }) => ({
    updateSession: (changes) => {
      if (broken) throw new Error("gone");
      return updateSession?.(changes);
    },
  }));
  const { expires } = await seed(MAX_AGE - UPDATE_AGE);
  const first = await read();
  assert.deepEqual([first.body, first.cookies], [bodyUntil(expires.valueOf()), {}]);
  assert.deepEqual(log.errors.map(({ name }) => name), ["SessionTokenError"]);
  broken = false;
  assert.deepEqual((await read()).body, bodyUntil(runtime.now() + MAX_AGE * 1000));
});

test("credentials make a stored session, and a user where storage knows none", async () => {
  const told: unknown[] = [];
  const { visitor, adapter, calls } = await open({
    events: { createUser: ({ user }) => void told.push(user.id), signIn: ({ isNewUser }) => void told.push(isNewUser) },
  });
  const browser = visitor();
  await signIn(browser);
  const [row] = await adapter.listSessionsByUserId("1");
  assert.equal(browser.cookies.get(COOKIE)?.value, row?.sessionToken);
  assert.equal((await adapter.getUser("1"))?.email, "ada@example.com");
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
  await signIn(browser);
  assert.deepEqual(told, ["1", true, false]);
  const sessions = await adapter.listSessionsByUserId("1");
  assert.equal(sessions.length, 1, "the session before has ended");
  assert.notEqual(sessions[0]?.sessionToken, row?.sessionToken);
  assert.ok(!calls.includes("linkAccount"), "there is no account to keep");
});

test("a generator of session tokens that gives none signs nobody in", async () => {
  const bad: readonly (() => unknown)[] = [
    () => "",
    () => "x".repeat(10_240),
    () => 7,
    () => undefined,
    () => Promise.resolve("late"),
    () => {
      throw new Error("mine");
    },
  ];
  for (const generateSessionToken of bad) {
    const { visitor, adapter, log } = await open({
      session: { generateSessionToken: generateSessionToken as () => string },
    });
    const browser = visitor();
    const response = await signIn(browser);
    assert.match(response.headers.get("location") ?? "", /\/auth\/error\?error=Configuration$/);
    assert.equal(browser.cookies.get(COOKIE), undefined);
    assert.deepEqual([await adapter.getUser("1"), await adapter.listSessionsByUserId("1")], [null, []]);
    assert.equal(log.errors.length, 1);
  }
});

test("a generator that always gives the same never takes over a session that exists", async () => {
  const { visitor, adapter, log } = await open({ session: { generateSessionToken: () => TOKEN } });
  await adapter.createSession({ sessionToken: TOKEN, userId: GRACE.id, expires: new Date(1e13) });
  const browser = visitor();
  const response = await signIn(browser);
  assert.match(response.headers.get("location") ?? "", /\/auth\/error\?error=Configuration$/);
  assert.equal(browser.cookies.get(COOKIE), undefined);
  assert.equal((await adapter.getSessionAndUser(TOKEN))?.user.id, GRACE.id);
  assert.deepEqual(log.errors.map(({ name }) => name), ["AdapterError"]);
});
