/** The service is mounted elsewhere than its configuration says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthConfig, createAuth } from "@x/auth";
import { type Mistake, tellMistakes } from "./_table.ts";

function handlerOf(config: Partial<AuthConfig> = {}) {
  return createAuth({ providers: [], ...config }).handler;
}

const PAGE = { status: 404, text: /<h1>Page not found<\/h1>/ } as const;

const ACTIONS = [
  "signin",
  "signin/google",
  "callback/google",
  "session",
  "csrf",
  "providers",
  "signout",
  "error",
  "verify-request",
];

tellMistakes([
  ...ACTIONS.map((action): Mistake => ({
    name: `mounted at /api/auth without \`basePath\`, and asked for ${action}`,
    make: () => handlerOf(),
    ask: `http://localhost:3000/api/auth/${action}`,
    see: PAGE,
    code: "path-elsewhere",
    level: "warn",
    log: /mounted at \/auth, asked for \/api\/auth\//,
    says: [`asked for /api/auth/${action}: set \`basePath: "/api/auth"\``],
  })),
  {
    name: "mounted below another path than `basePath` says",
    make: () => handlerOf({ basePath: "/api/auth" }),
    ask: "http://localhost:3000/app/login/signin/",
    see: PAGE,
    code: "path-elsewhere",
    level: "warn",
    log: /mounted at/,
    says: ["mounted at /api/auth, asked for /app/login/signin", '`basePath: "/app/login"`'],
  },
  {
    name: "the path of AUTH_URL is not where it is mounted",
    env: { AUTH_URL: "http://localhost:3000/api/auth" },
    make: () => handlerOf(),
    ask: "http://localhost:3000/auth/signin",
    see: PAGE,
    code: "path-elsewhere",
    level: "warn",
    log: /mounted at/,
    says: ["mounted at /api/auth, asked for /auth/signin", '`basePath: "/auth"`'],
  },
  {
    name: "a framework removes the path at which it mounts the handler",
    make: () => handlerOf(),
    ask: "http://localhost:3000/signin",
    see: PAGE,
    code: "path-elsewhere",
    level: "warn",
    log: /mounted at/,
    says: ["mounted at /auth, asked for /signin", "removed the `basePath`", "whole path"],
  },
  {
    name: "the handler answers the whole site, and the home page is asked for",
    make: () => handlerOf(),
    ask: "http://localhost:3000/",
    see: PAGE,
    code: "path-elsewhere",
    level: "warn",
    log: /mounted at/,
    says: ["mounted at /auth, asked for /", "the sign-in page is at /auth/signin"],
  },
]);

function quiet(config: Partial<AuthConfig> = {}) {
  const said: string[] = [];
  const logger = { warn: (code: string, message?: string) => void said.push(`${code}: ${message}`) };
  return { handler: createAuth({ providers: [], secret: "a".repeat(33), logger, ...config }).handler, said };
}

test("a place is told once, and at most four places are told", async () => {
  const { handler, said } = quiet();
  for (const at of ["a", "a", "b", "a", "c", "d", "e", "f", "g"]) {
    await handler(new Request(`http://localhost:3000/${at}/signin`));
  }
  assert.equal(said.length, 4, said.join("\n"));
  assert.deepEqual(new Set(said).size, 4);
});

test("places that nobody mounts a service at are not told: strangers choose them", async () => {
  const { handler, said } = quiet();
  const long = "x".repeat(50);
  for (
    const path of [
      "/a b/signin",
      "/%0a[auth]/signin",
      `/${long}/signin`,
      "/1/2/3/4/5/6/signin",
      "/wp-login",
      "/x/callback",
    ]
  ) {
    const { status } = await handler(new Request(`http://localhost:3000${path}`));
    assert.equal(status, 404);
  }
  assert.deepEqual(said, []);
});

test("a path below basePath that does not exist is a page for browsers, and JSON for scripts", async () => {
  const { handler, said } = quiet();
  for (const path of ["nothing", "signin/nobody", "", "session/more/of/it"]) {
    const url = `http://localhost:3000/auth/${path}`;
    const page = await handler(new Request(url, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } }));
    assert.equal(page.status, 404);
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(
      await page.text(),
      /<h1>Page not found<\/h1>[^]*href="http:\/\/localhost:3000\/auth\/signin"/,
    );
    for (const headers of [{}, { accept: "*/*" }, { accept: "text/html", "x-auth-return-redirect": "1" }]) {
      const data = await handler(new Request(url, { headers: headers as Record<string, string> }));
      assert.equal(data.status, 404);
      assert.deepEqual(await data.json(), { message: "Not found" });
    }
  }
  assert.deepEqual(said, []);
});
