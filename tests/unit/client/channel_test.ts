import { test } from "node:test";
import assert from "node:assert/strict";
import { createAuth } from "../../../src/auth.ts";
import { type AuthClient, clientOf } from "../../../client/core/auth_client.ts";
import { open, type SessionState } from "../../../client/core/connection.ts";
import { seed, subscribe } from "../../../client/core/channel.ts";
import { ADA, testConfig } from "../../_support/service.ts";
import { settled, TestBrowser, type TestPage, turn } from "../../_support/page.ts";

const NAME = "x-auth:/auth";
const here = { ...ADA, redirect: false };

interface Tab {
  readonly page: TestPage;
  readonly client: AuthClient;
  readonly states: SessionState[];
  /** How often it asked who is signed in. */
  count(): number;
}

function openSite(): { browser: TestBrowser; tab(session?: unknown): Tab } {
  const { handler } = createAuth(testConfig());
  const browser = new TestBrowser((request) => handler(request));
  return {
    browser,
    tab(session) {
      const page = browser.tab();
      const client = clientOf(seed(open("/auth", page.browser), session));
      const count = () => page.asked.filter((asked) => asked === "GET /auth/session").length;
      return { page, client, states: [], count };
    },
  };
}

/** Watches, and waits until nothing happens any more. */
async function watch(tab: Tab): Promise<() => void> {
  const stop = tab.client.watchSession((state) => void tab.states.push(state));
  await settled();
  return stop;
}

const names = ({ states }: Tab): (string | null | undefined)[] => states.map(({ session }) => session?.user?.name);
const last = ({ states }: Tab): SessionState | undefined => states.at(-1);

/** Lets that many milliseconds pass, for all who read the clock. */
async function after(milliseconds: number, run: () => Promise<void>): Promise<void> {
  const { now } = Date;
  Date.now = () => now() + milliseconds;
  try {
    await run();
  } finally {
    Date.now = now;
  }
}

test("watchSession() tells what is known at once, and then what the service says", async () => {
  const tab = openSite().tab();
  const stop = await watch(tab);
  assert.deepEqual(tab.states, [
    { status: "loading", session: undefined, failed: false },
    { status: "unauthenticated", session: null, failed: false },
  ]);
  stop();
});

test("what a page does is seen by all who watch it, once it has returned", async () => {
  const tab = openSite().tab();
  const stop = await watch(tab);
  await tab.client.signIn("credentials", here);
  assert.equal(last(tab)?.status, "authenticated");
  await tab.client.signOut({ redirect: false });
  assert.equal(last(tab)?.status, "unauthenticated");
  stop();
});

test("two tabs keep in step, and the one that changed the session asks no second time", async () => {
  const { tab } = openSite();
  const [one, two] = [tab(), tab()];
  const stops = [await watch(one), await watch(two)];
  await one.client.signIn("credentials", here);
  await settled();
  assert.deepEqual([last(one)?.status, last(two)?.status], ["authenticated", "authenticated"]);
  const counts = [one.count(), two.count()];
  await two.client.signOut({ redirect: false });
  await settled();
  assert.deepEqual([last(one)?.status, last(two)?.status], ["unauthenticated", "unauthenticated"]);
  assert.deepEqual([one.count(), two.count()], [Number(counts[0]) + 1, counts[1]]);
  for (const stop of stops) stop();
});

test("signing out that leads elsewhere shows the page nothing any more, and tells the other tabs", async () => {
  const { tab } = openSite();
  const [one, two] = [tab(), tab()];
  await one.client.signIn("credentials", here);
  const stops = [await watch(one), await watch(two)];
  await one.client.signOut({ redirectTo: "/bye" });
  await settled();
  assert.deepEqual([last(one)?.status, last(two)?.status], ["authenticated", "unauthenticated"]);
  assert.deepEqual(one.page.visits, ["http://localhost:3000/bye"]);
  for (const stop of stops) stop();
});

test("a tab that watches nothing tells the others all the same", async () => {
  const { tab } = openSite();
  const [one, two] = [tab(), tab()];
  const stop = await watch(one);
  await two.client.signIn("credentials", here);
  await settled();
  assert.equal(last(one)?.status, "authenticated");
  stop();
});

test("the browser is listened to only while somebody watches", async () => {
  const { browser, tab } = openSite();
  const one = tab();
  assert.equal(one.page.open.channels, 0);
  const first = await watch(one);
  const second = await watch(one);
  assert.equal(one.page.open.channels, 1);
  first();
  first();
  assert.equal(one.page.open.channels, 1);
  second();
  assert.equal(one.page.open.channels, 0);
  const asked = one.count();
  browser.say(NAME, "changed");
  await after(60_000, async () => {
    for (const type of ["focus", "online", "visibilitychange"]) one.page.dispatch(type);
    one.page.dispatch("pageshow", { persisted: true });
    await settled();
  });
  assert.equal(one.count(), asked);
  assert.equal(one.page.open.channels, 0);
  await tab().client.signIn("credentials", here);
  await watch(one);
  assert.equal(last(one)?.status, "unauthenticated", "within five seconds it is not asked again");
});

test("one question at a time: whoever comes second gets the same answer", async () => {
  const tab = openSite().tab();
  await Promise.all([tab.client.refresh(), tab.client.refresh(), tab.client.refresh()]);
  assert.equal(tab.count(), 1);
});

test("an answer to a question from before a change is dropped", async () => {
  const { browser, tab } = openSite();
  const one = tab();
  const stop = await watch(one);
  let release = (): void => {};
  const held = new Promise<void>((resolve) => release = resolve);
  let answers = 0;
  one.page.answer = async () => {
    if (answers++ > 0) return Response.json({ user: { name: "New" }, expires: "2999-01-01T00:00:00.000Z" });
    await held;
    return Response.json({ user: { name: "Old" }, expires: "2999-01-01T00:00:00.000Z" });
  };
  const asked = one.client.refresh();
  browser.say(NAME, "changed");
  await turn();
  release();
  await asked;
  await settled();
  assert.deepEqual(names(one), [undefined, undefined, "New"]);
  stop();
});

test("signing out wins over an answer that was under way", async () => {
  const one = openSite().tab();
  await one.client.signIn("credentials", here);
  const stop = await watch(one);
  const old = await one.client.getSession();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => release = resolve);
  one.page.answer = async () => {
    one.page.answer = null;
    await held;
    return Response.json(old);
  };
  const asked = one.client.refresh();
  await one.client.signOut({ redirect: false });
  release();
  await asked;
  await settled();
  assert.equal(last(one)?.status, "unauthenticated");
  stop();
});

test("coming back asks again, at most every five seconds, and not while the page is hidden", async () => {
  const tab = openSite().tab();
  const stop = await watch(tab);
  for (const type of ["focus", "online", "visibilitychange"]) tab.page.dispatch(type);
  await settled();
  assert.equal(tab.count(), 1);
  await after(5000, async () => {
    tab.page.hidden = true;
    tab.page.dispatch("visibilitychange");
    await settled();
    assert.equal(tab.count(), 1);
    tab.page.hidden = false;
    for (const type of ["visibilitychange", "focus", "online", "focus"]) tab.page.dispatch(type);
    await settled();
    assert.equal(tab.count(), 2);
  });
  stop();
});

test("a page that comes back out of the cache of the browser asks at once, and hears the others again", async () => {
  const { browser, tab } = openSite();
  const one = tab();
  const stop = await watch(one);
  one.page.dispatch("pagehide");
  assert.equal(one.page.open.channels, 0);
  browser.say(NAME, "changed");
  await settled();
  assert.equal(one.count(), 1);
  one.page.dispatch("pageshow", { persisted: true });
  await settled();
  assert.equal(one.count(), 2);
  browser.say(NAME, "changed");
  await settled();
  assert.equal(one.count(), 3);
  assert.equal(one.page.open.channels, 1);
  stop();
});

test("without events nothing is asked, however much time passes", async () => {
  const tab = openSite().tab();
  const stop = await watch(tab);
  await after(24 * 60 * 60 * 1000, settled);
  assert.equal(tab.count(), 1);
  stop();
});

test("while the service is away a page knows what it knew, and says that it is not sure", async () => {
  const tab = openSite().tab();
  await tab.client.signIn("credentials", here);
  const stop = await watch(tab);
  for (
    const answer of [
      () => Promise.reject(new TypeError("no network")),
      () => Response.json({ message: "Try again later" }, { status: 503 }),
      () => new Response("<!doctype html>"),
    ]
  ) {
    tab.page.answer = async () => await answer();
    await tab.client.refresh();
    const state = last(tab);
    assert.equal(state?.session?.user?.name, "Ada Lovelace");
    assert.equal(state?.failed, true);
  }
  tab.page.answer = null;
  await tab.client.refresh();
  assert.equal(last(tab)?.failed, false);
  stop();
});

test("a page that never reached the service does not say that nobody is signed in", async () => {
  const tab = openSite().tab();
  tab.page.answer = () => Promise.reject(new TypeError("no network"));
  const stop = await watch(tab);
  assert.deepEqual(last(tab), { status: "loading", session: undefined, failed: true });
  stop();
});

test("while the service is away a session ends when it said it would", async () => {
  const tab = openSite().tab();
  await tab.client.signIn("credentials", here);
  const stop = await watch(tab);
  tab.page.answer = () => Promise.reject(new TypeError("no network"));
  await after(31 * 24 * 60 * 60 * 1000, () => tab.client.refresh());
  assert.deepEqual(last(tab), { status: "unauthenticated", session: null, failed: true });
  stop();
});

test("messages of odd shape, and those for another service, are not heard", async () => {
  const { browser, tab } = openSite();
  const one = tab();
  const stop = await watch(one);
  const odd = [null, undefined, 1, {}, [], ["changed"], { toString: () => "changed" }, "Changed", "x".repeat(1e6)];
  for (const data of [...odd, { event: "session", data: { trigger: "signout" } }, { session: { user: {} } }]) {
    browser.say(NAME, data);
  }
  for (const name of ["x-auth:/other", "next-auth", ""]) browser.say(name, "changed");
  one.page.dispatch("message", { data: "changed", origin: "https://evil.test" });
  one.page.dispatch("storage", { key: "x-auth:/auth", newValue: "changed" });
  await settled();
  assert.equal(one.count(), 1);
  stop();
});

test("a message can make a page ask, and never says who is signed in", async () => {
  const { browser, tab } = openSite();
  const one = tab();
  const stop = await watch(one);
  for (let time = 0; time < 100; time++) browser.say(NAME, "changed");
  await settled();
  assert.equal(last(one)?.status, "unauthenticated");
  assert.ok(one.count() <= 4, `it asked ${one.count()} times`);
  stop();
});

test("the same answer tells nobody anything", async () => {
  const tab = openSite().tab();
  await tab.client.signIn("credentials", here);
  const stop = await watch(tab);
  const expires = new Date(Date.now() + 60_000).toISOString();
  tab.page.answer = () => Promise.resolve(Response.json({ user: { name: "Ada" }, expires }));
  await tab.client.refresh();
  const told = tab.states.length;
  await tab.client.refresh();
  assert.equal(tab.states.length, told);
  stop();
});

test("a page with the session that a server has read asks nothing until it may have changed", async () => {
  const session = { user: { name: "Ada" }, expires: "2999-01-01T00:00:00.000Z" };
  const tab = openSite().tab(session);
  const stop = await watch(tab);
  assert.deepEqual(tab.states, [{ status: "authenticated", session, failed: false }]);
  assert.equal(tab.count(), 0);
  await after(5000, async () => {
    tab.page.dispatch("focus");
    await settled();
  });
  assert.equal(last(tab)?.status, "unauthenticated");
  stop();
});

test("whoever watches already hears of the session that a server has read", async () => {
  const tab = openSite().tab();
  const connection = open("/auth", tab.page.browser);
  let heard = 0;
  tab.page.answer = () => Promise.reject(new TypeError("no network"));
  const stop = subscribe(connection, () => void heard++);
  seed(connection, null);
  await Promise.resolve();
  assert.equal(heard, 1);
  stop();
});

test("a session of a server does not replace what a page knows better", async () => {
  const { browser } = openSite();
  const connection = open("/auth", browser.tab().browser);
  await clientOf(connection).refresh();
  seed(connection, { user: { name: "Old" }, expires: "2999-01-01T00:00:00.000Z" });
  assert.equal(connection.state.status, "unauthenticated");
});

test("a session of a server that differs from what a page knows has it ask, at once", async () => {
  const tab = openSite().tab();
  await tab.client.signIn("credentials", here);
  const connection = open("/auth", tab.page.browser);
  await clientOf(connection).refresh();
  assert.equal(connection.state.status, "authenticated");
  const asked = tab.count();
  await tab.client.signOut({ redirect: false });
  seed(connection, connection.state.session);
  await settled();
  assert.equal(tab.count(), asked, "the same session is nothing new");
  seed(connection, undefined);
  await settled();
  assert.equal(tab.count(), asked, "nor is one that is not known");
  seed(connection, null);
  const stop = subscribe(connection, () => {});
  await settled();
  assert.deepEqual([connection.state.status, tab.count()], ["unauthenticated", asked + 1]);
  stop();
});

test("one who watches and throws keeps nothing from the others, and one who has stopped hears nothing", async () => {
  const tab = openSite().tab();
  const connection = open("/auth", tab.page.browser);
  const heard: string[] = [];
  const failures: unknown[] = [];
  const { queueMicrotask: queue } = globalThis;
  globalThis.queueMicrotask = (run) =>
    queue(() => {
      try {
        run();
      } catch (error) {
        failures.push(error);
      }
    });
  try {
    const stops = [
      subscribe(connection, () => {
        stops[1]?.();
        throw new Error("mine");
      }),
      subscribe(connection, () => void heard.push("stopped")),
      subscribe(connection, () => void heard.push("other")),
    ];
    await settled();
    for (const stop of stops) stop();
  } finally {
    globalThis.queueMicrotask = queue;
  }
  assert.deepEqual(heard, ["other"]);
  assert.equal(failures.length, 1);
});

test("on a server nothing is asked, and nobody shares what is known", async () => {
  const { connect } = await import("../../../client/core/connection.ts");
  const [one, two] = [connect(), connect()];
  assert.notEqual(one, two);
  seed(one, { user: { name: "Ada" }, expires: "2999-01-01T00:00:00.000Z" });
  assert.equal(two.state.status, "loading");
  assert.equal(connect().state.status, "loading");
  const stop = subscribe(one, () => assert.fail("nothing happens"));
  await settled();
  stop();
});
