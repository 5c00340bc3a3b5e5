/** The routes for password managers, as docs/passwords.md prints them for each framework. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { Elysia } from "elysia";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";

const PATH = "/.well-known/change-password";

/** The code of each row, by the frameworks that it is for. */
const ROWS = new Map(
  [...readFileSync("docs/passwords.md", "utf8").matchAll(/^\| ([A-Z][^|]*?) +\| .*?`(app\.[^`]+)` +\|$/gm)]
    .flatMap(([, names = "", code = ""]) => names.split(", ").map((name) => [name, code] as const)),
);

function addRoute(framework: string, app: unknown): void {
  const code = ROWS.get(framework) ?? assert.fail(`no row for ${framework}`);
  new Function("app", code)(app);
}

function assertLeads({ status, headers }: Response): void {
  assert.deepEqual([status, headers.get("location")], [302, "/auth/password"]);
}

test("the route for Hono leads to the page to change a password", async () => {
  const app = new Hono();
  addRoute("Hono", app);
  assertLeads(await app.request(PATH));
});

test("the route for Elysia leads to the page to change a password", async () => {
  const app = new Elysia();
  addRoute("Elysia", app);
  assertLeads(await app.handle(new Request(`http://localhost${PATH}`)));
});

test("the route for Fastify leads to the page to change a password", async () => {
  const app = fastify();
  addRoute("Fastify", app);
  const { statusCode, headers } = await app.inject(PATH);
  assert.deepEqual([statusCode, headers.location], [302, "/auth/password"]);
});

test("the route for Express leads to the page to change a password", async () => {
  const app = express();
  addRoute("Express", app);
  const server = createServer(app);
  try {
    await new Promise<void>((resolve) => void server.listen(0, "localhost", resolve));
    const address = server.address();
    assert.ok(address && typeof address === "object");
    const answer = await fetch(`http://localhost:${address.port}${PATH}`, { redirect: "manual" });
    await answer.body?.cancel();
    assertLeads(answer);
  } finally {
    server.close();
  }
});
