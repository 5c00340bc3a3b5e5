import { test } from "node:test";
import assert from "node:assert/strict";
import { createAuth, skipCSRFCheck } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { ADA, testConfig } from "../_support/service.ts";

const FORM = "application/x-www-form-urlencoded";
const MOCK = { id: "mock", name: "Mock", type: "oidc", issuer: "https://id.test", clientId: "c" } as const;

function open(): Browser {
  const { providers = [] } = testConfig();
  return new Browser(createAuth(testConfig({ providers: [...providers, MOCK] })).handler);
}

async function assertRefused(answer: Response, status: number): Promise<void> {
  assert.equal(answer.status, status);
  assert.deepEqual(Object.keys(await answer.json()), ["message"]);
  assert.deepEqual(answer.headers.getSetCookie(), []);
}

const MISSING = [
  ...["/", "/auth", "/auth/", "/auth/nothing", "/authsession", "/auth/session/x", "/auth//session", "/AUTH/session"],
  ...[
    "/auth/signin/nobody",
    "/auth/callback/nobody",
    "/auth/callback",
    "/auth/signin/mock/x",
    "/auth/webauthn-options",
  ],
  ...["/auth/constructor", "/auth/signin/__proto__", "/auth/%73ession", "/auth/providers/credentials"],
];

for (const path of MISSING) {
  test(`${path} is answered with 404`, async () => assertRefused(await open().get(path), 404));
}

const WRONG_METHOD: readonly (readonly [method: string, path: string, allow: string])[] = [
  ["DELETE", "/auth/session", "GET, POST, HEAD"],
  ["PUT", "/auth/signin", "GET, POST, HEAD"],
  ["OPTIONS", "/auth/providers", "GET, HEAD"],
  ["POST", "/auth/csrf", "GET, HEAD"],
  ["POST", "/auth/error", "GET, HEAD"],
  ["PATCH", "/auth/signout", "GET, POST, HEAD"],
  ["GET", "/auth/callback/credentials", "POST"],
  ["HEAD", "/auth/callback/mock", "GET"],
  ["POST", "/auth/callback/mock", "GET"],
];

for (const [method, path, allow] of WRONG_METHOD) {
  test(`${method} ${path} is answered with 405 and the methods that are allowed`, async () => {
    const answer = await open().send(method, path);
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get("allow"), allow);
    if (method !== "HEAD") assert.deepEqual(Object.keys(await answer.json()), ["message"]);
  });
}

for (const path of ["/auth/csrf", "/auth/providers", "/auth/session", "/auth/signin", "/auth/signout", "/auth/error"]) {
  test(`HEAD ${path} answers as GET does, without a body`, async () => {
    const [head, get] = [await open().head(path), await open().get(path)];
    assert.equal(head.status, get.status);
    assert.equal(head.headers.get("content-type"), get.headers.get("content-type"));
    assert.equal(await head.text(), "");
  });
}

test("a body of more than 64 KiB is answered with 413", async () => {
  const browser = open();
  await assertRefused(await browser.post("/auth/callback/credentials", { password: "x".repeat(70_000) }), 413);
});

test("a field or parameter that we read may not be repeated", async () => {
  const browser = open();
  const csrfToken = await browser.csrf();
  const headers = { "content-type": FORM };
  const twice = `csrfToken=${csrfToken}&callbackUrl=/a&callbackUrl=/b`;
  await assertRefused(await browser.send("POST", "/auth/signout", twice, { headers }), 400);
  await assertRefused(await browser.get("/auth/signin?callbackUrl=/a&callbackUrl=/b"), 400);
  await assertRefused(await browser.get("/auth/error?error=a&error=b"), 400);
  await assertRefused(await browser.get("/auth/callback/mock?code=a&code=b"), 400);
});

test("a field of the application may be repeated: authorize gets the last", async () => {
  const browser = open();
  const { username, password } = ADA;
  const body = `csrfToken=${await browser.csrf()}&username=x&username=${username}&password=${password}`;
  await browser.send("POST", "/auth/callback/credentials", body, { headers: { "content-type": FORM } });
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
});

test("the CSRF token stays the same while its cookie holds, and a forged cookie is replaced", async () => {
  const browser = open();
  const token = await browser.csrf();
  assert.match(token, /^[0-9a-f]{64}$/);
  assert.equal(await browser.csrf(), token);
  const forged = encodeURIComponent(`${token}|${"0".repeat(64)}`);
  browser.cookies.store(`authjs.csrf-token=${forged}; Path=/`, new URL(browser.origin));
  assert.notEqual(await browser.csrf(), token);
});

test("with skipCSRFCheck there is no token, and forms of other sites are still refused", async () => {
  const browser = new Browser(createAuth(testConfig({ skipCSRFCheck })).handler);
  assert.equal((await browser.get("/auth/csrf")).status, 404);
  await browser.signIn("credentials", ADA);
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
  await browser.post("/auth/signout", {}, { headers: { origin: "https://evil.test" } });
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
});

for (const cookie of ["=", ";;;", "a", "=x; =y", "authjs.session-token=%", `x=${"y".repeat(40_000)}`, "\u00ff=1"]) {
  test(`a cookie header that nobody can read does no harm: ${cookie.slice(0, 24)}`, async () => {
    const answer = await open().get("/auth/session", { headers: { cookie } });
    assert.equal(answer.status, 200);
    assert.equal(await answer.json(), null);
  });
}

const LONG = Array.from({ length: 15_000 }, (_, at) => at.toString(36)).join("&");

test("a query of 60 kB is read where few parameters are needed, and refused where all are", async () => {
  for (const path of ["session", "csrf", "providers", "signin", "signout", "error", "verify-request"]) {
    assert.equal((await open().get(`/auth/${path}?${LONG}`)).status, 200, path);
  }
  await assertRefused(await open().get(`/auth/callback/mock?${LONG}`), 400);
  const browser = open();
  const csrfToken = await browser.csrf();
  await assertRefused(await browser.post(`/auth/signin/mock?${LONG}`, { csrfToken }), 400);
  await assertRefused(await browser.post(`/auth/signin/mock?a=${"x".repeat(9000)}`, { csrfToken }), 400);
});

test("a parameter is found among thousands of others, and refused when it is repeated", async () => {
  const answer = await open().get(`/auth/signin?${LONG}&email=ada%40example.com&${LONG}`);
  assert.equal(answer.status, 200);
  await assertRefused(await open().get(`/auth/signin?callbackUrl=/a&${LONG}&c%61llbackUrl=/b`), 400);
});
