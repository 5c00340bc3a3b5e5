import assert from "node:assert/strict";
import { test } from "node:test";
import { LazyRequest, requestOf } from "../../../src/http/request_like.ts";
import { lazyRequestOf, type NodeHead } from "../../../src/http/node_incoming.ts";

function asking(rawHeaders: readonly string[], more: Partial<NodeHead> = {}): NodeHead {
  const headers: Record<string, string> = { host: "site.test" };
  const cookies = rawHeaders.filter((_, at) => rawHeaders[at - 1]?.toLowerCase() === "cookie" && at % 2 === 1);
  if (cookies.length > 0) headers.cookie = cookies.join("; ");
  return {
    method: "GET",
    url: "/there?a#b",
    headers,
    rawHeaders: ["Host", "site.test", ...rawHeaders],
    socket: {},
    ...more,
  };
}

test("the Request is made once, and only if somebody asks for it", () => {
  let made = 0;
  const incoming = lazyRequestOf(asking(["X-Mark", "1", "x-mARK", "2"]), () => {
    made += 1;
    return new AbortController().signal;
  });
  assert.deepEqual([incoming.method, new URL(incoming.url).href], ["GET", "http://site.test/there?a#b"]);
  assert.equal(incoming.headers.get("x-mark"), "1, 2");
  assert.equal(made, 0);
  assert.equal(requestOf(incoming), requestOf(incoming));
  assert.equal(made, 1);
});

test("what cannot become a Request is refused at once", () => {
  const refused: readonly NodeHead[] = [
    asking(["a b", "1"]),
    asking(["", "1"]),
    asking(["X-Mark", "a\nb"]),
    asking(["X-Mark", "a\0b"]),
    asking(["X-Mark", "\u0100"]),
    asking([], { url: "there" }),
    asking(["Host", "other.test"]),
    asking([], { headers: { host: "1.2.3.256" } }),
    asking([], { headers: { host: "site.test:99999" } }),
    asking([], { headers: { host: "a b" } }),
  ];
  for (const given of refused) assert.throws(() => lazyRequestOf(given), TypeError, JSON.stringify(given));
});

test("the URL has the host of the request and the protocol of its connection", () => {
  const url = (host: string, socket: NodeHead["socket"] = {}) =>
    lazyRequestOf(asking([], { headers: { host }, socket })).url;
  assert.throws(() => url(""), TypeError);
  assert.equal(url("site.test"), "http://site.test/there?a#b");
  assert.equal(url("site.test", { encrypted: true }), "https://site.test/there?a#b");
  assert.equal(url("site.test"), "http://site.test/there?a#b");
  assert.equal(url("other.test"), "http://other.test/there?a#b");
  assert.throws(() => url("site.test@other.test"), TypeError);
  assert.throws(() => url(""), TypeError);
});

test("lazyRequestOf() keeps the URL that the request has now, whatever a router makes of it later", () => {
  const given = { ...asking([], { url: "/a?b", method: "POST" }) };
  const asked = lazyRequestOf(given);
  given.url = "/later";
  assert.ok(asked instanceof LazyRequest);
  assert.deepEqual([asked.url, asked.method], ["http://site.test/a?b", "POST"]);
  assert.deepEqual([asked.request.url, asked.request.method], ["http://site.test/a?b", "POST"]);
});

test("lazyRequestOf() makes a Request of a method that the Fetch standard forbids", () => {
  for (const method of ["TRACE", "TRACK", "CONNECT"]) {
    const asked = lazyRequestOf(asking(["X-A", "1"], { method }));
    assert.ok(asked instanceof Request);
    assert.deepEqual([asked.url, asked.method, asked.headers.get("x-a")], ["http://site.test/there?a#b", method, "1"]);
  }
  // Bun takes it for GET. No server there passes it on.
  if (!("Bun" in globalThis)) assert.throws(() => lazyRequestOf(asking([], { method: "A B" })), TypeError);
});

test("lazyRequestOf() makes a Request where only that can tell whether the method is allowed", () => {
  const asked = lazyRequestOf(asking([], { method: "PURGE" }));
  assert.ok(asked instanceof Request);
  assert.deepEqual([asked.url, asked.method], ["http://site.test/there?a#b", "PURGE"]);
});
