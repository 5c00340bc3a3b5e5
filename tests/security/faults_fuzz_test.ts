/** Three thousand requests that are almost right. The long tests make many more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAuth } from "@x/auth";
import { printLine } from "../../scripts/print.ts";
import { watchProcess } from "../_support/faults.ts";
import { fuzz } from "../_support/fuzz.ts";
import { recordLog, testConfig } from "../_support/service.ts";

watchProcess();

for (const seed of [1, 2, 3]) {
  test(`a thousand requests of the seed ${seed} are answered as they should be, and everybody can sign in`, async () => {
    const { shots, statuses, entered, vouched } = await fuzz(seed, 1000);
    printLine(`requests by chance: ${shots} rows of the seed ${seed}`);
    assert.ok(entered > 20 && vouched > 3, `${entered} sessions were made on the way, ${vouched} by a provider`);
    for (const status of [200, 302, 400, 404, 405, 415]) assert.ok(statuses.has(status), `some answer is ${status}`);
  });
}

// What chance has found.

test("a query too long to be carried on to a page of the application is the visitor's mistake, not a fault", async () => {
  const { logger, errors } = recordLog();
  const pages = { signIn: "/in", error: "/oops", verifyRequest: "/look" };
  const { handler } = createAuth(testConfig({ logger, pages }));
  const long = "x".repeat(17_000);
  for (const path of [`verify-request?provider=${long}`, `error?error=${long}`, `signin?error=${long}`]) {
    const response = await handler(new Request(`http://localhost:3000/auth/${path}`));
    assert.equal(response.status, 400, path.slice(0, 20));
  }
  assert.deepEqual(errors.map(({ name }) => name), ["BadRequest", "BadRequest", "BadRequest"]);
});
