/** `session.cache`: what is shown for some seconds, and that nothing is decided by it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AuthConfig, SessionCallbackParams } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { createEngine } from "../../../src/service/engine.ts";
import { respond } from "../../../src/service/respond.ts";
import { sessionFunctions } from "../../../src/service/session_actions.ts";
import { Browser } from "../../_support/browser.ts";
import { testRuntime } from "../../_support/runtime.ts";
import { recordLog, testConfig } from "../../_support/service.ts";

const COOKIE = "authjs.session-token";
const TOKEN = "token-of-grace";
const GRACE = { id: "u1", name: "Grace", email: "grace@example.com", emailVerified: null };
const SECONDS = 10;
const MAX_AGE = 1000;
const UPDATE_AGE = 100;

async function open(config: AuthConfig = {}, change: (adapter: Adapter) => Adapter = () => ({})) {
  const runtime = testRuntime();
  const rows = memoryAdapter({ now: runtime.now });
  let reads = 0;
  const adapter: Adapter = {
    ...rows,
    getSessionAndUser: (token) => {
      reads += 1;
      return rows.getSessionAndUser(token);
    },
    ...change(rows),
  };
  const session = { maxAge: MAX_AGE, updateAge: UPDATE_AGE, cache: { seconds: SECONDS }, ...config.session };
  const { logger } = recordLog();
  const serve = () => createEngine(testConfig({ logger, ...config, session, adapter }), runtime);
  const engine = serve();
  const answer = async (request: Request) => await respond(await engine.run(request));
  await rows.createUser(GRACE);
  const visitor = () => {
    const browser = new Browser(answer, { mayFail: true });
    browser.cookies.store(`${COOKIE}=${TOKEN}`, new URL(browser.origin));
    return browser;
  };
  return {
    runtime,
    rows,
    engine,
    visitor,
    seed: async (left = MAX_AGE) => {
      const expires = new Date(runtime.now() + left * 1000);
      return await rows.createSession({ sessionToken: TOKEN, userId: GRACE.id, expires });
    },
    read: async (token = TOKEN) => {
      const headers = { cookie: `${COOKIE}=${token}` };
      const response = await answer(new Request("http://localhost:3000/auth/session", { headers }));
      const body = await response.json() as { readonly user?: { readonly name?: string } } | null;
      return { name: body?.user?.name, sent: response.headers.getSetCookie() };
    },
    reads: () => reads,
  };
}

test("storage is read once in so many seconds, and what another process ended ends then", async () => {
  const { read, seed, rows, runtime, reads } = await open();
  await seed();
  for (let times = 0; times < 5; times++) assert.equal((await read()).name, "Grace");
  assert.equal(reads(), 1);
  await rows.deleteSession(TOKEN);
  runtime.advance(SECONDS - 0.001);
  assert.equal((await read()).name, "Grace");
  runtime.advance(0.001);
  assert.equal((await read()).name, undefined);
  assert.equal(reads(), 2);
});

test("without the option every read asks storage", async () => {
  const { read, seed, rows, reads } = await open({ session: { cache: undefined } });
  await seed();
  await read();
  await rows.deleteSession(TOKEN);
  assert.equal((await read()).name, undefined);
  assert.equal(reads(), 2);
});

test("a token that is not known is not remembered", async () => {
  const { read, seed, reads } = await open();
  assert.equal((await read()).name, undefined);
  await seed();
  assert.equal((await read()).name, "Grace");
  assert.equal(reads(), 2);
});

test("a session that ends meanwhile is not shown", async () => {
  const { read, seed, runtime, rows } = await open({ session: { updateAge: MAX_AGE * 2 } });
  await seed(5);
  assert.equal((await read()).name, "Grace");
  runtime.advance(5);
  assert.equal((await read()).name, undefined);
  assert.deepEqual(await rows.listSessionsByUserId("u1"), [], "its row is removed");
});

test("a session that another process has renewed is not taken for one that has ended", async () => {
  const { read, seed, runtime, rows } = await open({ session: { updateAge: MAX_AGE * 2 } });
  await seed(5);
  await read();
  await rows.updateSession({ sessionToken: TOKEN, expires: new Date(runtime.now() + 60_000) });
  runtime.advance(6);
  assert.equal((await read()).name, "Grace");
  assert.equal((await rows.listSessionsByUserId("u1")).length, 1);
});

test("a session is renewed on time", async () => {
  const { read, seed, runtime, rows } = await open();
  await seed(MAX_AGE - UPDATE_AGE + 5);
  assert.deepEqual((await read()).sent, []);
  runtime.advance(5);
  const end = runtime.now() + MAX_AGE * 1000;
  assert.match((await read()).sent.join(), new RegExp(`${COOKIE}=${TOKEN}`));
  assert.equal((await rows.listSessionsByUserId("u1"))[0]?.expires.valueOf(), end);
  assert.deepEqual((await read()).sent, [], "once");
});

test("whoever signs out is signed out at once, also with a copy of the cookie", async () => {
  const { read, seed, visitor } = await open();
  await seed();
  await read();
  await visitor().signOut();
  assert.equal((await read()).name, undefined);
});

test("a sign-out during a slow read is not undone by it", async () => {
  let release = (): void => {};
  const { read, seed, visitor, rows } = await open({}, ({ getSessionAndUser }) => {
    let slow = true;
    return {
      getSessionAndUser: async (token) => {
        const found = await getSessionAndUser?.(token) ?? null;
        if (slow) {
          slow = false;
          await new Promise<void>((resolve) => release = resolve);
        }
        return found;
      },
    };
  });
  await seed();
  const slow = read();
  // Everything that the other request does not wait for has run by then.
  await new Promise((resolve) => setTimeout(resolve, 20));
  await visitor().signOut();
  assert.deepEqual(await rows.listSessionsByUserId("u1"), []);
  release();
  assert.equal((await slow).name, "Grace", "it was read before");
  assert.equal((await read()).name, undefined);
});

test("sessions that auth.sessions ends are ended at once", async () => {
  for (const act of ["revoke", "revokeOthers", "revokeAll"] as const) {
    const { read, seed, engine, rows, runtime } = await open();
    await seed();
    await read();
    if (act === "revokeAll") await sessionFunctions(engine).revokeAll("u1");
    if (act === "revoke") {
      const id = (await sessionFunctions(engine).list("u1"))[0]?.id ?? "";
      assert.equal(await sessionFunctions(engine).revoke(id), true);
    }
    if (act === "revokeOthers") {
      await rows.createSession({ sessionToken: "mine", userId: "u1", expires: new Date(runtime.now() + 5000) });
      const headers = { cookie: `${COOKIE}=mine`, "sec-fetch-site": "same-origin" };
      const request = new Request("http://localhost:3000/x", { method: "POST", headers });
      assert.equal(await sessionFunctions(engine).revokeOthers(request), 1);
    }
    assert.equal((await read()).name, undefined, act);
  }
});

test("what is decided is decided by storage: a session that was ended elsewhere updates, lists and ends nothing", async () => {
  const { read, seed, rows, visitor, engine } = await open();
  await seed();
  await read();
  await rows.deleteSession(TOKEN);
  const browser = visitor();
  const updated = await browser.postJson("/auth/session", { csrfToken: await browser.csrf(), data: {} });
  assert.equal(await updated.json(), null);
  const headers = { cookie: `${COOKIE}=${TOKEN}` };
  const request = new Request("http://localhost:3000/x", { headers });
  assert.deepEqual(await sessionFunctions(engine).list(request), []);
  assert.equal(await sessionFunctions(engine).revokeAll(request), 0);
});

test("what a callback changes in its session and user is not seen by the next request", async () => {
  const spoil = ({ session, user }: SessionCallbackParams): SessionCallbackParams["session"] => {
    const told = { ...session, user: { name: user?.name } };
    if (user) Object.assign(user, { name: "Mallory", id: "u2" });
    (session.expires as unknown as Date).setTime?.(0);
    return told as SessionCallbackParams["session"];
  };
  const { read, seed, reads } = await open({ callbacks: { session: spoil as never } });
  await seed();
  for (let times = 0; times < 3; times++) assert.equal((await read()).name, "Grace");
  assert.equal(reads(), 1);
});
