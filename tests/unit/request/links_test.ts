import assert from "node:assert/strict";
import { test } from "node:test";
import type { PageName, PagesOptions } from "../../../src/contract/config.ts";
import { actionUrl, homeUrl, pageUrl } from "../../../src/request/links.ts";
import { paramCallsOf } from "../../_support/param_calls.ts";

function site(pages: PagesOptions = {}, basePath = "/auth") {
  return { url: new URL("https://app.test/auth/signin?x=1"), config: { basePath, pages } };
}

test("actionUrl() links to an action below the base path", () => {
  assert.equal(actionUrl(site(), "callback/idp"), "https://app.test/auth/callback/idp");
  assert.equal(actionUrl(site({}, ""), "signin"), "https://app.test/signin");
});

test("actionUrl() leaves out parameters without a value and encodes the others", () => {
  const query = { a: undefined, b: null, c: "", d: "x&y=z #?", e: "é" };
  assert.equal(actionUrl(site(), "error", query), "https://app.test/auth/error?c=&d=x%26y%3Dz+%23%3F&e=%C3%A9");
});

const PAGES: readonly (readonly [pages: PagesOptions, page: PageName, url: string])[] = [
  [{}, "signIn", "https://app.test/auth/signin?error=E"],
  [{}, "signOut", "https://app.test/auth/signout?error=E"],
  [{}, "error", "https://app.test/auth/error?error=E"],
  [{}, "verifyRequest", "https://app.test/auth/verify-request?error=E"],
  [{}, "signUp", "https://app.test/auth/signup?error=E"],
  [{}, "reset", "https://app.test/auth/reset?error=E"],
  [{}, "password", "https://app.test/auth/password?error=E"],
  [{ signUp: "/join" }, "signUp", "https://app.test/join?error=E"],
  [{ signIn: "/in" }, "signIn", "https://app.test/in?error=E"],
  [{ signIn: "/in?lang=de" }, "signIn", "https://app.test/in?lang=de&error=E"],
  [{ signIn: "/in?error=old&error=older" }, "signIn", "https://app.test/in?error=E"],
  [{ signIn: "/in#form" }, "signIn", "https://app.test/in?error=E#form"],
  [{ error: "https://other.test/e?x=1" }, "error", "https://other.test/e?x=1&error=E"],
  [{ error: "/e" }, "signIn", "https://app.test/auth/signin?error=E"],
];

for (const [pages, page, url] of PAGES) {
  test(`pageUrl() links to ${page} of ${JSON.stringify(pages)}`, () => {
    assert.equal(pageUrl(site(pages), page, { error: "E", code: null }), url);
  });
}

test("pageUrl() leaves the query of a page as it was written when there is nothing to add", () => {
  assert.equal(pageUrl(site({ signIn: "/in?a%20b&c" }), "signIn", { error: null }), "https://app.test/in?a%20b&c");
});

test("actionUrl() writes a long query in one step", async () => {
  const query = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`p${at}`, ""]));
  const calls = await paramCallsOf(() =>
    assert.equal(new URL(actionUrl(site(), "error", query)).searchParams.size, 1000)
  );
  assert.equal(calls, 0);
});

test("homeUrl() is the front page, absolute", () => assert.equal(homeUrl(site()), "https://app.test/"));

test("pageUrl() throws for a page that is not an http(s) URL", () => {
  assert.throws(() => pageUrl(site({ error: "javascript:alert(1)" }), "error"), TypeError);
});
