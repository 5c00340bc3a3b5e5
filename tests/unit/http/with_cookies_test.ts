import assert from "node:assert/strict";
import { test } from "node:test";
import { withCookies } from "../../../src/http/with_cookies.ts";

const options = { path: "/", httpOnly: true, sameSite: "lax" } as const;

test("the response keeps its status, headers and body, and sets the cookies", async () => {
  const response = withCookies(new Response("made", { status: 201, headers: { "x-own": "1" } }), [
    { name: "a", value: "1 2", options },
    { name: "b", value: "", options: { ...options, maxAge: 0 } },
  ]);
  assert.equal(response.status, 201);
  assert.equal(response.headers.get("x-own"), "1");
  assert.equal(await response.text(), "made");
  assert.deepEqual(response.headers.getSetCookie(), [
    "a=1%202; Path=/; HttpOnly; SameSite=Lax",
    "b=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
  ]);
});

test("a redirect, whose headers cannot be changed, gets the cookies", () => {
  const response = withCookies(Response.redirect("https://a.example/", 303), [{ name: "a", value: "1", options }]);
  assert.equal(response.headers.get("location"), "https://a.example/");
  assert.equal(response.headers.getSetCookie().length, 1);
});

test("a cookie of the same name is replaced with all its parts, and others stay", () => {
  const headers = new Headers([["set-cookie", "s.0=x; Path=/"], ["set-cookie", "s.1=y; Path=/"], [
    "set-cookie",
    "t=1",
  ]]);
  const response = withCookies(new Response(null, { headers }), [{ name: "s", value: "", options: { maxAge: 0 } }]);
  assert.deepEqual(response.headers.getSetCookie(), ["t=1", "s=; Max-Age=0"]);
});

test("no cache keeps a response with cookies, whatever its headers said", () => {
  const headers = { "cache-control": "public, max-age=60", "cdn-cache-control": "max-age=60", vary: "Accept" };
  const response = withCookies(new Response(null, { headers }), [{ name: "a", value: "1", options }]);
  assert.equal(response.headers.get("cache-control"), "private, no-store");
  assert.equal(response.headers.get("cdn-cache-control"), null);
  assert.equal(response.headers.get("vary"), "Accept, Cookie");
});

test("without cookies the response is the same object", () => {
  const response = new Response(null);
  assert.equal(withCookies(response, []), response);
});

test("a response that cannot have cookies, and a cookie that would break the header, are refused", () => {
  assert.throws(() => withCookies(Response.error(), [{ name: "a", value: "1", options }]), TypeError);
  assert.throws(() => withCookies(new Response(null), [{ name: "a=b;", value: "1", options }]), TypeError);
});
