import { test } from "node:test";
import assert from "node:assert/strict";
import { type CookieOverrides, cookieSpecs } from "../../../src/http/cookie_specs.ts";
import { weaknesses } from "../../../src/service/inner_findings.ts";

function says(cookies: CookieOverrides, { origin = null, type = "oauth" }: Given = {}): string[] {
  const specs = { secure: cookieSpecs(true, cookies), plain: cookieSpecs(false, cookies) };
  return weaknesses({ origin, cookies: specs, providers: new Map([["a", { type }]]) }).map((each) => each.join(": "));
}

interface Given {
  readonly origin?: string | null;
  readonly type?: "oauth" | "credentials";
}

test("weaknesses() finds nothing in the cookies of the service, and in addresses by https or of this machine", () => {
  for (const origin of [null, "https://example.com", "http://localhost:3000", "http://127.0.0.1", "http://[::1]:80"]) {
    assert.deepEqual(says({}, { origin }), []);
  }
});

test("weaknesses() names the cookie and the attribute that makes it weak", () => {
  const weak: readonly (readonly [CookieOverrides, RegExp])[] = [
    [{ csrfToken: { options: { httpOnly: false } } }, /^cookie-weak: `cookies\.csrfToken` has `httpOnly: false`/],
    [
      { sessionToken: { options: { sameSite: "none" } } },
      /^cookie-weak: `cookies\.sessionToken` has `sameSite: "none"`/,
    ],
    [{ state: { options: { sameSite: "strict" } } }, /^cookie-weak: `cookies\.state` has `sameSite: "strict"`/],
    [{ sessionToken: { options: { path: "/app" } } }, /^cookie-weak: `cookies\.sessionToken` has another `path`/],
  ];
  for (const [cookies, expected] of weak) {
    const [first = "", ...more] = says(cookies);
    assert.match(first, expected);
    assert.deepEqual(more, []);
  }
});

test("weaknesses() lets a provider post its answer, and a service without providers be strict", () => {
  assert.deepEqual(says({ state: { options: { sameSite: "none" } } }), []);
  assert.deepEqual(says({ state: { options: { sameSite: "strict" } } }, { type: "credentials" }), []);
});

test("weaknesses() warns of an address by http", () => {
  assert.deepEqual(says({}, { origin: "http://example.com" }), [
    "origin-insecure: AUTH_URL is http://example.com: anybody on the way reads the cookies, so serve the site by https",
  ]);
});
