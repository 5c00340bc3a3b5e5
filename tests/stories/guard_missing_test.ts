import assert from "node:assert/strict";
import { test } from "node:test";
import { Auth, type AuthConfig, createAuth } from "@x/auth";
import { ExpressAuth } from "@x/auth/express";
import { FreshAuth } from "@x/auth/fresh";
import { HonoAuth } from "@x/auth/hono";
import { recordLog, testConfig } from "../_support/service.ts";

const SESSION = "http://localhost:3000/auth/session";

function config(given: AuthConfig = { protect: ["/members/*"] }) {
  const { logger, warnings } = recordLog();
  return {
    config: testConfig({ ...given, logger }),
    missing: () => warnings.filter((code) => code === "guard-missing"),
  };
}

test("a service with protect that nobody guards with says so once, at its first request", async () => {
  const { config: given, missing } = config();
  const { handler, auth } = createAuth(given);
  await auth(new Request(SESSION));
  assert.deepEqual(missing(), [], "reading a session is no answer of the service");
  for (let visit = 0; visit < 3; visit++) await handler(new Request(SESSION));
  assert.deepEqual(missing(), ["guard-missing"]);
});

test("a service without protect, or with a guard, says nothing of it", async () => {
  const open = config({});
  await createAuth(open.config).handler(new Request(SESSION));
  assert.deepEqual(open.missing(), []);
  const guarded = config();
  const { handler, auth } = createAuth(guarded.config);
  auth(() => new Response());
  await handler(new Request(SESSION));
  assert.deepEqual(guarded.missing(), []);
});

test("the one-call form has no guard, and says so", async () => {
  const { config: given, missing } = config();
  await Auth(new Request(SESSION), given);
  assert.deepEqual(missing(), ["guard-missing"]);
});

test("check() finds that nothing guards, until something does", async () => {
  const { check, auth } = createAuth(config().config);
  await assert.rejects(check(), /`protect` is set, and nothing guards with it.*before you call `check\(\)`/s);
  auth(() => new Response());
  await check();
});

const BINDINGS = [["Express", ExpressAuth], ["Fresh", FreshAuth], ["Hono", HonoAuth]] as const;

for (const [name, serve] of BINDINGS) {
  test(`${name}: check() finds that the middleware was not mounted`, async () => {
    const service = serve(config().config);
    await assert.rejects(service.check(), /nothing guards with it/);
    assert.equal(typeof service.middleware, "function");
    await service.check();
  });
}
