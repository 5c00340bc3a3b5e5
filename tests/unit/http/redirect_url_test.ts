import assert from "node:assert/strict";
import { test } from "node:test";
import { asAppUrl, asRedirectUrl, asSameOriginUrl, isAppScheme } from "../../../src/http/redirect_url.ts";
import { SEEDS, TRANSFORMS } from "./_redirect_corpus.ts";

const ORIGIN = "https://app.test";

for (const [name, transform] of Object.entries(TRANSFORMS)) {
  test(`asSameOriginUrl() leads nowhere else from any text ${name}`, () => {
    for (const text of SEEDS.flatMap(transform)) {
      const target = asSameOriginUrl(text, ORIGIN);
      if (target === null) continue;
      const { origin, href, username, password, protocol } = new URL(target);
      assert.deepEqual([origin, protocol, username, password], [ORIGIN, "https:", "", ""], JSON.stringify(text));
      assert.ok(target.startsWith(`${ORIGIN}/`), target);
      assert.equal(target, href, "written anew");
      assert.match(target, /^[!-~]+$/, "nothing that a header could break at");
      assert.equal(asSameOriginUrl(target, ORIGIN), target, "the same when it is checked again");
    }
  });
}

const OWN: readonly (readonly [url: unknown, target: string | null])[] = [
  ["", "https://app.test/"],
  ["/", "https://app.test/"],
  ["/a?b=c#d", "https://app.test/a?b=c#d"],
  ["a", "https://app.test/a"],
  ["?x=1", "https://app.test/?x=1"],
  ["https://app.test", "https://app.test/"],
  ["HTTPS://APP.TEST/x", "https://app.test/x"],
  ["https://app.test:443/x", "https://app.test/x"],
  ["https:/path", "https://app.test/path"],
  ["/..//evil.test", "https://app.test//evil.test"],
  ["/.//evil.test", "https://app.test//evil.test"],
  ["/a b\n", "https://app.test/a%20b"],
  ["/é", "https://app.test/%C3%A9"],
  ["https://app.test\\.evil.test", "https://app.test/.evil.test"],
  ["//evil.test", null],
  ["/\\evil.test", null],
  ["/\t/evil.test", null],
  ["https://evil.test", null],
  ["https://app.test:8443", null],
  ["http://app.test", null],
  ["https://app.test./", null],
  ["https://sub.app.test", null],
  ["https://user@app.test", null],
  ["https://user:pw@app.test", null],
  ["https://:pw@app.test", null],
  ["blob:https://app.test/uuid", null],
  ["javascript:alert(1)", null],
  ["https://[", null],
  ["//", null],
  [undefined, null],
  [null, null],
  [1, null],
  [{}, null],
  [["/a"], null],
  [{ toString: () => "/a" }, null],
  [new URL("https://app.test/a"), null],
  [`/${"a".repeat(16_383)}`, `https://app.test/${"a".repeat(16_383)}`],
  [`/${"a".repeat(16_384)}`, null],
];

for (const [url, target] of OWN) {
  test(`asSameOriginUrl() makes ${target?.slice(0, 40) ?? "nothing"} of ${show(url)}`, () => {
    assert.equal(asSameOriginUrl(url, ORIGIN), target);
  });
}

const DEVELOPERS: readonly (readonly [url: unknown, target: string | null])[] = [
  ["/welcome", "https://app.test/welcome"],
  ["https://other.test/x", "https://other.test/x"],
  ["http://other.test", "http://other.test/"],
  ["//other.test", "https://other.test/"],
  ["https://other.test/\r\nSet-Cookie: a=b", "https://other.test/Set-Cookie:%20a=b"],
  ["https://user:pw@other.test", null],
  ["javascript:alert(1)", null],
  ["data:text/html,x", null],
  ["myapp://callback", null],
  ["https://", null],
  [false, null],
  [undefined, null],
];

for (const [url, target] of DEVELOPERS) {
  test(`asRedirectUrl() makes ${target ?? "nothing"} of ${show(url)}`, () => {
    assert.equal(asRedirectUrl(url, ORIGIN), target);
  });
}

const APPS: readonly (readonly [url: unknown, schemes: readonly string[], target: string | null])[] = [
  ["myapp://back", ["myapp"], "myapp://back"],
  ["myapp://back", [], null],
  ["other://back", ["myapp"], null],
  ["myapp://user@back", ["myapp"], null],
  ["myapp://:pw@back", ["myapp"], null],
  ["/welcome", ["myapp"], "https://app.test/welcome"],
  ["/welcome", [], "https://app.test/welcome"],
  ["javascript:alert(1)", ["javascript"], null],
  ["data:text/html,x", ["data"], null],
  [{ toString: () => "myapp://back" }, ["myapp"], null],
  [`myapp://${"a".repeat(16_376)}`, ["myapp"], `myapp://${"a".repeat(16_376)}`],
  [`myapp://${"a".repeat(16_377)}`, ["myapp"], null],
];

for (const [url, schemes, target] of APPS) {
  test(`asAppUrl() makes ${target?.slice(0, 40) ?? "nothing"} of ${show(url)} with ${schemes.length} schemes`, () => {
    assert.equal(asAppUrl(url, ORIGIN, schemes), target);
  });
}

test("isAppScheme() accepts at most 64 characters", () => {
  assert.ok(isAppScheme("a".repeat(64)));
  assert.ok(!isAppScheme("a".repeat(65)));
});

function show(value: unknown): string {
  return (typeof value === "string" ? JSON.stringify(value) : String(value)).slice(0, 40);
}
