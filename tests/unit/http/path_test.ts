import assert from "node:assert/strict";
import { test } from "node:test";
import { discard, normalizePath, withPath } from "../../../src/http/path.ts";

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

test("withPath() gives the request itself where it has the path", () => {
  for (const path of ["/members?x=%41//", "/a/", "/caf%C3%A9", "/.well-known/x"]) {
    const request = new Request(`http://localhost${path}`);
    assert.equal(withPath(request, path.replace(/[?].*/, "")), request);
  }
});

test("withPath() changes the path and nothing else", () => {
  const request = new Request("http://app.test:8000//%6dembers?a=%41&b=//#c", {
    headers: { cookie: "a=b", "x-y": "z" },
  });
  const copy = withPath(request, "/members");
  assert.equal(copy.url.replace(/#.*$/, ""), "http://app.test:8000/members?a=%41&b=//");
  assert.equal(copy.method, "GET");
  assert.deepEqual([...copy.headers], [...request.headers]);
  assert.equal(withPath(new Request(request, { method: "DELETE" }), "/members").method, "DELETE");
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

test("withPath() leaves the body to be read twice, once by whoever has the copy", async () => {
  const request = posted();
  const copy = withPath(request, "/members");
  assert.equal(copy.headers.get("content-type"), "application/x-www-form-urlencoded");
  assert.equal((await copy.formData()).get("name"), "Ada");
  assert.equal(await request.text(), "name=Ada");
});

test("withPath() leaves the body alone when nobody reads the copy", async () => {
  const request = posted();
  discard(withPath(request, "/members"));
  assert.equal(await request.clone().text(), "name=Ada");
  assert.equal(await request.text(), "name=Ada");
});

test("discard() leaves alone who still reads", async () => {
  const request = posted();
  const copy = withPath(request, "/members");
  const reading = copy.text();
  discard(copy);
  assert.equal(await request.text(), "name=Ada");
  assert.equal(await reading, "name=Ada");
  discard(copy);
});

test("withPath() gives no body where it was read before", async () => {
  const request = posted();
  await request.text();
  const copy = withPath(request, "/members");
  assert.equal(copy.url, "http://localhost/members");
  assert.equal(copy.method, "POST");
  assert.equal(await copy.text(), "");
});

test("withPath() keeps the signal that tells of a client who went away", () => {
  const controller = new AbortController();
  const copy = withPath(new Request("http://localhost/%6dembers", { signal: controller.signal }), "/members");
  controller.abort();
  assert.equal(copy.signal.aborted, true);
});
