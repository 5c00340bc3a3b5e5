/** While storage is down nobody is signed in or out by it. Once it is back, everything works again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter } from "@x/auth";
import { createEngine } from "../../../src/service/engine.ts";
import { authFunction } from "../../../src/service/guard.ts";
import { respond } from "../../../src/service/respond.ts";
import { Browser } from "../../_support/browser.ts";
import { faultRuntime, LIMITS, pause, soon, until, watch, watchProcess } from "../../_support/faults.ts";
import { createIssuer } from "../../_support/issuer.ts";
import { mailbox } from "../../_support/mailbox.ts";
import { ADA, password, recordLog, SECRET } from "../../_support/service.ts";
import { MEMORY, PLAIN_STORE, type StoreKind } from "../../_support/stores.ts";

watchProcess();

const COOKIE = "authjs.session-token";
const TOKEN = "token-of-grace";
const GRACE = { id: "u1", name: "Grace", email: "grace@example.com", emailVerified: null };

/** What an operation does instead of its work. */
type Outage = (name: keyof Adapter, honest: () => unknown) => unknown;

function open(kind: StoreKind = MEMORY) {
  const issuer = createIssuer({ metadata: { id_token_signing_alg_values_supported: ["ES256"] } });
  const runtime = faultRuntime(issuer.fetch);
  const { adapter, rows } = kind.open(runtime.now);
  const { logger, errors } = recordLog();
  const told: string[] = [];
  const state: { outage: Outage | null; waiting: number } = { outage: null, waiting: 0 };
  const names = Object.keys(adapter) as (keyof Adapter)[];
  const shaky = Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => {
    const honest = () => (adapter[name] as (...args: unknown[]) => unknown)(...args);
    return state.outage ? state.outage(name, honest) : honest();
  }]));
  const engine = createEngine({
    secret: SECRET,
    trustHost: true,
    logger,
    timeouts: LIMITS,
    session: { strategy: "database", maxAge: 1000, updateAge: 0 },
    adapter: shaky,
    providers: [issuer.oauthProvider(), password(), mailbox().provider],
    events: {
      createUser: () => void told.push("createUser"),
      signIn: () => void told.push("signIn"),
      signOut: () => void told.push("signOut"),
    },
  }, runtime);
  const handler = async (request: Request) => await respond(await engine.run(request));
  return {
    runtime,
    rows,
    errors,
    told,
    state,
    auth: authFunction(engine),
    /** A browser that is signed in as Grace. */
    async grace() {
      await rows.createUser(GRACE);
      const expires = new Date(runtime.now() + 500_000);
      await rows.createSession({ sessionToken: TOKEN, userId: GRACE.id, expires });
      const browser = new Browser(handler, { mayFail: true });
      browser.cookies.store(`${COOKIE}=${TOKEN}`, new URL(browser.origin));
      return { browser, csrfToken: await browser.csrf() };
    },
    visitor: () => new Browser(handler, { mayFail: true }),
    async byProvider(browser: Browser) {
      const start = await browser.post("/auth/signin/idp", { csrfToken: await browser.csrf() });
      const { redirectUri, params } = await issuer.consent(start.headers.get("location") ?? "");
      return await browser.get(`${new URL(redirectUri).pathname}?${params}`);
    },
  };
}

const GONE: Outage = () => Promise.reject(new Error("the database is gone"));

const ask = () => new Request("http://localhost:3000/account", { headers: { cookie: `${COOKIE}=${TOKEN}` } });

test("while storage is down nobody is known to be signed in, and cookies stay", async () => {
  const { grace, state, errors, rows } = open();
  const { browser, csrfToken } = await grace();
  state.outage = GONE;
  const read = await browser.get("/auth/session");
  assert.equal(read.status, 503);
  assert.deepEqual(await read.json(), { message: "Try again later" });
  assert.deepEqual(read.headers.getSetCookie(), []);
  assert.equal((await browser.head("/auth/session")).status, 503);
  const update = await browser.postJson("/auth/session", { csrfToken, data: {} });
  assert.deepEqual([update.status, await update.json(), update.headers.getSetCookie()], [400, null, []]);
  assert.deepEqual(errors.map(({ name }) => name), ["SessionTokenError", "SessionTokenError", "SessionTokenError"]);

  state.outage = null;
  assert.equal((await browser.session())?.user?.name, GRACE.name);
  assert.equal((await rows.getSessionAndUser(TOKEN))?.user.id, GRACE.id);
});

test("while storage is down guards let nobody pass", async () => {
  const { grace, state, errors, auth } = open();
  await grace();
  let ran = 0;
  const guarded = auth(() => {
    ran++;
    return new Response("secret");
  });
  state.outage = GONE;
  assert.equal(await auth(ask()), null);
  const denied = await guarded(ask());
  assert.deepEqual([denied.status, ran, denied.headers.getSetCookie()], [503, 0, []]);
  assert.deepEqual(errors.map(({ name }) => name), ["SessionTokenError", "SessionTokenError"]);

  state.outage = null;
  assert.equal((await auth(ask()))?.user?.name, GRACE.name);
  assert.equal((await guarded(ask())).status, 200);
  assert.equal(ran, 1);
});

test("signing out while storage is down shows an error, and removes the cookie all the same", async () => {
  const { grace, state, errors, told, rows } = open();
  const { browser, csrfToken } = await grace();
  state.outage = GONE;
  const response = await browser.post("/auth/signout", { csrfToken });
  assert.equal(response.headers.get("location"), "http://localhost:3000/auth/error?error=Configuration");
  assert.equal(browser.cookies.get(COOKIE), undefined);
  assert.deepEqual(told, []);
  assert.deepEqual(errors.map(({ name }) => name), ["SignOutError"]);
  state.outage = null;
  assert.ok(await rows.getSessionAndUser(TOKEN), "which is why nobody may say it was ended");
});

test("a script that signs out while storage is down gets the error too", async () => {
  const { grace, state } = open();
  const { browser, csrfToken } = await grace();
  state.outage = GONE;
  const response = await browser.post("/auth/signout", { csrfToken }, { headers: { "x-auth-return-redirect": "1" } });
  assert.match((await response.json()).url, /error=Configuration$/);
});

test("nobody can sign in while storage is down, and everybody can once it is back", async () => {
  const { visitor, byProvider, state, told, errors, rows } = open();
  const browser = visitor();
  const csrfToken = await browser.csrf();
  state.outage = GONE;
  const answers = [
    await byProvider(visitor()),
    await browser.post("/auth/callback/credentials", { ...ADA, csrfToken }),
    await browser.post("/auth/signin/email", { email: "ada@example.com", csrfToken }),
  ];
  for (const { headers } of answers) {
    assert.equal(headers.get("location"), "http://localhost:3000/auth/error?error=Configuration");
    assert.ok(headers.getSetCookie().every((header) => !header.startsWith(COOKIE)));
  }
  assert.deepEqual(errors.map(({ name }) => name), ["AdapterError", "AdapterError", "AdapterError"]);
  assert.deepEqual(told, []);

  state.outage = null;
  await byProvider(browser);
  assert.equal((await browser.session())?.user?.name, "Ada");
  assert.deepEqual(told, ["createUser", "signIn"]);
  assert.ok(await rows.getUserByEmail("ada@example.com"));
});

test("storage that never answers is given up at the deadline of the answer", async () => {
  const { grace, state, runtime, errors, auth } = open();
  const { browser, csrfToken } = await grace();
  state.outage = () => {
    state.waiting++;
    return new Promise(() => {});
  };
  const acts: readonly (() => Promise<unknown>)[] = [
    async () => (await browser.get("/auth/session")).status,
    async () => await auth(ask()),
    async () => (await auth(() => new Response("secret"))(ask())).status,
    async () => (await browser.post("/auth/signout", { csrfToken })).headers.get("location"),
  ];
  const answers: unknown[] = [];
  for (const [at, act] of acts.entries()) {
    const answer = watch(act());
    await until(() => state.waiting > at, "a call");
    runtime.elapse(LIMITS.total - 0.001);
    await pause(1);
    assert.equal(answer.settled, false, "it is waited for");
    runtime.elapse(0.001);
    answers.push(await soon(answer.value, "the answer"));
  }
  assert.deepEqual(answers, [503, null, 503, "http://localhost:3000/auth/error?error=Configuration"]);
  assert.equal(browser.cookies.get(COOKIE), undefined, "who signs out forgets");
  assert.deepEqual(errors.map(({ name }) => name), ["Timeout", "Timeout", "Timeout", "Timeout"]);
  assert.equal(runtime.timers(), 0);
});

test("storage that answers too late signs nobody in or out", async () => {
  const { grace, state, runtime } = open();
  const { browser } = await grace();
  const late: (() => void)[] = [];
  state.outage = (_, honest) => new Promise((resolve) => late.push(() => resolve(honest())));
  const answer = browser.get("/auth/session");
  await until(() => late.length > 0, "a call");
  runtime.elapse(LIMITS.total);
  assert.equal((await soon(answer, "the answer")).status, 503);
  state.outage = null;
  for (const settle of late) settle();
  await pause(5);
  assert.equal((await browser.session())?.user?.name, GRACE.name);
});

test("a sign-in that broke off after the user was created is finished by the next one, and reported as new", async () => {
  const { visitor, byProvider, state, told, rows } = open(PLAIN_STORE);
  const browser = visitor();
  state.outage = (name, honest) => name === "linkAccount" ? GONE(name, honest) : honest();
  await byProvider(browser);
  const user = await rows.getUserByEmail("ada@example.com");
  assert.ok(user);
  assert.deepEqual(told, []);
  state.outage = null;
  await byProvider(browser);
  assert.deepEqual(told, ["createUser", "signIn"]);
  assert.equal((await rows.getUserByAccount({ provider: "idp", providerAccountId: "ada-1" }))?.id, user.id);
});

test("a user whose creation got no answer is reported as new", async () => {
  const { visitor, byProvider, state, told } = open(PLAIN_STORE);
  state.outage = async (name, honest) => {
    const result = await honest();
    return name === "createUser" ? GONE(name, honest) : result;
  };
  const response = await byProvider(visitor());
  assert.equal(response.headers.get("location"), "http://localhost:3000/");
  assert.deepEqual(told, ["createUser", "signIn"]);
});

const LATER = new Date(Date.UTC(2040, 0, 1));
const ROW = { sessionToken: TOKEN, userId: GRACE.id, expires: LATER };

const UNUSABLE: readonly (readonly [what: string, found: unknown])[] = [
  ["nothing in it", {}],
  ["no user", { session: ROW }],
  ["a user that is null", { session: ROW, user: null }],
  ["no session", { user: GRACE }],
  ["a session that is null", { session: null, user: GRACE }],
  ["a user without an id", { session: ROW, user: { ...GRACE, id: undefined } }],
  ["a user with an empty id", { session: { ...ROW, userId: "" }, user: { ...GRACE, id: "" } }],
  ["a session without a token", { session: { ...ROW, sessionToken: undefined }, user: GRACE }],
  ["a session of nobody", { session: { ...ROW, userId: null }, user: GRACE }],
  ["a session without an end", { session: { ...ROW, expires: undefined }, user: GRACE }],
  ["an end that is no date", { session: { ...ROW, expires: true }, user: GRACE }],
  ["an end that is no instant", { session: { ...ROW, expires: new Date(NaN) }, user: GRACE }],
  ["a proof of the address that is no date", { session: ROW, user: { ...GRACE, emailVerified: {} } }],
  ["an address that is no text", { session: ROW, user: { ...GRACE, email: 7 } }],
  ["a list around it", [{ session: ROW, user: GRACE }]],
  ["text instead", "session"],
  ["another token", { session: { ...ROW, sessionToken: "other" }, user: GRACE }],
  ["another user", { session: ROW, user: { ...GRACE, id: "u2" } }],
  ["an end that is no text of a date", { session: { ...ROW, expires: "tomorrow" }, user: GRACE }],
  ["a user who cannot be read", { session: ROW, user: unreadable() }],
];

function unreadable(): unknown {
  return new Proxy({}, {
    get: () => {
      throw new Error("unreadable");
    },
  });
}

for (const [what, found] of UNUSABLE) {
  test(`a session with ${what} counts as an outage and never as a session`, async () => {
    const { grace, state, errors, auth } = open();
    const { browser } = await grace();
    state.outage = (name, honest) => name === "getSessionAndUser" ? found : honest();
    const read = await browser.get("/auth/session");
    assert.deepEqual([read.status, read.headers.getSetCookie()], [503, []]);
    assert.equal(await auth(ask()), null);
    assert.deepEqual(errors.map(({ name }) => name), ["SessionTokenError", "SessionTokenError"]);
    state.outage = null;
    assert.equal((await browser.session())?.user?.name, GRACE.name);
  });
}

test("an absent session is no failure, however an adapter reports it", async () => {
  for (const absent of [null, undefined]) {
    const { grace, state, errors } = open();
    const { browser } = await grace();
    state.outage = () => absent;
    assert.equal(await browser.session(), null);
    assert.deepEqual([browser.cookies.get(COOKIE), errors], [undefined, []]);
  }
});

test("a sign-out succeeds whatever storage returns for the row that it removed", async () => {
  for (const told of [undefined, null, {}, 1, "gone", { rowCount: 1 }]) {
    const { grace, state, told: events, errors } = open();
    const { browser, csrfToken } = await grace();
    state.outage = (name, honest) => name === "deleteSession" ? told : honest();
    const response = await browser.post("/auth/signout", { csrfToken });
    assert.equal(response.headers.get("location"), "http://localhost:3000/");
    assert.deepEqual([browser.cookies.get(COOKIE), errors, events], [undefined, [], ["signOut"]]);
  }
});

test("a renewal that hangs leaves the session as it is, and is given up at its deadline", async () => {
  const { grace, state, errors, runtime } = open();
  const { browser } = await grace();
  const before = browser.cookies.get(COOKIE);
  let waiting = 0;
  state.outage = (name, honest) => {
    if (name !== "updateSession") return honest();
    waiting++;
    return new Promise(() => {});
  };
  const read = watch(browser.get("/auth/session"));
  await until(() => waiting === 1, "the call that hangs");
  await pause();
  assert.equal(read.settled, false);
  runtime.elapse(LIMITS.total / 4);
  const response = await soon(read.value, "the read");
  assert.deepEqual([response.status, response.headers.getSetCookie()], [200, []]);
  assert.equal((await response.json()).user.name, GRACE.name);
  assert.deepEqual(browser.cookies.get(COOKIE), before);
  assert.deepEqual(errors.map(({ name }) => name), ["SessionTokenError"]);
  assert.equal(runtime.timers(), 0);
});

test("a renewal that storage does not confirm and cannot look at again leaves the session as it is", async () => {
  const { grace, state, runtime } = open();
  const { browser } = await grace();
  let reads = 0;
  state.outage = (name, honest) => {
    if (name === "updateSession") return null;
    return name === "getSessionAndUser" && ++reads === 2 ? new Promise(() => {}) : honest();
  };
  const read = watch(browser.get("/auth/session"));
  await until(() => reads === 2, "the second look");
  runtime.elapse(LIMITS.total / 4);
  assert.equal((await soon(read.value, "the read")).status, 200);
});

test("an expired row that cannot be removed delays nobody", async () => {
  const { grace, state, errors, runtime } = open();
  const { browser } = await grace();
  runtime.advance(501);
  let waiting = 0;
  state.outage = (name, honest) => {
    if (name !== "deleteSession") return honest();
    waiting++;
    return new Promise(() => {});
  };
  const read = watch(browser.get("/auth/session"));
  await until(() => waiting === 1, "the call that hangs");
  runtime.elapse(LIMITS.total / 4);
  const response = await soon(read.value, "the read");
  assert.deepEqual([response.status, await response.json()], [200, null]);
  assert.equal(browser.cookies.get(COOKIE), undefined);
  assert.deepEqual(errors.map(({ name }) => name), ["SessionTokenError"]);
});
