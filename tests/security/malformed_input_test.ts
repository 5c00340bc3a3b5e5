import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createAuth, type Session } from "@x/auth";
import { encode as sealToken, getToken } from "@x/auth/jwt";
import { nameOf, ROLES } from "../_support/oracle_cookies.ts";
import { ADA, password, SECRET, testConfig } from "../_support/service.ts";
import { oauthIdp } from "./_flows.ts";
import {
  ask,
  type Asked,
  type Cookies,
  countRows,
  formToken,
  givesSession,
  JSON_TYPE,
  keep,
  locationOf,
  ORIGIN,
} from "./_service.ts";

const rows = countRows("junk");

/** Names that every object has something under. */
const NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "__defineGetter__",
  "then",
];

const posted = oauthIdp({
  id: "posted",
  authorization: { url: "https://idp.test/authorize", params: { response_mode: "form_post" } },
});
const providers = [password(), oauthIdp().provider, posted.provider];
const { handler, auth } = createAuth(testConfig({ providers }));

const POSTS = [
  "signin",
  "signin/idp",
  "signin/credentials",
  "signout",
  "session",
  "callback/credentials",
  "callback/posted",
];

let good: Cookies = {};
let csrfToken = "";
before(async () => {
  const token = await formToken(handler);
  csrfToken = token.csrfToken;
  const fields = { ...ADA, csrfToken };
  good = keep(await ask(handler, "/auth/callback/credentials", { cookies: token.cookies, fields }), token.cookies);
});

/** Sends junk. Headers and status are judged on the way; only pages that say 500 by their very name may do so. */
async function bear(path: string, asked: Asked, what: string): Promise<Response> {
  const mayFail = /[?&]error=Configuration(?:&|$)/.test(path);
  const response = await ask(handler, path, { ...asked, mayFail });
  assert.equal(({} as { polluted?: unknown }).polluted, undefined, what);
  rows();
  return response;
}

/** Everybody else goes on as before. */
async function assertUnharmed(what: string): Promise<void> {
  const session: Session | null = await (await ask(handler, "/auth/session", { cookies: good })).json();
  assert.equal(session?.user?.name, "Ada Lovelace", what);
  assert.deepEqual(Object.keys(Object.prototype), [], what);
}

/** The names of all members, however deep. */
function namesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)]);
}

test("V49: callbacks are given no member that would harm those who merge it without a thought", async () => {
  const given: unknown[] = [];
  const { handler } = createAuth(testConfig({
    providers: [password({ authorize: (fields) => void given.push(fields) })],
    callbacks: {
      jwt: ({ token, session }) => {
        given.push(session);
        return token;
      },
    },
  }));
  const evil = '{"__proto__":{"polluted":true},"a":[{"__proto__":{"polluted":true}}],"b":{"\\u005f_proto__":{"c":1}}}';
  const fields = `{"csrfToken":"${csrfToken}","data":${evil},"__proto__":{"polluted":true}}`;
  for (const path of ["session", "callback/credentials"]) {
    await ask(handler, `/auth/${path}`, { fields, headers: { "content-type": JSON_TYPE }, cookies: good });
    rows();
  }
  const names = given.flatMap(namesIn);
  assert.ok(names.includes("csrfToken") && names.includes("a") && names.includes("b"), "both were given something");
  assert.ok(!names.includes("__proto__"));
});

test("V20: no field or parameter chooses whose session it is", async () => {
  for (const name of ["userId", "id", "sub", "user[id]", "user", "sessionToken", "account.userId", "email", "token"]) {
    for (const post of POSTS) {
      const signedIn = await bear(
        `/auth/${post}?${name}=2`,
        { fields: { csrfToken, [name]: "2" }, cookies: good },
        name,
      );
      const kept = keep(signedIn, good);
      const { user = null } = await (await ask(handler, "/auth/session", { cookies: kept })).json() ?? {};
      if (user) assert.equal(user.name, "Ada Lovelace", `${name} at ${post}`);
      const { "__Secure-authjs.session-token": _, ...stranger } = good;
      const response = await bear(
        `/auth/${post}?${name}=2`,
        { fields: { csrfToken, [name]: "2" }, cookies: stranger },
        name,
      );
      assert.ok(!givesSession(response), `${name} at ${post}`);
    }
  }
});

const b64 = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** What is no token of ours, and some of it expensive to find out. */
function junkTokens(): string[] {
  const jwe = (header: unknown) =>
    `${b64(header)}..${b64("0123456789abcdef")}.${b64("x".repeat(32))}.${b64("x".repeat(32))}`;
  return [
    "x",
    "",
    ".",
    "..",
    "...",
    "....",
    "a.b.c",
    "a.b.c.d.e",
    "a.b.c.d.e.f",
    "%",
    "%00",
    "%E0%A4%A",
    "undefined",
    "null",
    "[object Object]",
    "__proto__",
    "{}",
    '"x"',
    "a|b",
    "|",
    `${"a".repeat(64)}|${"b".repeat(64)}`,
    jwe({ alg: "dir", enc: "A256CBC-HS512" }),
    jwe({ alg: "dir", enc: "A256CBC-HS512", kid: "x" }),
    jwe({ alg: "dir", enc: "A256CBC-HS512", zip: "DEF" }),
    jwe({ alg: "PBES2-HS256+A128KW", enc: "A256GCM", p2c: 2 ** 31, p2s: "AAAA" }),
    jwe({ alg: "PBES2-HS512+A256KW", enc: "A256CBC-HS512", p2c: 2 ** 31 - 1, p2s: "A".repeat(400) }),
    jwe({ alg: "ECDH-ES", enc: "A256GCM", epk: { kty: "EC", crv: "P-256", x: "AA", y: "AA" } }),
    jwe({ alg: "dir", enc: "A256CBC-HS512", crit: ["x"], x: 1 }),
    jwe({ alg: "dir", enc: "A256CBC-HS512", jku: "https://evil.test/", kid: "x".repeat(400) }),
    jwe("[".repeat(380)),
    jwe(null),
    `${b64({ alg: "none" })}.${b64({ sub: "1", name: "Eve" })}.`,
    `${b64({ alg: "HS256" })}.${b64({ sub: "1", name: "Eve" })}.${b64("x".repeat(32))}`,
    "a".repeat(3900),
    "a.".repeat(1900),
    "%25".repeat(1300),
    `${"a".repeat(19_000)}`,
  ];
}

test("V78: no malformed cookie harms anything, under any name", async () => {
  const names = [true, false].flatMap((secure) => ROLES.map((role) => nameOf(role, secure)))
    .flatMap((name) => [name, `${name}.0`, `${name}.AAAAAAAAAA`]);
  for (const name of names) {
    for (const value of junkTokens()) {
      const cookies = { [name]: value };
      const what = `${name}=${value.slice(0, 40)}`;
      const session = await bear("/auth/session", { cookies }, what);
      assert.equal(await session.json(), null, what);
      await bear("/auth/signin", { cookies }, what);
      const answer = await bear("/auth/callback/idp?code=x&state=AAAAAAAAAA", { cookies }, what);
      assert.ok(!givesSession(answer), what);
      const refused = await bear("/auth/signout", { cookies, fields: { csrfToken: value } }, what);
      assert.match(locationOf(refused), /error=MissingCSRF/, what);
      assert.equal(await auth(new Request(ORIGIN, { headers: { cookie: `${name}=${value}` } })), null, what);
    }
  }
  await assertUnharmed("cookies");
});

test("V13, V74: no Authorization header harms anything, and the service reads none", async () => {
  const token = await sealToken({ token: { sub: "1" }, secret: SECRET, salt: "authjs.session-token" });
  const headers = [
    "Bearer",
    "Bearer ",
    "Bearer %",
    "Bearer %A",
    "Bearer %ZZ",
    "bearer x",
    "Basic x",
    "Basic %",
    "Digest",
    "",
    " ",
    "Bearer a b",
    "Bearer a,b",
    `Bearer ${"a".repeat(65_536)}`,
    "Bearer\t%",
    "Bearer __proto__",
    `Basic ${token}`,
    `Token ${token}`,
    `BearerX ${token}`,
    ...junkTokens().filter((value) => !value.includes("\u0000")).map((value) => `Bearer ${value}`),
  ];
  for (const authorization of headers) {
    for (const path of ["session", "csrf", "callback/idp"]) {
      await bear(`/auth/${path}`, { headers: { authorization } }, authorization.slice(0, 40));
    }
    const request = new Request(ORIGIN, { headers: { authorization } });
    assert.equal(await auth(request), null);
    assert.equal(await getToken({ req: request, secret: SECRET }), null, authorization.slice(0, 40));
    rows(2);
  }
  for (const scheme of ["Bearer", "bearer", "BEARER", "Bearer "]) {
    const req = new Request(ORIGIN, { headers: { authorization: `${scheme} ${token}` } });
    assert.equal((await getToken({ req, secret: SECRET }))?.sub, "1", scheme);
    assert.equal(
      await (await bear("/auth/session", { headers: { authorization: `${scheme} ${token}` } }, scheme)).json(),
      null,
    );
  }
});

test("V21, V75: a path in another spelling is not found, or is the same path", async () => {
  const paths = [
    "/auth//signin",
    "/auth/./signin",
    "/auth/%73ignin",
    "/auth/signin/",
    "/AUTH/signin",
    "/auth/Signin",
    "/auth/signin%2fidp",
    "/auth/signin%2Fidp",
    "/auth/signin;x",
    "/auth/x/../signin",
    "\\auth\\signin",
    "/auth/signin%00",
    "/auth/signin%20",
    "/auth/signin.",
    "/auth/signin..;/",
    "//auth/signin",
    "/./auth/signin",
    "/auth%2fsignin",
    "/auth/signin//",
    "/auth/signin/idp/",
    "/auth/signin/idp//",
    "/auth/signin/idp/x",
    "/auth/signin/%69dp",
    "/auth/signin/idp%00",
    "/auth/signin/IDP",
    "/auth/signin/idp;x",
    "/auth/signin/idp?x",
    "/auth/signin/../session",
    "/auth/signin/..%2fsession",
    "/auth/signin/undefined",
    "/auth/signin/undefined/",
    "/authsignin",
    "/auth.signin",
    "/xauth/signin",
    "/x/auth/signin",
    "/auth/signin\u00e9",
    "/auth/\u0000",
    "/auth/",
    "/auth",
    ...NAMES.flatMap((
      name,
    ) => [`/auth/${name}`, `/auth/signin/${name}`, `/auth/callback/${name}`, `/auth/signin/${name}/x`]),
  ];
  // The paths that the WHATWG parser makes the same before anybody reads them, or that are allowed to be written so.
  const known = new Set([
    "/auth/signin",
    "/auth/signin/",
    "/auth/signin/idp",
    "/auth/signin/idp/",
    "/auth/session",
    "/auth/signin/undefined",
    "/auth/signin/undefined/",
  ]);
  for (const path of paths) {
    const { pathname } = new URL(ORIGIN + path);
    for (const method of ["GET", "POST"]) {
      const { status } = await bear(path, { method }, `${method} ${path}`);
      assert.equal(status !== 404, known.has(pathname), `${method} ${path} is ${status}`);
    }
  }
  for (const basePath of ["/a.b(c", "/a+b", "/a%2fb", "/[a]", "/a$", "/é", "/"]) {
    const site = createAuth(testConfig({ basePath })).handler;
    const base = basePath === "/" ? "" : new URL(ORIGIN + basePath).pathname;
    const found = await ask(site, `${base}/session`);
    assert.equal(found.status, basePath === "/é" ? found.status : 200, basePath);
    for (const other of ["/aXb(c", "/aab", "/a/b", "/a", "/a.b", "/x"]) {
      assert.equal((await ask(site, `${other}/session`)).status, 404, `${basePath} ${other}`);
    }
    rows(7);
  }
});

test("names that every object has are unknown errors, providers and types", async () => {
  for (const name of NAMES) {
    const page = await bear(`/auth/error?error=${name}`, {}, name);
    const other = await bear("/auth/error?error=Made-up", {}, name);
    assert.equal(page.status, other.status);
    assert.equal(await page.text(), await other.text());
    for (const path of [`signin/${name}`, `callback/${name}`]) {
      assert.equal((await bear(`/auth/${path}`, {}, path)).status, 404);
      assert.equal((await bear(`/auth/${path}`, { fields: { csrfToken }, cookies: good }, path)).status, 404);
    }
  }
});

test("V70: no header makes another path, method or host of a request", async () => {
  const service = createAuth(testConfig({ providers, callbacks: { authorized: ({ auth }) => auth !== null } }));
  const guarded = service.auth(() => new Response("inside"));
  const paths = [
    "X-Original-URL",
    "X-Rewrite-URL",
    "X-Forwarded-Uri",
    "X-Forwarded-Path",
    "X-Forwarded-Prefix",
    "X-Original-Uri",
    "X-Original-Path",
    "X-Override-URL",
    "X-HTTP-DestinationURL",
    "Destination",
    "X-Replaced-Path",
    "X-Envoy-Original-Path",
    "X-Middleware-Rewrite",
    "X-Nextjs-Rewrite",
    "Request-Uri",
    "Base-Url",
    "Uri",
    "Url",
    "Proxy-Url",
    "Referer",
    "Referrer",
  ];
  const methods = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "X-Requested-With"];
  const others = [
    "x-middleware-subrequest",
    "x-middleware-prefetch",
    "x-invoke-path",
    "x-custom-ip-authorization",
    "X-Forwarded-For",
    "X-Real-IP",
    "Client-IP",
    "True-Client-IP",
    "CF-Connecting-IP",
    "X-Originating-IP",
    "Forwarded",
    "X-Host",
    "X-Forwarded-Server",
    "X-HTTP-Host-Override",
    "X-Forwarded-Scheme",
    "X-Url-Scheme",
    "Front-End-Https",
    "X-Forwarded-Port",
  ];
  const values = new Map(
    [
      ...paths.map((name) => [name, "/auth/signin"]),
      ...methods.map((name) => [name, "POST"]),
      ...others.map((name) => [name, "middleware:middleware:127.0.0.1;host=evil.test"]),
    ] as [string, string][],
  );
  for (const [name, value] of values) {
    const response = await guarded(new Request(`${ORIGIN}/private`, { headers: { [name]: value } }));
    assert.equal(response.status, 302, name);
    assert.equal(
      locationOf(response),
      `${ORIGIN}/auth/signin?callbackUrl=${encodeURIComponent(`${ORIGIN}/private`)}`,
      name,
    );
    const listed = await (await bear("/auth/providers", { headers: { [name]: value } }, name)).json();
    assert.equal(listed.idp.callbackUrl, `${ORIGIN}/auth/callback/idp`, name);
    assert.ok(!givesSession(await bear("/auth/signout", { headers: { [name]: value }, cookies: good }, name)));
    await assertUnharmed(name);
  }
  assert.ok(values.size >= 40, `${values.size} headers`);
});
