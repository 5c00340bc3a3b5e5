import assert from "node:assert/strict";
import { test } from "node:test";
import { findSentEmail } from "../../../src/views/sent_email.ts";
import type { RequestContext } from "../../../src/request/context.ts";
import { testConfig, testContext, testRuntime } from "../_builders.ts";

const COOKIE = "__Secure-authjs.email";
const CLAIMS = { provider: "email", identifier: "ada@example.com", hash: "0f" };

/** The context of a browser whose cookie holds these claims. */
async function holding(claims: Record<string, unknown>, salt = COOKIE, later = 0): Promise<RequestContext> {
  const runtime = testRuntime();
  const config = testConfig({}, runtime);
  const sealed = await config.sealer.seal(claims, { salt, maxAge: 600 });
  runtime.advance(later);
  return testContext("https://app.test/auth/verify-request", { config, cookies: { [COOKIE]: sealed } });
}

test("findSentEmail() reads the address and the time that is left from the cookie of this browser", async () => {
  assert.deepEqual(await findSentEmail(await holding(CLAIMS), "email"), { to: "ada@example.com", seconds: 600 });
  assert.deepEqual(await findSentEmail(await holding(CLAIMS, COOKIE, 240), "email"), {
    to: "ada@example.com",
    seconds: 360,
  });
});

test("findSentEmail() says what the link does about a password, and nothing of other purposes", async () => {
  for (const purpose of ["confirm", "reset"]) {
    assert.equal((await findSentEmail(await holding({ ...CLAIMS, purpose }), "email"))?.purpose, purpose);
  }
  for (const purpose of [undefined, "sign-in", "change", 1]) {
    const found = await findSentEmail(await holding({ ...CLAIMS, ...(purpose !== undefined && { purpose }) }), "email");
    assert.ok(found && !("purpose" in found));
  }
});

test("findSentEmail() says nothing once the link has expired, although the cookie still opens", async () => {
  assert.equal(await findSentEmail(await holding(CLAIMS, COOKIE, 600), "email"), null);
  assert.notEqual(await findSentEmail(await holding(CLAIMS, COOKIE, 599), "email"), null);
});

test("findSentEmail() says nothing for another provider, or for none", async () => {
  for (const provider of ["mail", "", null]) assert.equal(await findSentEmail(await holding(CLAIMS), provider), null);
});

test("findSentEmail() does not believe a cookie that it cannot open, or that holds something else", async () => {
  const plain = testContext("https://app.test/auth/verify-request?email=eve@example.com", {
    config: testConfig(),
    cookies: { [COOKIE]: JSON.stringify(CLAIMS) },
  });
  assert.equal(await findSentEmail(plain, "email"), null);
  assert.equal(await findSentEmail(await holding(CLAIMS, "another-cookie"), "email"), null);
  assert.equal(await findSentEmail(await holding({ ...CLAIMS, identifier: { a: 1 } }), "email"), null);
});
