/** The routes for related origins, as docs/passkeys.md prints them for frameworks. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import express from "express";
import { Hono } from "hono";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { ExpressAuth } from "@x/auth/express";
import { FreshAuth } from "@x/auth/fresh";
import { HonoAuth } from "@x/auth/hono";
import { passkey } from "@x/auth/providers/passkey";
import { App } from "../../scripts/docs/fresh.ts";
import { testConfig } from "../_support/service.ts";

const PATH = "/.well-known/webauthn";

const CONFIG = testConfig({
  adapter: memoryAdapter(),
  providers: [passkey({ relayingParty: { id: "localhost" }, relatedOrigins: ["https://example.de"] })],
});

/** The code of each row, by the frameworks that it is for. */
const ROWS = new Map(
  [...readFileSync("docs/passkeys.md", "utf8").matchAll(/^\| ([A-Z][^|]*?) +\| `(app\.[^`]+)` +\|$/gm)]
    .flatMap(([, names = "", code = ""]) => names.split(", ").map((name) => [name, code] as const)),
);

function addRoute(framework: string, app: unknown, auth: unknown): void {
  const code = ROWS.get(framework) ?? assert.fail(`no row for ${framework}`);
  new Function("app", "auth", code)(app, auth);
}

async function assertTells(answer: Response): Promise<void> {
  assert.deepEqual(await answer.json(), { origins: ["https://example.de"] });
}

test("the route for Hono tells browsers the related origins", async () => {
  const app = new Hono();
  addRoute("Hono", app, HonoAuth(CONFIG));
  await assertTells(await app.request(PATH));
});

test("the route for Fresh tells browsers the related origins", async () => {
  const app = new App();
  addRoute("Fresh", app, FreshAuth(CONFIG));
  await assertTells(await app.handler()(new Request(`http://localhost:3000${PATH}`)));
});

test("the route for Express tells browsers the related origins", async () => {
  const app = express();
  addRoute("Express", app, ExpressAuth(CONFIG));
  const server = createServer(app);
  try {
    await new Promise<void>((resolve) => void server.listen(0, "localhost", resolve));
    const address = server.address();
    assert.ok(address && typeof address === "object");
    await assertTells(await fetch(`http://localhost:${address.port}${PATH}`));
  } finally {
    server.close();
  }
});
