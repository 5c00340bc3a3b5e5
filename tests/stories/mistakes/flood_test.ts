/** What strangers can cause is told a few times, and no more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthConfig, createAuth } from "@x/auth";
import { encode } from "@x/auth/jwt";

const SECRET = "a secret for tests of 32 characters or more";
const SALT = "authjs.session-token";

function quiet(config: Partial<AuthConfig> = {}) {
  const said: string[] = [];
  const logger = { warn: (code: string, message?: string) => void said.push(`${code}: ${message}`) };
  return { ...createAuth({ providers: [], secret: SECRET, trustHost: true, logger, ...config }), said };
}

function withCookie(value: string): Request {
  return new Request("http://localhost:3000/auth/session", { headers: { cookie: `${SALT}=${value}` } });
}

test("sessions of another secret are told once in an hour, whoever sends them", async () => {
  const { handler, said } = quiet();
  for (const n of [1, 2, 3, 4]) {
    const token = await encode({ token: { sub: "1" }, secret: `${SECRET}${n}`, salt: SALT });
    assert.equal(await (await handler(withCookie(token))).json(), null);
  }
  assert.equal(said.length, 1);
  assert.match(said[0] ?? "", /^secret-replaced: /);
});

test("nothing is told of a session whose secret is still in the list, of one that has expired, or of a random cookie", async () => {
  const { handler, said } = quiet({ secret: [SECRET, `old-${SECRET}`] });
  const old = await encode({ token: { sub: "1", name: "Ada" }, secret: `old-${SECRET}`, salt: SALT });
  assert.equal((await (await handler(withCookie(old))).json()).user.name, "Ada");
  const expired = await encode({ token: { sub: "1" }, secret: SECRET, salt: SALT, maxAge: -60 });
  const part = (text: string) => btoa(text).replaceAll("=", "");
  const odd = [
    expired,
    "garbage",
    "a.b.c.d.e",
    `${part('{"alg":"dir","enc":"A256GCM"}')}..AA.AA.AA`,
    `${part('{"alg":"dir","kid":"short"}')}..AA.AA.AA`,
    `${part('{"alg":"none","kid":7}')}..AA.AA.AA`,
    `${part("null")}..AA.AA.AA`,
    `${"A".repeat(3000)}..AA.AA.AA`,
    old.slice(0, -4),
  ];
  for (const token of odd) assert.equal(await (await handler(withCookie(token))).json(), null);
  assert.deepEqual(said, []);
});

test("at most four places of dropped redirects are told, and only plain ones: strangers choose them", async () => {
  const { handler, said } = quiet();
  const open = (url: string) =>
    handler(new Request(`http://localhost:3000/auth/signin?callbackUrl=${encodeURIComponent(url)}`));
  for (
    const url of [
      "javascript:alert(1)",
      "data:text/html,x",
      "https://a b/",
      `https://${"x".repeat(300)}.example/`,
      "http://[",
      "",
    ]
  ) {
    await open(url);
  }
  assert.deepEqual(said, []);
  for (let n = 0; n < 9; n += 1) await open(`https://site${n}.example/token=secret`);
  assert.equal(said.length, 4);
  for (const line of said) {
    assert.match(line, /^redirect-dropped: a redirect to https:\/\/site\d\.example was dropped, /);
    assert.doesNotMatch(line, /token=secret/);
  }
});

test("a page of the service that `pages` names is shown, and does not redirect to itself", async () => {
  const { handler } = quiet({ pages: { signIn: "/auth/signin", error: "/auth/error", signOut: "/bye" } });
  const page = await handler(new Request("http://localhost:3000/auth/signin"));
  assert.equal(page.status, 200);
  const error = await handler(new Request("http://localhost:3000/auth/error?error=Configuration"));
  assert.equal(error.status, 500);
  // The others stay.
  const signOut = await handler(new Request("http://localhost:3000/auth/signout"));
  assert.equal(signOut.headers.get("location"), "http://localhost:3000/bye");
});

test("a page elsewhere that is called like one of the service stays", async () => {
  const { handler, said } = quiet({
    basePath: "/api/auth",
    pages: { signIn: "/auth/signin", error: "/api/auth/signin" },
  });
  const page = await handler(new Request("http://localhost:3000/api/auth/signin"));
  assert.match(page.headers.get("location") ?? "", /^http:\/\/localhost:3000\/auth\/signin\?/);
  assert.deepEqual(said, []);
});
