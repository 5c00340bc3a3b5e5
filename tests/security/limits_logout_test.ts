/** Logout tokens cost only if they are not valid: a provider that logs everybody out is never limited. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "@x/auth/limits";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { createEngine } from "../../src/service/engine.ts";
import { respond } from "../../src/service/respond.ts";
import { mayGuess } from "../../src/request/points.ts";
import { testRuntime } from "../_support/runtime.ts";
import { testConfig } from "../_support/service.ts";

const URL_OF = "http://localhost:3000/auth/backchannel-logout/idp";

function open() {
  const config = testConfig({
    adapter: memoryAdapter(),
    features: [limits({ clientAddress: { header: "x-client" } })],
    providers: [{ id: "idp", name: "P", type: "oidc", issuer: "https://idp.test", clientId: "c", clientSecret: "s" }],
  });
  const engine = createEngine(config, testRuntime());
  const requestOf = (address: string) => {
    const headers = { "x-client": address, "content-type": "application/x-www-form-urlencoded" };
    return new Request(URL_OF, { method: "POST", headers, body: "a=b" });
  };
  const send = async (address: string) => (await respond(await engine.run(requestOf(address)))).status;
  return { engine, send, requestOf };
}

test("a network has 50 logout tokens that are not valid, and others are not concerned", async () => {
  const { send } = open();
  for (let times = 0; times < 51; times++) assert.equal(await send("203.0.113.7"), 400);
  assert.equal(await send("203.0.113.7"), 429);
  assert.equal(await send("198.51.100.1"), 400);
});

test("a provider that ends the sessions of 5,000 people is never limited", async () => {
  const { engine, requestOf } = open();
  const ctx = await engine.open(requestOf("203.0.113.7"));
  for (let person = 0; person < 5000; person++) {
    const judged = await mayGuess(ctx, { kind: "logout", provider: "idp", subject: null });
    await judged?.(true);
  }
});
