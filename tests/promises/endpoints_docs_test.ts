import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cookieSpecs } from "../../src/http/cookie_specs.ts";
import { ERROR_ROUTES } from "../../src/request/error_routes.ts";
import { findRoute, type Route } from "../../src/service/routes.ts";
import { isAuthAction } from "../../src/kernel/route_path.ts";
import { markdownTable, wordsIn } from "../_support/markdown.ts";

const page = readFileSync("docs/endpoints.md", "utf8");

const ACTIONS = readFileSync("src/kernel/route_path.ts", "utf8").match(/"[a-z-]+"/g)?.map((name) => name.slice(1, -1))
  .filter(isAuthAction) ?? [];

const SECTIONS = [
  ["Without a provider", null],
  ["OAuth and OpenID Connect", { type: "oauth", formPost: true }],
  ["Email", { type: "email" }],
  ["Credentials", { type: "credentials" }],
  ["Passkeys", { type: "webauthn" }],
] as const;

/** Finds the endpoints of one kind of provider, as the page names them. */
function endpointsOf(provider: object | null): Map<string, Route> {
  // Some endpoints are there with `password()` only.
  const providers = new Map<string, object>([["own", { type: "credentials", passwords: {} }]]);
  if (provider) providers.set("some", provider);
  const config = { providers, brokenProviders: new Map(), actsAt: new Set(["routes"]) } as unknown as Parameters<
    typeof findRoute
  >[2];
  const found = new Map<string, Route>();
  for (const action of new Set(ACTIONS)) {
    for (const method of ["GET", "POST"]) {
      const match = findRoute(method, { action, provider: provider ? "some" : null }, config);
      if (match.kind === "route") found.set(`${method} /${action}${provider ? "/<id>" : ""}`, match.route);
    }
  }
  return found;
}

for (const [title, provider] of SECTIONS) {
  test(`the page lists the endpoints that are there: ${title}`, () => {
    const rows = markdownTable(page, title);
    const routes = endpointsOf(provider);
    assert.deepEqual(rows.map(([name = ""]) => wordsIn(name)[0]).toSorted(), [...routes.keys()].toSorted());
    for (const [name = "", query = "", fields = "", answer = "", errors = ""] of rows) {
      const [endpoint = ""] = wordsIn(name);
      const route = routes.get(endpoint);
      assert.deepEqual(wordsIn(query).toSorted(), [...route?.query ?? []].toSorted(), `${endpoint}: query`);
      assert.equal(/ and any /.test(query), route?.readsAll ?? false, `${endpoint}: other parameters`);
      assert.equal(errors, route?.errors, `${endpoint}: errors`);
      if (endpoint.startsWith("POST")) {
        assert.deepEqual(route?.fields.filter((field) => !wordsIn(fields).includes(field)), [], `${endpoint}: fields`);
        assert.equal(/without `csrfToken`|the same, without/.test(answer), !route?.csrf, `${endpoint}: CSRF token`);
      }
    }
  });
}

test("the page lists the cookies that there are", () => {
  const cookies = Object.entries(cookieSpecs(false, {}));
  const rows = markdownTable(page, "Cookies").map(([role = "", name = "", lives = ""]) => {
    return [wordsIn(role)[0], wordsIn(name)[0], /^(?:until|`)/.test(lives) ? undefined : lives];
  });
  const TIMES = new Map([[15_552_000, "180 days"], [900, "15 minutes"], [600, "10 minutes"], [300, "5 minutes"], [
    31_536_000,
    "a year",
  ]]);
  const wanted = cookies.map(([role, { name, options }]) => [role, name, TIMES.get(options.maxAge ?? 0)]);
  assert.deepEqual(rows.toSorted(), wanted.toSorted());
});

test("the page lists the errors that visitors are shown, and where", () => {
  const rows = markdownTable(page, "Errors").map(([error = "", where]) => [wordsIn(error)[0], where]);
  const wanted = Object.values(ERROR_ROUTES).map(({ query, page }) =>
    `${query} ${page === "signIn" ? "sign-in" : page}`
  );
  // What happens before a visitor is sent to the provider is as if the service could not do it.
  const known = new Set(wanted.filter((text) => text !== "Configuration sign-in"));
  assert.deepEqual(rows.map((row) => row.join(" ")).toSorted(), [...known].toSorted());
});
