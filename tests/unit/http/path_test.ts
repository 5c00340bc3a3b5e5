import assert from "node:assert/strict";
import { test } from "node:test";
import { discard, hasRawDots, normalizePath, withNormalPath } from "../../../src/http/path.ts";

const ROWS: readonly (readonly [pathname: string, normal: string])[] = [
  ["/", "/"],
  ["/members", "/members"],
  ["/members/", "/members/"],
  ["/%6dembers", "/members"],
  ["/%67uarded/x", "/guarded/x"],
  ["/%7Euser/%2D%2E%5F%41%7a%30", "/~user/-._Az0"],
  ["/a%2fb", "/a%2Fb"],
  ["/a%5cb", "/a%5Cb"],
  ["/caf%c3%a9", "/caf%C3%A9"],
  ["/a%20b%3b", "/a%20b%3B"],
  ["/%2567uarded", "/%2567uarded"],
  ["/100%25", "/100%25"],
  ["/100%", "/100%25"],
  ["/%%36%37uarded", "/%2567uarded"],
  ["/%zz", "/%25zz"],
  ["//members//x", "/members/x"],
  ["///", "/"],
  ["/members//", "/members/"],
  ["/a/%2e/b", "/a/b"],
  ["/a/%2e%2E/b", "/b"],
  ["/a/./b/../c", "/a/c"],
  ["/a/..", "/"],
  ["/a/b/..", "/a/"],
  ["/a/.", "/a/"],
  ["/../../a", "/a"],
  ["/a//../b", "/a/b"],
  ["/...", "/..."],
  ["/.well-known/x", "/.well-known/x"],
  ["/a;b=%63", "/a;b=c"],
  ["/\\members", "/members"],
  ["/%00", "/%00"],
];

for (const [pathname, normal] of ROWS) {
  test(`normalizePath() writes ${pathname} as ${normal}`, () => {
    assert.equal(normalizePath(pathname), normal);
    assert.equal(normalizePath(normal), normal);
  });
}

test("withNormalPath() gives the request itself where its path is normal", () => {
  for (const path of ["/members?x=%41//", "/a/", "/caf%C3%A9", "/.well-known/x"]) {
    const request = new Request(`http://localhost${path}`);
    assert.equal(withNormalPath(request), request);
  }
});

test("withNormalPath() changes the path and nothing else", () => {
  const request = new Request("http://app.test:8000//%6dembers?a=%41&b=//#c", {
    headers: { cookie: "a=b", "x-y": "z" },
  });
  const copy = withNormalPath(request);
  assert.equal(copy.url.replace(/#.*$/, ""), "http://app.test:8000/members?a=%41&b=//");
  assert.equal(copy.method, "GET");
  assert.deepEqual([...copy.headers], [...request.headers]);
  assert.equal(withNormalPath(new Request(request, { method: "DELETE" })).method, "DELETE");
});

function posted(): Request {
  return new Request("http://localhost/%6dembers", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    // As servers give it.
    body: new Blob(["name=Ada"]).stream(),
    duplex: "half",
  } as RequestInit);
}

test("withNormalPath() leaves the body to be read twice, once by whoever has the copy", async () => {
  const request = posted();
  const copy = withNormalPath(request);
  assert.equal(copy.headers.get("content-type"), "application/x-www-form-urlencoded");
  assert.equal((await copy.formData()).get("name"), "Ada");
  assert.equal(await request.text(), "name=Ada");
});

test("withNormalPath() leaves the body alone when nobody reads the copy", async () => {
  const request = posted();
  discard(withNormalPath(request));
  assert.equal(await request.clone().text(), "name=Ada");
  assert.equal(await request.text(), "name=Ada");
});

test("discard() leaves alone who still reads", async () => {
  const request = posted();
  const copy = withNormalPath(request);
  const reading = copy.text();
  discard(copy);
  assert.equal(await request.text(), "name=Ada");
  assert.equal(await reading, "name=Ada");
  discard(copy);
});

test("withNormalPath() gives no body where it was read before", async () => {
  const request = posted();
  await request.text();
  const copy = withNormalPath(request);
  assert.equal(copy.url, "http://localhost/members");
  assert.equal(copy.method, "POST");
  assert.equal(await copy.text(), "");
});

test("withNormalPath() keeps the signal that tells of a client who went away", () => {
  const controller = new AbortController();
  const copy = withNormalPath(new Request("http://localhost/%6dembers", { signal: controller.signal }));
  controller.abort();
  assert.equal(copy.signal.aborted, true);
});

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
  test(`hasRawDots() says ${has} of ${url}`, () => assert.equal(hasRawDots(url), has));
}
