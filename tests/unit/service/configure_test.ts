import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "../../../src/service/engine.ts";
import { testRuntime } from "../_builders.ts";
import { recordLog } from "../../_support/service.ts";

function open() {
  const { logger, errors } = recordLog();
  const runtime = testRuntime();
  const engine = createEngine({ secret: [], trustHost: true, providers: [], logger }, runtime);
  const ask = () => engine.run(new Request("https://app.test/auth/session"));
  return { ask, runtime, errors };
}

test("a problem that is still there is logged again after a minute, and not before", async () => {
  const { ask, runtime, errors } = open();
  await ask();
  runtime.advance(59);
  await ask();
  assert.equal(errors.length, 1);
  runtime.advance(1);
  await ask();
  await ask();
  assert.equal(errors.length, 2);
});

test("hosts that strangers invent do not fill the memory of what was logged", async () => {
  const { logger, errors } = recordLog();
  const engine = createEngine({ secret: "s".repeat(32), providers: [], logger }, testRuntime());
  const ask = (host: string) => engine.run(new Request(`https://${host}/auth/session`));
  for (let n = 0; n < 300; n++) await ask(`h${n}.test`);
  errors.length = 0;
  await ask("h299.test");
  assert.equal(errors.length, 0, "the last ones are remembered");
  await ask("h0.test");
  assert.equal(errors.length, 1, "the first ones are not");
});

test("what the environment has for a proxy that is not believed is looked up once, however many requests it forwards", async () => {
  const looked: string[] = [];
  const runtime = { ...testRuntime(), env: (name: string) => void looked.push(name) };
  const engine = createEngine({ secret: "s".repeat(32), providers: [], logger: recordLog().logger }, runtime);
  const headers = { "x-forwarded-host": "shop.test" };
  const ask = () => engine.run(new Request("http://localhost:3000/auth/session", { headers }));
  await ask();
  const once = looked.length;
  for (let n = 0; n < 3; n++) await ask();
  assert.ok(looked.includes("AUTH_TRUST_PROXY"));
  assert.equal(looked.length, once);
});
