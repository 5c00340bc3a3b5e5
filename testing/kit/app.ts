/**
 * An application under test, in any of the forms that frameworks give it.
 *
 * @module
 */
import type { Awaitable } from "../../src/kernel/model.ts";
import type { Site } from "./browser.ts";
import { assertNobodys } from "./guard.ts";

/**
 * What the configuration of an application needs to run in a test. Spread it into the configuration:
 * `createAuth({ ...config, ...test })`. It has no members that you can read.
 */
export type TestConfig = Readonly<Record<symbol, unknown>>;

/** Answers requests. */
export type AppHandler = (request: Request) => Awaitable<Response>;

/**
 * An application: a function, an object with such a function as `fetch` (Hono, Elysia and others) or `handler`, or the
 * address of a server that this test has started on this machine.
 */
export type App =
  | AppHandler
  | { readonly fetch: (request: Request) => Awaitable<Response>; readonly close?: () => unknown }
  | { readonly handler: (request: Request) => Awaitable<Response>; readonly close?: () => unknown }
  | { readonly url: string; readonly close?: () => unknown };

/** Makes the application of a test. @param test What to spread into its configuration. */
export type AppSource = (test: TestConfig) => Awaitable<App>;

/** Gives what answers the requests for an application. */
export function siteOf(app: App): Site {
  if (typeof app === "function") return async (request) => await app(request);
  if ("url" in app) return serverAt(app.url);
  if ("fetch" in app) return async (request) => await app.fetch(request);
  return async (request) => await app.handler(request);
}

// The site is called what the test calls it, wherever its server listens.
function serverAt(address: string): Site {
  assertNobodys(address, true);
  return async (request) => {
    const { pathname, search, host } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set("x-forwarded-host", host);
    const body = request.body ? await request.arrayBuffer() : null;
    return await fetch(new URL(pathname + search, address), {
      method: request.method,
      headers,
      body,
      redirect: "manual",
    });
  };
}
