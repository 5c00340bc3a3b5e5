import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { applyRedirectCallback, chooseRedirectUrl, rememberRedirectUrl } from "../../../src/request/redirect.ts";
import { changed, testConfig, testContext, testLog } from "../_builders.ts";

const COOKIE = "__Secure-authjs.callback-url";
const HOME = "https://app.test/";

interface Row {
  readonly requested?: unknown;
  readonly cookie?: string;
  readonly to: string;
}

const ROWS: Readonly<Record<string, Row>> = {
  "nothing": { to: HOME },
  "a path": { requested: "/a?b=c", to: "https://app.test/a?b=c" },
  "an absolute URL of this site": { requested: "https://app.test/a", to: "https://app.test/a" },
  "the home page": { requested: "/", to: HOME },
  "an empty string": { requested: "", to: HOME },
  "another site": { requested: "https://evil.test/a", to: HOME },
  "another site without a scheme": { requested: "//evil.test/a", to: HOME },
  "another port": { requested: "https://app.test:8443/a", to: HOME },
  "http instead of https": { requested: "http://app.test/a", to: HOME },
  "a script": { requested: "javascript:alert(1)", to: HOME },
  "an unparsable URL": { requested: "https://[", to: HOME },
  "an object": { requested: {}, to: HOME },
  "an array": { requested: ["/a"], to: HOME },
  "a number": { requested: 1, to: HOME },
  "true": { requested: true, to: HOME },
  "a remembered URL": { cookie: "https://app.test/a", to: "https://app.test/a" },
  "a remembered URL when null is requested": {
    requested: null,
    cookie: "https://app.test/a",
    to: "https://app.test/a",
  },
  "a path over a remembered URL": { requested: "/b", cookie: "https://app.test/a", to: "https://app.test/b" },
  "another site over a remembered URL": {
    requested: "https://evil.test",
    cookie: "https://app.test/a",
    to: HOME,
  },
  "another site in the cookie": { cookie: "https://evil.test/a", to: HOME },
  "an undecodable cookie": { cookie: "%E0%A4%A", to: "https://app.test/%E0%A4%A" },
  "an invalid cookie": { cookie: "https://[", to: HOME },
  "an own action": { requested: "/auth/signout", to: HOME },
  "an own action with a slash at its end": { requested: "/auth/signout/", to: HOME },
  "an own action, absolute": { requested: "https://app.test/auth/signin?x=1", to: HOME },
  "an own action of a provider": { requested: "/auth/callback/idp?code=x", to: HOME },
  "an own action behind dots": { requested: "/x/../auth/session", to: HOME },
  "an own action behind encoded dots": { requested: "/x/%2e%2e/auth/session", to: HOME },
  "an own action behind backslashes": { requested: "/auth\\signout", to: HOME },
  "an own action with a tab in it": { requested: "/auth/sign\tout", to: HOME },
  "an own action in the cookie": { cookie: "https://app.test/auth/signout", to: HOME },
  "a path with the same beginning": { requested: "/authors/signout", to: "https://app.test/authors/signout" },
  "a path below that is not an action": { requested: "/auth/profile", to: "https://app.test/auth/profile" },
  "the base path itself": { requested: "/auth", to: "https://app.test/auth" },
  "an action's path in the query": {
    requested: "/x?to=/auth/signout",
    to: "https://app.test/x?to=/auth/signout",
  },
  "a URL of 1024 characters": {
    requested: `/${"a".repeat(1007)}`,
    to: `https://app.test/${"a".repeat(1007)}`,
  },
  "a URL of 1025 characters": { requested: `/${"a".repeat(1008)}`, to: HOME },
  "a URL that grows when it is encoded": { requested: `/${"é".repeat(300)}`, to: HOME },
};

for (const [name, { requested, cookie, to }] of Object.entries(ROWS)) {
  test(`chooseRedirectUrl() for ${name}`, async () => {
    const ctx = testContext("https://app.test/auth/signin", { cookies: cookie ? { [COOKIE]: cookie } : {} });
    assert.equal(await chooseRedirectUrl(ctx, requested), to);
  });
}

test("chooseRedirectUrl() refuses the service's own actions below the root, too", async () => {
  const ctx = testContext("https://app.test/signin", { config: testConfig({ basePath: "/" }) });
  assert.equal(await chooseRedirectUrl(ctx, "/signout"), HOME);
  assert.equal(await chooseRedirectUrl(ctx, "/welcome"), "https://app.test/welcome");
});

type Redirect = NonNullable<NonNullable<AuthConfig["callbacks"]>["redirect"]>;

function contextWith(redirect: unknown) {
  const log = testLog();
  const config = testConfig({ callbacks: { redirect: redirect as Redirect }, logger: log.logger });
  return { ctx: testContext("https://app.test/auth/signin", { config }), log };
}

test("callbacks.redirect gets the URL as it came and the origin", async () => {
  const seen: unknown[] = [];
  const { ctx } = contextWith((params: unknown) => {
    seen.push(params);
    return "/x";
  });
  assert.equal(await chooseRedirectUrl(ctx, "//evil.test"), "https://app.test/x");
  assert.deepEqual(seen, [{ url: "//evil.test", baseUrl: "https://app.test" }]);
});

const REDIRECTS: readonly (readonly [answer: unknown, to: string])[] = [
  ["/x", "https://app.test/x"],
  ["https://shop.test/x", "https://shop.test/x"],
  ["//shop.test", "https://shop.test/"],
  ["https://shop.test/\r\nSet-Cookie: a=b", "https://shop.test/Set-Cookie:%20a=b"],
  ["javascript:alert(1)", HOME],
  ["https://user:pw@shop.test", HOME],
  ["https://[", HOME],
  ["", HOME],
  [undefined, HOME],
  [null, HOME],
  [1, HOME],
  [{}, HOME],
  ["/auth/signout", HOME],
  ["https://shop.test/auth/signout", "https://shop.test/auth/signout"],
];

for (const [answer, to] of REDIRECTS) {
  test(`callbacks.redirect that returns ${JSON.stringify(answer) ?? "nothing"} leads to ${to}`, async () => {
    for (const given of [answer, Promise.resolve(answer)]) {
      assert.equal(await chooseRedirectUrl(contextWith(() => given).ctx, "/asked"), to);
    }
  });
}

test("callbacks.redirect that fails leads to the home page and is logged", async () => {
  for (const fault of [new Error("x"), "x", undefined, null]) {
    const { ctx, log } = contextWith(() => Promise.reject(fault));
    assert.equal(await applyRedirectCallback(ctx, "/asked"), HOME);
    assert.equal(log.errors.length, 1);
  }
});

test("callbacks.redirect is not called if nothing is requested", async () => {
  const { ctx } = contextWith(() => assert.fail("called"));
  assert.equal(await chooseRedirectUrl(ctx, undefined), HOME);
});

test("callbacks.redirect is not called with a value that is not a string", async () => {
  const seen: unknown[] = [];
  const { ctx } = contextWith(({ url }: { url: unknown }) => {
    seen.push(url);
    return "/x";
  });
  for (const requested of [1, true, {}, ["/x"], { toString: () => "/x" }]) {
    assert.equal(await chooseRedirectUrl(ctx, requested), HOME);
  }
  assert.deepEqual(seen, []);
});

const REMEMBERED: readonly (readonly [cookie: string | undefined, to: string, written: boolean])[] = [
  [undefined, "/", false],
  [undefined, "/a", true],
  ["https://app.test/a", "/a", false],
  ["https://app.test/a", "/b", true],
  ["https://app.test/a", "/", true],
  ["https://evil.test", "/", true],
];

for (const [cookie, path, written] of REMEMBERED) {
  test(`rememberRedirectUrl() ${written ? "writes" : "does not write"} ${path} over ${cookie ?? "nothing"}`, async () => {
    const ctx = testContext("https://app.test/auth/signin", { cookies: cookie ? { [COOKIE]: cookie } : {} });
    rememberRedirectUrl(ctx, await applyRedirectCallback(ctx, path));
    assert.deepEqual(changed(ctx.cookies), { set: written ? [COOKIE] : [], removed: [] });
  });
}
