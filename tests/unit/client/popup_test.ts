import { test } from "node:test";
import assert from "node:assert/strict";
import { createAuth } from "../../../src/auth.ts";
import type { AuthResult } from "../../../client/client.ts";
import { type AuthClient, clientOf } from "../../../client/core/auth_client.ts";
import { open } from "../../../client/core/connection.ts";
import { ADA, password, testConfig } from "../../_support/service.ts";
import { TestBrowser, type TestPage } from "../../_support/page.ts";

const HOME = "http://localhost:3000/";
const NAME = "x-auth:/auth";
const CLOSED = { ok: false, error: "PopupClosed", status: 0 };

const oauth = {
  id: "acme",
  name: "Acme",
  type: "oauth",
  clientId: "app",
  clientSecret: "secret",
  authorization: "https://acme.test/authorize",
  token: "https://acme.test/token",
  userinfo: "https://acme.test/me",
} as const;

interface Started {
  readonly browser: TestBrowser;
  readonly page: TestPage;
  readonly client: AuthClient;
  readonly result: Promise<AuthResult>;
  /** The fragment of the page that the popup ends on. */
  readonly mark: string;
}

/** Somebody presses the button of a provider. */
async function start(options: object = {}, prepare = async (_: AuthClient) => {}): Promise<Started> {
  const { handler } = createAuth(testConfig({ providers: [oauth, password()] }));
  const browser = new TestBrowser((request) => handler(request));
  let callbackUrl = "";
  const page = browser.tab(`${HOME}cart`);
  page.answer = async (request) => {
    if (request.url.includes("/signin/acme")) ({ callbackUrl } = await request.clone().json());
    return await handler(request);
  };
  const client = clientOf(open("/auth", page.browser));
  await prepare(client);
  // The window looks cut off as soon as it has left, and has the focus.
  page.focused = false;
  const result = client.signIn("acme", { mode: "popup", ...options });
  assert.equal(page.popups.length, 1, "it was opened before anything was waited for");
  while (page.popups[0]?.visits.length === 0 && !page.popups[0].closed) await wait(1);
  return { browser, page, client, result, mark: callbackUrl.replace(/^[^#]*/, "") };
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Signs in as the callback of a provider would, in another tab. */
async function arrive(browser: TestBrowser): Promise<void> {
  await clientOf(open("/auth", browser.tab().browser)).signIn("credentials", { ...ADA, redirect: false });
}

test("a popup shows the provider, and the page gets the result when the popup says that it is back", async () => {
  const { browser, page, result, mark } = await start();
  assert.match(page.popups[0]?.visits.join() ?? "", /^https:\/\/acme\.test\/authorize\?/);
  assert.match(mark, /^#x-auth-popup=\d+$/);
  await arrive(browser);
  const popup = browser.tab(`${HOME}cart${mark}`);
  const stop = clientOf(open("/auth", popup.browser)).watchSession(() => {});
  assert.deepEqual(await result, { ok: true, url: `${HOME}cart` });
  assert.equal(popup.closed, true);
  assert.equal(popup.browser.location.href, `${HOME}cart`, "where it stays open, the page is like any other");
  assert.deepEqual(page.visits, []);
  assert.equal(page.open.channels, 0);
  stop();
});

test("a popup ends where it was told to, and this page goes there only if it shall", async () => {
  const { browser, page, result, mark } = await start({ redirectTo: "/done", redirect: true });
  await arrive(browser);
  browser.say(NAME, mark);
  assert.deepEqual(await result, { ok: true, url: `${HOME}done` });
  assert.deepEqual(page.visits, [`${HOME}done`]);
});

test("a popup that is only cut off is not taken for closed", async () => {
  const { browser, page, result, mark } = await start();
  Object.assign(page.popups[0] ?? {}, { closed: true });
  const first = await Promise.race([result, wait(700)]);
  assert.equal(first, undefined);
  await arrive(browser);
  browser.say(NAME, mark);
  assert.equal((await result).ok, true);
});

test("a popup that the person closes is PopupClosed", async () => {
  const { page, result } = await start();
  Object.assign(page.popups[0] ?? {}, { closed: true });
  page.focused = true;
  assert.deepEqual(await result, CLOSED);
  assert.equal(page.open.channels, 0);
});

test("a popup that is closed on a page that said nothing has signed in all the same", async () => {
  const { browser, page, result } = await start();
  await arrive(browser);
  Object.assign(page.popups[0] ?? {}, { closed: true });
  page.focused = true;
  assert.equal((await result).ok, true);
});

test("somebody who was signed in before and closes the popup has not signed in", async () => {
  const { page, result } = await start({}, async (client) => {
    await client.signIn("credentials", { ...ADA, redirect: false });
  });
  Object.assign(page.popups[0] ?? {}, { closed: true });
  page.focused = true;
  assert.deepEqual(await result, CLOSED);
});

test("a message that claims success signs nobody in, and those of odd shape or for another popup count for nothing", async () => {
  const { browser, page, result, mark } = await start();
  for (const data of [null, {}, [mark], { mark }, "changed", "#x-auth-popup=", `${mark}0`, mark.slice(1)]) {
    browser.say(NAME, data);
  }
  for (const name of ["x-auth:/other", "x-auth"]) browser.say(name, mark);
  page.dispatch("message", { data: mark, origin: "https://evil.test" });
  assert.equal(await Promise.race([result, wait(500)]), undefined);
  browser.say(NAME, mark);
  assert.deepEqual(await result, CLOSED);
});

test("a browser that opens no popup is PopupBlocked, and nothing is asked", async () => {
  const { handler } = createAuth(testConfig({ providers: [oauth] }));
  const page = new TestBrowser((request) => handler(request)).tab();
  page.opensPopups = false;
  const client = clientOf(open("/auth", page.browser));
  assert.deepEqual(await client.signIn("acme", { mode: "popup" }), { ok: false, error: "PopupBlocked", status: 0 });
  assert.deepEqual(page.asked, []);
});

test("a popup that nobody needs any more is closed", async () => {
  const abort = new AbortController();
  const { page, result } = await start({ signal: abort.signal });
  abort.abort();
  assert.deepEqual(await result, { ok: false, error: "Cancelled", status: 0 });
  assert.equal(page.popups[0]?.closed, true);
});

test("a provider without a page of its own needs no popup", async () => {
  const { handler } = createAuth(testConfig());
  const page = new TestBrowser((request) => handler(request)).tab();
  const client = clientOf(open("/auth", page.browser));
  assert.equal((await client.signIn("credentials", { ...ADA, mode: "popup" })).ok, true);
  assert.deepEqual([page.popups[0]?.closed, page.popups[0]?.visits], [true, []]);
  assert.deepEqual(page.visits, []);
});

test("a service that refuses to start closes the popup", async () => {
  const { handler } = createAuth(testConfig({ providers: [oauth] }));
  const page = new TestBrowser((request) => handler(request)).tab();
  const client = clientOf(open("/auth", page.browser));
  await client.getProviders();
  page.answer = () => Promise.resolve(Response.json({ message: "Try again later" }, { status: 503 }));
  assert.deepEqual(await client.signIn("acme", { mode: "popup" }), { ok: false, error: "Refused", status: 503 });
  assert.equal(page.popups[0]?.closed, true);
});
