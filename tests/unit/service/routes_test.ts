import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "../../../adapters/memory.ts";
import type { ProviderInput } from "../../../src/contract/provider.ts";
import { credentials } from "../../../src/providers/credentials.ts";
import { type AuthAction, parseRoute } from "../../../src/kernel/route_path.ts";
import { findRoute } from "../../../src/service/routes.ts";
import { mailbox } from "../../_support/mailbox.ts";
import { testConfig } from "../_builders.ts";

const idp = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.test", clientId: "c" } satisfies ProviderInput;
const form = { ...idp, id: "form", authorization: { params: { response_mode: "form_post" } } } satisfies ProviderInput;
const oauth = {
  id: "oa",
  name: "OA",
  type: "oauth",
  clientId: "c",
  authorization: "https://oa.test/authorize",
  token: "https://oa.test/token",
  userinfo: "https://oa.test/me",
} satisfies ProviderInput;

const { providers } = testConfig({
  adapter: memoryAdapter(),
  providers: [idp, form, oauth, mailbox().provider, credentials({ authorize: () => null })],
});

/** By path: the methods that are answered, with a star where the form must carry its CSRF token. */
const ANSWERED: Readonly<Record<string, string>> = {
  csrf: "GET HEAD",
  providers: "GET HEAD",
  session: "GET HEAD POST*",
  signin: "GET HEAD POST*",
  "signin/idp": "GET HEAD POST*",
  "signin/form": "GET HEAD POST*",
  "signin/oa": "GET HEAD POST*",
  "signin/email": "GET HEAD POST*",
  "signin/credentials": "GET HEAD POST*",
  "signin/undefined": "GET HEAD POST*",
  signout: "GET HEAD POST*",
  "signout/idp": "GET HEAD",
  "signout/form": "GET HEAD",
  "signout/oa": "GET HEAD",
  "backchannel-logout/idp": "POST",
  "backchannel-logout/form": "POST",
  "backchannel-logout/oa": "POST",
  "frontchannel-logout/idp": "GET HEAD",
  "frontchannel-logout/form": "GET HEAD",
  "frontchannel-logout/oa": "GET HEAD",
  "callback/idp": "GET",
  "callback/form": "GET POST",
  "callback/oa": "GET",
  "callback/email": "GET POST*",
  "callback/credentials": "POST*",
  error: "GET HEAD",
  "verify-request": "GET HEAD",
};

const ACTIONS: readonly AuthAction[] = [
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
const PROVIDERS = ["", "/idp", "/form", "/oa", "/email", "/credentials", "/unknown", "/__proto__", "/constructor"];
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "get", "PROPFIND", ""];

for (const action of ACTIONS) {
  for (const provider of [...PROVIDERS, ...(action === "signin" ? ["/undefined"] : [])]) {
    const path = `${action}${provider}`;
    const answered = ANSWERED[path] ?? "";
    test(`${path} is answered for ${answered || "no method"}`, () => {
      const route = parseRoute(`/auth/${path}`, "/auth");
      assert.ok(route);
      const allowed = answered.replaceAll("*", "").split(" ").filter((name) => name);
      for (const method of METHODS) {
        const match = findRoute(method, route, { providers, brokenProviders: new Map(), actsAt: new Set() });
        if (allowed.includes(method)) {
          assert.equal(match.kind, "route", method);
          if (match.kind === "route") assert.equal(match.route.csrf, answered.includes(`${method}*`), method);
        } else if (allowed.length === 0) {
          assert.equal(match.kind, "not-found", method);
        } else {
          assert.equal(match.kind, "wrong-method", method);
          if (match.kind === "wrong-method") assert.deepEqual(match.allow.split(", ").toSorted(), allowed.toSorted());
        }
      }
    });
  }
}

function routeOf(method: string, path: string) {
  const route = parseRoute(`/auth/${path}`, "/auth");
  assert.ok(route);
  const match = findRoute(method, route, { providers, brokenProviders: new Map(), actsAt: new Set() });
  assert.ok(match.kind === "route", `${method} ${path}`);
  return match.route;
}

test("every POST needs the CSRF token, except what a provider posts", () => {
  const open = Object.keys(ANSWERED).filter((path) => {
    return ANSWERED[path]?.includes("POST") && !routeOf("POST", path).csrf;
  });
  const logouts = ["idp", "form", "oa"].map((id) => `backchannel-logout/${id}`);
  assert.deepEqual(open, [...logouts, "callback/form"]);
});

test("a GET of a provider's sign-in is the sign-in page, whatever the provider", () => {
  for (const path of Object.keys(ANSWERED)) {
    if (path.startsWith("signin")) assert.equal(routeOf("GET", path), routeOf("GET", "signin"), path);
  }
});

test("every form refuses a repeated csrfToken and callbackUrl", () => {
  for (const [path, methods] of Object.entries(ANSWERED)) {
    if (!methods.includes("POST*")) continue;
    const more = path === "signin/email" ? ["email"] : [];
    assert.deepEqual([...routeOf("POST", path).fields], ["csrfToken", "callbackUrl", ...more], path);
    assert.ok(routeOf("POST", path).query.includes("callbackUrl"), path);
  }
});

test("an answer of a provider may not repeat a parameter of the protocol", () => {
  for (const name of ["iss", "sid"]) assert.ok(routeOf("GET", "frontchannel-logout/idp").query.includes(name), name);
  assert.ok(routeOf("GET", "signout/idp").query.includes("state"));
  assert.ok(routeOf("POST", "backchannel-logout/idp").fields.includes("logout_token"));
  for (const name of ["code", "state", "iss", "error"]) {
    assert.ok(routeOf("GET", "callback/idp").query.includes(name), name);
    assert.ok(routeOf("GET", "callback/oa").query.includes(name), name);
    assert.ok(routeOf("POST", "callback/form").fields.includes(name), name);
  }
});

test("an email link may not repeat one of its parameters", () => {
  for (const method of ["GET", "POST"]) {
    assert.deepEqual([...routeOf(method, "callback/email").query], ["callbackUrl", "token", "email"], method);
  }
});

test("an error at a JSON endpoint never becomes a page", () => {
  const data = Object.keys(ANSWERED).filter((path) =>
    routeOf(ANSWERED[path]?.match(/^[A-Z]+/)?.[0] ?? "", path).errors === "data"
  );
  const logouts = ["signout", "backchannel-logout", "frontchannel-logout"].flatMap((way) =>
    ["idp", "form", "oa"].map((id) => `${way}/${id}`)
  );
  assert.deepEqual(data, ["csrf", "providers", "session", ...logouts]);
  assert.equal(routeOf("POST", "session").errors, "data");
});
