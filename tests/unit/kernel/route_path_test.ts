import assert from "node:assert/strict";
import { test } from "node:test";
import { isAuthAction, parseRoute } from "../../../src/kernel/route_path.ts";

const ACTIONS = [
  "backchannel-logout",
  "callback",
  "csrf",
  "error",
  "frontchannel-logout",
  "providers",
  "session",
  "signin",
  "signout",
  "verify-request",
  "webauthn-options",
];

for (const action of ACTIONS) {
  test(`parseRoute() reads the action ${action}, with and without a provider`, () => {
    for (const end of ["", "/"]) {
      assert.deepEqual(parseRoute(`/auth/${action}${end}`, "/auth"), { action, provider: null });
      assert.deepEqual(parseRoute(`/auth/${action}/idp${end}`, "/auth"), { action, provider: "idp" });
    }
  });
}

test("isAuthAction() knows the eleven actions and nothing else", () => {
  assert.ok(ACTIONS.every(isAuthAction));
  for (const other of ["", "Signin", "signin ", "sign-in", "__proto__", "constructor", "toString", "has"]) {
    assert.equal(isAuthAction(other), false);
  }
});

const PATHS: readonly (readonly [basePath: string, pathname: string, route: string | null])[] = [
  ["/auth", "/auth/signin/undefined", "signin"],
  ["/auth", "/auth/signin/null", "signin null"],
  ["/auth", "/auth/signin/a.b-c_d~e", "signin a.b-c_d~e"],
  ["/auth", "/auth/signin/a%2fb", "signin a%2fb"],
  ["/auth", "/auth/signin/__proto__", "signin __proto__"],
  ["/auth", "/auth", null],
  ["/auth", "/auth/", null],
  ["/auth", "/auth//", null],
  ["/auth", "/", null],
  ["/auth", "", null],
  ["/auth", "/authsession", null],
  ["/auth", "/auth-x/session", null],
  ["/auth", "/x/auth/session", null],
  ["/auth", "/auth//signin", null],
  ["/auth", "//auth/signin", null],
  ["/auth", "/auth/./signin", null],
  ["/auth", "/auth/x/../signin", null],
  ["/auth", "/auth/%73ignin", null],
  ["/auth", "/%61uth/signin", null],
  ["/auth", "/auth/signin%2fidp", null],
  ["/auth", "/auth%2fsignin", null],
  ["/auth", "/auth/signin;x", null],
  ["/auth", "/auth/signin ", null],
  ["/auth", "/auth/signin%20", null],
  ["/auth", "/auth/signin%00", null],
  ["/auth", "/auth/signin?x", null],
  ["/auth", "/auth/signin.json", null],
  ["/auth", "/AUTH/signin", null],
  ["/auth", "/auth/SIGNIN", null],
  ["/auth", "\\auth\\signin", null],
  ["/auth", "/auth\\signin", null],
  ["/auth", "/auth/signin//", null],
  ["/auth", "/auth/signin//idp", null],
  ["/auth", "/auth/signin/idp//", null],
  ["/auth", "/auth/signin/idp/x", null],
  ["/auth", "/auth/signin/idp/x/", null],
  ["/auth", "/auth/toString", null],
  ["/auth", "/auth/__proto__", null],
  ["", "/signin", "signin"],
  ["", "/signin/idp/", "signin idp"],
  ["", "/", null],
  ["", "//signin", null],
  ["", "signin", null],
  ["/a.b", "/a.b/session", "session"],
  ["/a.b", "/axb/session", null],
  ["/a.b(c", "/a.b(c/session", "session"],
  ["/a.b(c", "/aXb(c/session", null],
  ["/a+", "/a+/session", "session"],
  ["/a+", "/aa/session", null],
  ["/a%2fb", "/a%2fb/session", "session"],
  ["/a%2fb", "/a/b/session", null],
  ["/a/b", "/a/b/session", "session"],
  ["/a/b", "/a%2fb/session", null],
  ["/auth", "/auth/auth/session", null],
];

for (const [basePath, pathname, route] of PATHS) {
  test(`parseRoute() finds ${route ?? "nothing"} at ${JSON.stringify(pathname)} below ${JSON.stringify(basePath)}`, () => {
    const found = parseRoute(pathname, basePath);
    const text = found && [found.action, found.provider].filter((part) => part !== null).join(" ");
    assert.equal(text, route);
  });
}
