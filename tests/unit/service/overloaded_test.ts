/** While too many passwords wait for being hashed, visitors are asked to come back in some seconds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Overloaded } from "../../../src/kernel/errors.ts";
import { createEngine } from "../../../src/service/engine.ts";
import { respond } from "../../../src/service/respond.ts";
import { Browser } from "../../_support/browser.ts";
import { ADA, password, recordLog, testConfig } from "../../_support/service.ts";
import { testRuntime } from "../_builders.ts";

function open() {
  const { logger, errors } = recordLog();
  const authorize = () => Promise.reject(new Overloaded("100 others wait"));
  const engine = createEngine(testConfig({ logger, providers: [password({ authorize })] }), testRuntime());
  const browser = new Browser(async (request) => await respond(await engine.run(request)), { mayFail: true });
  return { browser, errors };
}

async function post(browser: Browser, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const { csrfToken } = await (await browser.get("/auth/csrf")).json();
  return await browser.post("/auth/callback/credentials", { ...ADA, csrfToken }, { headers });
}

test("whoever types a password then gets status 503 and a time to come back", async () => {
  const { browser, errors } = open();
  const answer = await post(browser);
  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get("retry-after"), "5");
  assert.deepEqual(await answer.json(), { message: "Try again later" });
  assert.deepEqual(errors.map(({ name }) => name), ["Overloaded"]);
});

test("a client of Auth.js finds the error where it looks for one", async () => {
  const { browser } = open();
  const answer = await post(browser, { "x-auth-return-redirect": "1" });
  assert.deepEqual([answer.status, answer.headers.get("retry-after")], [503, "5"]);
  const { url } = await answer.json();
  assert.equal(new URL(url).searchParams.get("error"), "Configuration");
});
