import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { applyRedirectCallback, chooseRedirectUrl, rememberRedirectUrl } from "../../../src/sign_in/redirect.ts";
import { SEEDS, TRANSFORMS } from "../http/_redirect_corpus.ts";
import { changed, testConfig, testContext, testLog } from "../_builders.ts";

const COOKIE = "__Secure-authjs.callback-url";
const HOME = "https://app.test/";

interface Row {
  readonly asked?: unknown;
  readonly cookie?: string;
  readonly target: string;
}

const ROWS: Readonly<Record<string, Row>> = {
  "nothing asked": { target: HOME },
  "a path": { asked: "/a?b=c", target: "https://app.test/a?b=c" },
  "an absolute URL of this site": { asked: "https://app.test/a", target: "https://app.test/a" },
  "the front page": { asked: "/", target: HOME },
  "an empty text": { asked: "", target: HOME },
  "another site": { asked: "https://evil.test/a", target: HOME },
  "another site without a scheme": { asked: "//evil.test/a", target: HOME },
  "another port": { asked: "https://app.test:8443/a", target: HOME },
  "http instead of https": { asked: "http://app.test/a", target: HOME },
  "a script": { asked: "javascript:alert(1)", target: HOME },
  "what cannot be parsed": { asked: "https://[", target: HOME },
  "an object": { asked: {}, target: HOME },
  "a list": { asked: ["/a"], target: HOME },
  "a number": { asked: 1, target: HOME },
  "true": { asked: true, target: HOME },
  "a remembered target": { cookie: "https://app.test/a", target: "https://app.test/a" },
  "a remembered target when null is asked": { asked: null, cookie: "https://app.test/a", target: "https://app.test/a" },
  "a target over a remembered one": { asked: "/b", cookie: "https://app.test/a", target: "https://app.test/b" },
  "another site over a remembered target": { asked: "https://evil.test", cookie: "https://app.test/a", target: HOME },
  "another site that is remembered": { cookie: "https://evil.test/a", target: HOME },
  "an undecodable cookie": { cookie: "%E0%A4%A", target: "https://app.test/%E0%A4%A" },
  "an invalid cookie": { cookie: "https://[", target: HOME },
  "an own action": { asked: "/auth/signout", target: HOME },
  "an own action with a slash at its end": { asked: "/auth/signout/", target: HOME },
  "an own action, absolute": { asked: "https://app.test/auth/signin?x=1", target: HOME },
  "an own action of a provider": { asked: "/auth/callback/idp?code=x", target: HOME },
  "an own action behind dots": { asked: "/x/../auth/session", target: HOME },
  "an own action behind encoded dots": { asked: "/x/%2e%2e/auth/session", target: HOME },
  "an own action behind backslashes": { asked: "/auth\\signout", target: HOME },
  "an own action with a tab in it": { asked: "/auth/sign\tout", target: HOME },
  "an own action that is remembered": { cookie: "https://app.test/auth/signout", target: HOME },
  "a path that begins alike": { asked: "/authors/signout", target: "https://app.test/authors/signout" },
  "a path below that is no action": { asked: "/auth/profile", target: "https://app.test/auth/profile" },
  "the base path itself": { asked: "/auth", target: "https://app.test/auth" },
  "an action's path in the query": { asked: "/x?to=/auth/signout", target: "https://app.test/x?to=/auth/signout" },
  "a target of 1024 characters": { asked: `/${"a".repeat(1007)}`, target: `https://app.test/${"a".repeat(1007)}` },
  "a target of 1025 characters": { asked: `/${"a".repeat(1008)}`, target: HOME },
  "a target that grows when it is encoded": { asked: `/${"é".repeat(300)}`, target: HOME },
};

for (const [name, { asked, cookie, target }] of Object.entries(ROWS)) {
  test(`chooseRedirectUrl() for ${name}`, async () => {
    const ctx = testContext("https://app.test/auth/signin", { cookies: cookie ? { [COOKIE]: cookie } : {} });
    assert.equal(await chooseRedirectUrl(ctx, asked), target);
  });
}

test("chooseRedirectUrl() leads nowhere but to this site, whatever is asked for", async () => {
  const ctx = testContext("https://app.test/auth/signin");
  for (const seed of SEEDS) {
    for (const text of Object.values(TRANSFORMS).flatMap((transform) => transform(seed))) {
      const target = await chooseRedirectUrl(ctx, text);
      assert.ok(target.startsWith(HOME) && target.length <= 1024, `${JSON.stringify(text)} leads to ${target}`);
      assert.doesNotMatch(target, /^https:\/\/app\.test\/auth\/(?:signout|signin|callback)(?:\/[^/?#]+)?\/?(?:[?#]|$)/);
    }
  }
});

test("chooseRedirectUrl() leads nowhere but to this site, whatever a cookie says", async () => {
  for (const seed of SEEDS) {
    const cookies = { [COOKIE]: seed.toWellFormed() };
    const target = await chooseRedirectUrl(testContext("https://app.test/auth/signin", { cookies }), undefined);
    assert.ok(target.startsWith(HOME), `${JSON.stringify(seed)} leads to ${target}`);
  }
});

test("chooseRedirectUrl() leaves the paths of a service at the root to the service", async () => {
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

test("a redirect callback is told the text as it came, and where the site is", async () => {
  const seen: unknown[] = [];
  const { ctx } = contextWith((params: unknown) => {
    seen.push(params);
    return "/x";
  });
  assert.equal(await chooseRedirectUrl(ctx, "//evil.test"), "https://app.test/x");
  assert.deepEqual(seen, [{ url: "//evil.test", baseUrl: "https://app.test" }]);
});

const REDIRECTS: readonly (readonly [answer: unknown, target: string])[] = [
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

for (const [answer, target] of REDIRECTS) {
  test(`a redirect callback that answers ${JSON.stringify(answer) ?? "nothing"} leads to ${target}`, async () => {
    for (const given of [answer, Promise.resolve(answer)]) {
      assert.equal(await chooseRedirectUrl(contextWith(() => given).ctx, "/asked"), target);
    }
  });
}

test("a redirect callback that fails leads to the front page, and the log says so", async () => {
  for (const fault of [new Error("x"), "x", undefined, null]) {
    const { ctx, log } = contextWith(() => Promise.reject(fault));
    assert.equal(await applyRedirectCallback(ctx, "/asked"), HOME);
    assert.equal(log.errors.length, 1);
  }
});

test("a redirect callback is not asked where nothing is wanted", async () => {
  const { ctx } = contextWith(() => assert.fail("asked"));
  assert.equal(await chooseRedirectUrl(ctx, undefined), HOME);
});

test("a redirect callback is not asked about what is no text", async () => {
  const seen: unknown[] = [];
  const { ctx } = contextWith(({ url }: { url: unknown }) => {
    seen.push(url);
    return "/x";
  });
  for (const asked of [1, true, {}, ["/x"], { toString: () => "/x" }]) {
    assert.equal(await chooseRedirectUrl(ctx, asked), HOME);
  }
  assert.deepEqual(seen, []);
});

const REMEMBERED: readonly (readonly [cookie: string | undefined, target: string, written: boolean])[] = [
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
