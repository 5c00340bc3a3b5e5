import assert from "node:assert/strict";
import { test } from "node:test";
import { distinctReadings, readingsOf, spellingsOf, targetOf, withTarget } from "../../../src/http/readings.ts";

const RAW: readonly (readonly [url: string, has: boolean])[] = [
  ["http://localhost/", false],
  ["http://localhost", false],
  ["http://localhost/a/b.c/...d/..e/f..", false],
  ["http://localhost/.well-known/x", false],
  ["http://localhost/a?x=/../y", false],
  ["http://localhost/a?x=\\", false],
  ["http://localhost/a#/../y", false],
  ["http://localhost/a/%2e%2e%2fb", false],
  ["http://localhost/members/../public", true],
  ["http://localhost/members/./public", true],
  ["http://localhost/members/..", true],
  ["http://localhost/members/.?x", true],
  ["http://localhost/members/%2e%2E/public", true],
  ["http://localhost/members/.%2e/public", true],
  ["http://localhost/members/%2E", true],
  ["http://localhost/members\\public", true],
  ["http://localhost/public/..\\members", true],
  ["http://localhost\\members/public", true],
];

for (const [url, has] of RAW) {
  test(`readingsOf() ${has ? "finds" : "finds no"} segments to be resolved in the target ${url}`, () => {
    const asked = { url: "http://localhost/" };
    assert.equal(readingsOf(asked, { target: url, routes: [] }).isAmbiguous, has);
    assert.equal(readingsOf({ url }, { target: null, routes: [] }).isAmbiguous, has, "as the URL of a raw server");
  });
}

const SEEN: readonly (readonly [target: string | null, routes: readonly string[], paths: readonly string[]])[] = [
  [null, [], ["/x"]],
  ["/x", [], ["/x"]],
  ["/x?y#z", ["/x", "/x?q"], ["/x"]],
  ["http://localhost/x", [], ["/x"]],
  ["HTTP://localhost:80/x?y", [], ["/x"]],
  ["http://localhost", [], ["/x", "/"]],
  ["*", [], ["/x", "/*"]],
  ["//other/x", [], ["/x", "//other/x"]],
  ["/%78", [], ["/x", "/%78"]],
  ["/x;y", ["members"], ["/x", "/x;y", "/members"]],
  [null, ["/members/1", "/app/members/1"], ["/x", "/members/1", "/app/members/1"]],
];

for (const [target, routes, paths] of SEEN) {
  test(`readingsOf() reads ${target} with the routes ${JSON.stringify(routes)}`, () => {
    assert.deepEqual(readingsOf({ url: "http://localhost/x" }, { target, routes }).paths, paths);
  });
}

test("targetOf() gives the target that was noted, and otherwise the URL as it is", () => {
  const request = new Request("http://localhost/members/../x");
  assert.equal(targetOf(request), request.url);
  assert.equal(targetOf(withTarget(request, "/members/../x")), "/members/../x");
  assert.equal(targetOf({ url: "http://localhost/a/../b" } as Request), "http://localhost/a/../b");
});

const READINGS: readonly (readonly [paths: readonly string[], readings: readonly string[] | null])[] = [
  [["/"], ["/"]],
  [["/members/1"], ["/members/1"]],
  [["/members/"], ["/members/"]],
  [["//members//1"], ["/members/1"]],
  [["/%6dembers"], ["/members"]],
  [["/caf%C3%A9"], ["/caf%C3%A9"]],
  [["/café", "/caf%C3%A9"], ["/caf%C3%A9"]],
  [["/100%25", "/100%"], ["/100%25"]],
  [["/a%20b"], ["/a%20b"]],
  [["/a%3fb"], ["/a%3Fb"]],
  [["/a%23b"], ["/a%23b"]],
  [["/a[1]"], ["/a[1]"]],
  [["/members%2f1"], ["/members%2F1", "/members/1"]],
  [["/%256dembers"], ["/%256dembers", "/members"]],
  [["/members;x/1"], ["/members;x/1", "/members/1"]],
  [["/members%5c1"], ["/members%5C1", "/members/1"]],
  [["/open/..%2fmembers"], ["/open/..%2Fmembers", "/members"]],
  [["/ｍembers"], ["/%EF%BD%8Dembers", "/members"]],
  [["/a", "/b", "/a"], ["/a", "/b"]],
  [["/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"], ["/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"]],
  [["/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9"], null],
  [["/a", "/%c0%af"], null],
  [["/a%00"], null],
  [["/\ud800"], null],
];

for (const [paths, readings] of READINGS) {
  test(`distinctReadings() of ${JSON.stringify(paths)} are ${JSON.stringify(readings)}`, () => {
    assert.deepEqual(distinctReadings(paths), readings);
  });
}

test("spellingsOf() gives up on a path that is too long or may be rewritten too often", () => {
  assert.equal(spellingsOf(`/${"%41".repeat(3000)}`), null);
  assert.equal(spellingsOf(`/public/%${"25".repeat(40)}2e`), null);
  assert.deepEqual(spellingsOf(`/${"a".repeat(9000)}`)?.length, 1, "a plain one has one spelling, however long");
});
