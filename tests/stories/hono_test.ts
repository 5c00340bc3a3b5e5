import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import * as second from "@hono/node-server";
import { Hono } from "hono";
import * as first from "node-server-1";
import { openAllProviders, visitInTurns } from "../_support/two_visitors.ts";

const VERSIONS = [["1.19.19", first], ["2.1.8", second]] as const;

/** Both versions replace the global `Request` and `Response` when a server is made. */
function keepGlobals(t: TestContext): void {
  const { Request, Response } = globalThis;
  t.after(() => {
    for (const [name, value] of Object.entries({ Request, Response })) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
  });
}

/** Opens a server of `node:http` with an application whose every path is answered by the service, or beside it. */
async function open(t: TestContext, { createAdaptorServer }: typeof first | typeof second): Promise<string> {
  let answer = (_request: Request): Promise<Response> => Promise.reject(new Error("it is not open yet"));
  const app = new Hono().all("*", (ctx) => answer(ctx.req.raw));
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  answer = openAllProviders("jwt", origin);
  return origin;
}

for (const [version, nodeServer] of VERSIONS) {
  test(`Hono with @hono/node-server ${version} shows nobody what is another's`, async (t) => {
    keepGlobals(t);
    const origin = await open(t, nodeServer);
    const ask = (path: string, init: RequestInit) => fetch(origin + path, { ...init, redirect: "manual" });
    for (const seed of [4, 5]) await visitInTurns(ask, { origin, seed, steps: 60 });
  });
}

for (const [version, nodeServer] of VERSIONS) {
  test(`the Response of @hono/node-server ${version} keeps its headers when its body is read first`, async (t) => {
    keepGlobals(t);
    await open(t, nodeServer);
    const answer = openAllProviders("jwt", "http://localhost:3000");
    for (const path of ["/auth/session", "/auth/csrf", "/auth/signin"]) {
      const response = await answer(new Request(`http://localhost:3000${path}`));
      await response.text();
      assert.equal(response.headers.get("vary"), "Cookie", path);
    }
  });
}
