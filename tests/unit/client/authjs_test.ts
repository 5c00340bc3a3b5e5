/** The functions of `next-auth/react` and of the other clients of Auth.js, in a page of a site. */
import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { createElement, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import * as authjs from "../../../client/core/authjs.ts";
import { open } from "../../../client/core/connection.ts";
import { refetch } from "../../../client/core/refetch.ts";
import * as solid from "../../../client/core/authjs_solid.ts";
import * as next from "../../../client/next_react.ts";
import * as react from "../../../client/react.ts";
import { createAuth } from "../../../src/auth.ts";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { TestBrowser, type TestPage } from "../../_support/page.ts";
import { ADA, testConfig } from "../../_support/service.ts";

const HOME = "http://localhost:3000/";
const HERE = { ...ADA, redirect: false };

/** What the clients use of a page. */
const GLOBALS = ["document", "location", "fetch", "BroadcastChannel", "addEventListener"] as const;

const real = GLOBALS.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);

afterEach(() => {
  for (const [name, descriptor] of real) {
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    else delete (globalThis as Record<string, unknown>)[name];
  }
});

/** Makes this program a page of a site. Each has a path of its own, because a page keeps its connections. */
function visit(basePath: string, config: AuthConfig = {}): TestPage {
  const { handler } = createAuth(testConfig({ basePath, ...config }));
  const page = new TestBrowser((request) => handler(request)).tab();
  for (const name of GLOBALS) {
    Object.defineProperty(globalThis, name, { value: page.browser[name], configurable: true, writable: true });
  }
  return page;
}

test("signIn() and signOut() give what those of Auth.js give, and a wrong password is not ok", async () => {
  const basePath = "/one";
  visit(basePath);
  assert.deepEqual(await authjs.signIn("credentials", { ...HERE, password: "wrong", basePath }), {
    error: "CredentialsSignin",
    code: "credentials",
    status: 200,
    ok: false,
    url: null,
  });
  assert.deepEqual(await authjs.signIn("credentials", { ...HERE, callbackUrl: "/members", basePath }), {
    error: undefined,
    code: undefined,
    status: 200,
    ok: true,
    url: `${HOME}members`,
  });
  assert.equal((await authjs.getSession({ basePath }))?.user?.name, "Ada Lovelace");
  assert.deepEqual(await authjs.signOut({ redirect: false, callbackUrl: "/bye", basePath }), {
    ok: true,
    url: `${HOME}bye`,
  });
  assert.equal(await authjs.getSession({ basePath }), null);
});

test("signIn() goes to the sign-in page where no provider has the id, and stays if it is told to", async () => {
  const basePath = "/two";
  const page = visit(basePath);
  const { error } = await authjs.signIn("nobody", { redirect: false, basePath });
  assert.deepEqual([error, page.visits], ["UnknownProvider", []]);
  await authjs.signIn("nobody", { callbackUrl: "/members", basePath });
  const callbackUrl = encodeURIComponent(`${HOME}members`);
  assert.deepEqual(page.visits, [`${HOME}two/signin?callbackUrl=${callbackUrl}`]);
});

test("questions that nobody answers give nothing, and throw nothing", async () => {
  const basePath = "/three";
  const page = visit(basePath);
  assert.match(await authjs.getCsrfToken({ basePath }), /^[0-9a-f]{64}$/);
  page.answer = () => Promise.reject(new TypeError("no network"));
  assert.deepEqual(
    [
      await authjs.getSession({ basePath }),
      await authjs.getProviders({ basePath }),
      await authjs.getCsrfToken({ basePath }),
    ],
    [null, null, ""],
  );
  page.answer = null;
  assert.deepEqual(Object.keys(await authjs.getProviders({ basePath }) ?? {}), ["credentials"]);
});

test("signOut() that fails says so, and names this page as the one to go to", async () => {
  const page = visit("/five");
  page.answer = () => Promise.reject(new TypeError("no network"));
  const { ok, url } = await authjs.signOut({ redirect: false, basePath: "/five" });
  assert.deepEqual([ok, url, page.visits], [false, HOME, []]);
});

function Status({ required }: { readonly required?: boolean }): ReactNode {
  return react.useSession(required ? { required } : {}).status;
}

function render(Provider: typeof react.SessionProvider, props: react.SessionProviderProps, required?: boolean): string {
  return renderToString(createElement(Provider, props, createElement(Status, required ? { required } : null)));
}

test("the functions of /react ask the service that the SessionProvider names", async () => {
  const page = visit("/four");
  assert.equal(render(react.SessionProvider, { basePath: "/four", session: null }), "unauthenticated");
  await react.signIn("credentials", HERE);
  assert.equal((await react.getSession())?.user?.name, "Ada Lovelace");
  assert.ok(page.asked.every((line) => / \/four\//.test(line)), `${page.asked}`);
});

test("the functions of /next-react ask the service at /api/auth, without a SessionProvider, too", async () => {
  const page = visit("/api/auth");
  await next.signIn("credentials", HERE);
  assert.equal((await next.getSession())?.user?.name, "Ada Lovelace");
  assert.match(await next.getCsrfToken(), /^[0-9a-f]{64}$/);
  assert.deepEqual(Object.keys(await next.getProviders() ?? {}), ["credentials"]);
  assert.equal((await next.signOut({ redirect: false })).ok, true);
  assert.equal(render(next.SessionProvider, { session: null }), "unauthenticated");
  assert.ok(page.asked.every((line) => / \/api\/auth\//.test(line)), `${page.asked}`);
});

test("the functions of /solid-start/client ask the service at /api/auth", async () => {
  const page = visit("/api/auth");
  await solid.signIn("credentials", HERE);
  assert.equal((await solid.getSession())?.user?.name, "Ada Lovelace");
  assert.match(await solid.getCsrfToken(), /^[0-9a-f]{64}$/);
  assert.deepEqual(Object.keys(await solid.getProviders() ?? {}), ["credentials"]);
  assert.equal((await solid.signOut({ redirect: false })).ok, true);
  assert.ok(page.asked.every((line) => / \/api\/auth\//.test(line)), `${page.asked}`);
});

test("a component that requires somebody is loading while nobody is there", () => {
  assert.equal(render(react.SessionProvider, { session: null }, true), "loading");
  const session = { user: { name: "Ada" }, expires: "2999-01-01T00:00:00.000Z" };
  assert.equal(render(react.SessionProvider, { session }, true), "authenticated");
});

test("refetchInterval asks while somebody is signed in, and not offline if that is not wanted", () => {
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    const { browser } = new TestBrowser(() => Promise.resolve(new Response(null))).tab();
    const navigator = { onLine: true };
    const connection = open("/auth", Object.assign(browser, { navigator }) as typeof browser);
    let asked = 0;
    const stop = refetch(connection, { refetchInterval: 60, refetchWhenOffline: false }, () => asked++);
    mock.timers.tick(60_000);
    assert.equal(asked, 0, "nobody is signed in");
    connection.state = { status: "authenticated", session: { expires: "2999-01-01T00:00:00.000Z" }, failed: false };
    mock.timers.tick(120_000);
    assert.equal(asked, 2);
    navigator.onLine = false;
    mock.timers.tick(60_000);
    assert.equal(asked, 2, "offline");
    navigator.onLine = true;
    stop();
    mock.timers.tick(60_000);
    assert.equal(asked, 2, "stopped");
  } finally {
    mock.timers.reset();
  }
});

test("refetchOnWindowFocus: false lets the person come back without a question", () => {
  const page = new TestBrowser(() => Promise.resolve(new Response(null))).tab();
  const connection = open("/auth", page.browser);
  const stop = refetch(connection, { refetchOnWindowFocus: false }, () => assert.fail());
  for (const type of ["focus", "visibilitychange"]) {
    connection.askedAt = 0;
    page.dispatch(type);
    assert.ok(Date.now() - connection.askedAt < 5000, type);
  }
  stop();
  connection.askedAt = 0;
  page.dispatch("focus");
  assert.equal(connection.askedAt, 0);
});
