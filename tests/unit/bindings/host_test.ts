import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { MissingCSRF } from "../../../src/errors.ts";
import { passkey } from "../../../src/providers/passkey.ts";
import {
  BY_URL,
  createHost,
  isStepUp,
  mergeRenewedCookies,
  orStepUp,
  redirectWith,
  refusing,
  withoutBody,
  withReading,
} from "../../../bindings/host/host.ts";
import { installHostileGlobals, installKeepingResponse } from "../../_support/hostile_globals.ts";
import type { Browser } from "../../_support/browser.ts";
import { ADA, password, testConfig } from "../../_support/service.ts";
import { openApplication, shakyAdapter } from "./_site.ts";

const ORIGIN = "http://localhost:3000";
const COOKIE = "authjs.session-token";
const ALWAYS_DUE = { session: { updateAge: 0 } };

/** The cookies that a browser sends with a visit of the front page. */
function cookieOf({ cookies }: Browser): string {
  return cookies.headerFor(new URL(ORIGIN), { sameSite: true, safe: true }) ?? "";
}

function sessionCookies(response: Response): string[] {
  return response.headers.getSetCookie().filter((line) => line.startsWith(COOKIE));
}

test("a host answers the paths of the service and no others", async () => {
  const { host } = openApplication();
  for (
    const [path, own] of [
      ["/auth/session", true],
      ["/auth/signin", true],
      ["/auth/callback/github", true],
      ["/auth", false],
      ["/auth/account", true],
      ["/auth/profile", false],
      ["/authsession", false],
      ["/AUTH/session", false],
      ["/", false],
    ] as const
  ) {
    assert.equal(await host.isOwn(new Request(ORIGIN + path)), own, path);
  }
});

test("a host answers browsers that look for related origins, where there are some, past the guard", async () => {
  const path = "/.well-known/webauthn";
  const protect = ["/*"];
  const related = passkey({ relayingParty: { id: "localhost" }, relatedOrigins: ["https://example.de"] });
  const { site } = openApplication({ adapter: memoryAdapter(), providers: [related], protect });
  assert.deepEqual(await (await site(new Request(ORIGIN + path))).json(), { origins: ["https://example.de"] });
  for (const elsewhere of [`${path}/`, `/x${path}`, `${path}2`, "/.well-known/change-password"]) {
    assert.equal((await site(new Request(ORIGIN + elsewhere))).status, 302, elsewhere);
  }
  const without = openApplication({ adapter: memoryAdapter(), providers: [passkey()] });
  assert.equal(await (await without.site(new Request(ORIGIN + path))).text(), "stranger");
  assert.deepEqual(without.served, [path]);
});

test("a host whose configuration cannot be resolved owns no path and admits nobody", async () => {
  const host = createHost(() => Promise.reject(new Error("no configuration")), { basePath: "/auth" });
  const request = new Request(`${ORIGIN}/auth/session`);
  assert.equal(await host.isOwn(request), false);
  const { denied, failed, session, cookies } = await host.admit(request, BY_URL);
  assert.deepEqual([denied?.status, failed, session, cookies], [500, true, null, []]);
  assert.equal((await host.answer(request)).status, 500);
});

test("somebody signs in, is known to the application, and signs out", async () => {
  const { browser } = openApplication();
  const visitor = browser();
  await visitor.signIn("credentials", ADA);
  assert.equal((await visitor.open("/")).html, "Ada Lovelace");
  await visitor.signOut();
  assert.equal((await visitor.open("/")).html, "stranger");
});

// What a router may take for /guarded, and what URL parsers make of it.
const SPELLINGS = [
  "/guarded",
  "/guarded/",
  "/guarded//",
  "//guarded",
  "///guarded",
  "/%67uarded",
  "/%67%75arded",
  "/%2567uarded",
  "/%252567uarded",
  "/GUARDED",
  "/Guarded",
  "/%47UARDED",
  "/./guarded",
  "/guarded/.",
  "/x/../guarded",
  "/x/%2e%2e/guarded",
  "/x/..%2fguarded",
  "/guarded;jsessionid=1",
  "/guarded;",
  "/guarded.html",
  "/guarded.data",
  "/guarded.json",
  "/guarded/index",
  "/guarded/__data.json",
  "/%2fguarded",
  "/guarded%2f",
  "/%5cguarded",
  "\\guarded",
  "/guarded%00",
  "/guarded%20",
  "/guarded%09",
  "/ｇuarded",
  "/guarded/deep/er",
  "/guarded?x=/open",
  "/guarded#/open",
  `/%67uarded/${"x/".repeat(5000)}`,
  `/guarded/${"x/".repeat(3000)}`,
] as const;

for (const spelling of SPELLINGS) {
  const name = spelling.length > 60 ? `${spelling.slice(0, 30)}… of ${spelling.length} characters` : spelling;
  test(`a stranger does not pass the guard as ${name}`, async () => {
    for (const prefix of ["", "/app"]) {
      const { site, served } = openApplication({ protect: ["/guarded/*"] }, {
        env: { AUTH_URL: `${ORIGIN}${prefix}/auth` },
        stripped: prefix,
      });
      const answer = await site(new Request(ORIGIN + prefix + spelling));
      assert.ok([302, 400, 401].includes(answer.status), `${answer.status}`);
      assert.deepEqual(served, []);
    }
  });
}

for (const raw of ["/x/../guarded", "/./guarded", "\\guarded", "/x/%2e%2e/guarded"]) {
  test(`a stranger does not pass the guard where a server hands over the text ${raw}`, async () => {
    const { host } = openApplication({ protect: ["/guarded/*"] });
    const request = Object.defineProperty(new Request(ORIGIN), "url", { value: ORIGIN + raw });
    const { denied } = await host.admit(request, BY_URL);
    assert.ok(denied && [302, 400, 401].includes(denied.status));
  });
}

test("authorized sees a normal path", async () => {
  const seen: string[] = [];
  const { site, served } = openApplication({
    callbacks: {
      authorized({ request }) {
        const { pathname } = new URL(request.url);
        seen.push(pathname);
        return pathname !== "/guarded";
      },
    },
  });
  for (const path of ["/%67uarded", "//guarded", "/guarded"]) {
    assert.equal((await site(new Request(ORIGIN + path))).status, 302);
  }
  assert.deepEqual([seen, served], [["/guarded", "/guarded", "/guarded"], []]);
});

test("a framework that replaces Response and keeps headers gives nobody what is another's", async () => {
  const restore = installHostileGlobals();
  const { kept, restore: restoreKeeping } = installKeepingResponse();
  try {
    const { browser } = openApplication(ALWAYS_DUE);
    const [ada, stranger] = [browser(), browser()];
    await ada.signIn("credentials", ADA);
    for (let round = 0; round < 3; round++) {
      const [known, unknown] = await Promise.all([ada.get("/"), stranger.get("/")]);
      assert.deepEqual([await known.text(), await unknown.text()], ["Ada Lovelace", "stranger"]);
      assert.equal(sessionCookies(known).length, 1);
      assert.deepEqual(unknown.headers.getSetCookie(), []);
    }
    assert.ok(kept.length > 0);
  } finally {
    restoreKeeping();
    restore();
  }
});

test("two requests at once get each their own session", async () => {
  const names = ["Ada", "Grace"];
  const { browser } = openApplication({
    ...ALWAYS_DUE,
    callbacks: {
      async session({ session }) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
        return session;
      },
    },
    providers: [password({ authorize: ({ username }) => ({ id: `${username}`, name: `${username}` }) })],
  });
  const visitors = await Promise.all(names.map((name) => browser().signIn("credentials", { ...ADA, username: name })));
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([...visitors, ...visitors].map((visitor) => visitor.get("/")));
    assert.deepEqual(await Promise.all(answers.map((answer) => answer.text())), [...names, ...names]);
  }
});

test("a session that is due is renewed once a visit", async () => {
  const { browser } = openApplication(ALWAYS_DUE, {
    async route(request, host) {
      const [first, second] = await Promise.all([host.read(request, { renew: true }), host.read(request)]);
      assert.equal(first.session, second.session);
      return null;
    },
  });
  const visitor = await browser().signIn("credentials", ADA);
  const answer = await visitor.get("/");
  assert.equal(sessionCookies(answer).length, 1);
  assert.equal(answer.headers.get("cache-control"), "private, no-store");
});

test("reading without renewal sets no cookie, and a renewal may follow", async () => {
  const { browser, host } = openApplication(ALWAYS_DUE);
  const visitor = await browser().signIn("credentials", ADA);
  const cookie = cookieOf(visitor);
  const request = new Request(ORIGIN, { headers: { cookie } });
  assert.deepEqual((await host.read(request)).cookies, []);
  assert.equal((await host.read(request, { renew: true })).cookies.length, 1);
});

for (
  const headers of [
    { "sec-purpose": "prefetch" },
    { "sec-purpose": "prefetch;prerender" },
    { "sec-purpose": "prefetch;anonymous-client-ip" },
    { "purpose": "prefetch" },
    { "next-router-prefetch": "1" },
  ] as Record<string, string>[]
) {
  test(`what is loaded in advance renews nothing and sets no cookie: ${JSON.stringify(headers)}`, async () => {
    const { browser, host } = openApplication(ALWAYS_DUE);
    const visitor = await browser().signIn("credentials", ADA);
    const answer = await visitor.get("/", { headers });
    assert.equal(await answer.text(), "Ada Lovelace");
    assert.deepEqual(answer.headers.getSetCookie(), []);
    const cookie = cookieOf(visitor);
    const request = new Request(ORIGIN, { headers: { cookie, ...headers } });
    assert.deepEqual((await host.read(request, { renew: true })).cookies, []);
  });
}

test("a cookie that is no session is removed, but not by what is loaded in advance", async () => {
  const { site } = openApplication();
  const cookie = `${COOKIE}=nonsense`;
  const [line = ""] = (await site(new Request(ORIGIN, { headers: { cookie } }))).headers.getSetCookie();
  assert.match(line, /^authjs\.session-token=; Max-Age=0/);
  const advance = await site(new Request(ORIGIN, { headers: { cookie, "sec-purpose": "prefetch" } }));
  assert.deepEqual(advance.headers.getSetCookie(), []);
});

for (const guard of [{ protect: ["/guarded/*"] }, { callbacks: { authorized: () => true } }]) {
  test(`while storage is down the guard denies, and nobody is signed out: ${Object.keys(guard)}`, async () => {
    const { adapter, state } = shakyAdapter();
    const session = { strategy: "database", updateAge: 0 } as const;
    const { browser, served, host, log } = openApplication({ adapter, session, ...guard }, { mayFail: true });
    const visitor = await browser().signIn("credentials", ADA);
    assert.equal((await visitor.get("/guarded")).status, 200);
    served.length = 0;
    state.down = true;
    const denied = await visitor.get("/guarded");
    assert.deepEqual([denied.status, denied.headers.getSetCookie()], [503, []]);
    assert.equal(denied.headers.get("cache-control"), "private, no-store");
    const cookie = cookieOf(visitor);
    const request = new Request(ORIGIN, { headers: { cookie } });
    assert.deepEqual(await host.read(request, { renew: true }), { session: null, cookies: [], failed: true });
    if ("protect" in guard) {
      const open = await visitor.get("/open");
      assert.deepEqual([open.status, await open.text(), open.headers.getSetCookie()], [200, "stranger", []]);
    }
    assert.ok(!served.includes("/guarded"));
    assert.ok(log.errors.length > 0);
    state.down = false;
    assert.equal((await visitor.open("/guarded")).html, "Ada Lovelace");
  });
}

test("the sign-in page stays open while storage is down", async () => {
  const { adapter, state } = shakyAdapter();
  const { host } = openApplication({ adapter, pages: { signIn: "/login" }, callbacks: { authorized: () => false } });
  state.down = true;
  const cookie = `${COOKIE}=x`;
  for (const path of ["/login", "/auth/signin"]) {
    assert.equal((await host.admit(new Request(ORIGIN + path, { headers: { cookie } }), BY_URL)).denied, null, path);
  }
});

test("what is answered to somebody who is signed in is kept by no cache, unless it says itself how", async () => {
  const { browser } = openApplication({}, {
    route: (request) => {
      const headers = { "cache-control": "public, max-age=60" };
      return Promise.resolve(request.url.endsWith("/asset") ? new Response("asset", { headers }) : null);
    },
  });
  const visitor = await browser().signIn("credentials", ADA);
  const page = await visitor.get("/");
  assert.deepEqual([page.headers.get("cache-control"), page.headers.get("vary")], ["private, no-store", "Cookie"]);
  assert.equal((await visitor.get("/asset")).headers.get("cache-control"), "public, max-age=60");
  assert.equal((await browser().get("/")).headers.get("cache-control"), null);
});

test("what sets a cookie is kept by no cache, whatever it says itself", async () => {
  const { browser } = openApplication(ALWAYS_DUE, {
    route: () => {
      const headers = { "cache-control": "public, s-maxage=60", "cdn-cache-control": "max-age=9", "vary": "accept" };
      return Promise.resolve(new Response("page", { headers }));
    },
  });
  const visitor = await browser().signIn("credentials", ADA);
  const { headers } = await visitor.get("/");
  assert.deepEqual([headers.get("cache-control"), headers.get("vary")], ["private, no-store", "accept, Cookie"]);
  assert.equal(headers.get("cdn-cache-control"), null);
});

test("a handler that signs out is not overruled by a renewal, before or after", async () => {
  const { browser } = openApplication(ALWAYS_DUE, {
    async route(request, host) {
      if (new URL(request.url).pathname !== "/leave") return null;
      const answer = redirectWith(await host.signOut(request, { redirectTo: "/bye" }));
      assert.deepEqual(await host.read(request, { renew: true }), { session: null, cookies: [], failed: false });
      return answer;
    },
  });
  const visitor = await browser().signIn("credentials", ADA);
  const answer = await visitor.send("POST", "/leave");
  assert.equal(answer.headers.get("location"), `${ORIGIN}/bye`);
  assert.equal(sessionCookies(answer).length, 1);
  assert.match(sessionCookies(answer)[0] ?? "", /Max-Age=0/);
  assert.equal((await visitor.open("/")).html, "stranger");
});

test("a handler signs somebody in with fields, or with whatever has entries", async () => {
  const forms = [ADA, new URLSearchParams(ADA), new Map(Object.entries(ADA)), form(ADA)];
  for (const fields of forms) {
    const { browser } = openApplication({}, {
      route: async (request, host) =>
        request.method === "POST" ? redirectWith(await host.signIn(request, "credentials", fields)) : null,
    });
    const visitor = browser();
    const answer = await visitor.send("POST", "/enter");
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get("cache-control"), "private, no-store");
    assert.equal((await visitor.open("/")).html, "Ada Lovelace");
  }
});

function form(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

test("another site starts, ends and changes nothing", async () => {
  const { host } = openApplication();
  for (const headers of [{ origin: "https://evil.test" }, { "sec-fetch-site": "cross-site" }] as HeadersInit[]) {
    const request = new Request(`${ORIGIN}/x`, { method: "POST", headers });
    await assert.rejects(host.signIn(request, "credentials", ADA), MissingCSRF);
    await assert.rejects(host.signOut(request), MissingCSRF);
    await assert.rejects(host.update(request, {}), MissingCSRF);
  }
});

test("an update is what the rest of the visit sees", async () => {
  const { browser } = openApplication({
    callbacks: {
      jwt: ({ token, trigger, session }) => trigger === "update" ? { ...token, ...session as object } : token,
    },
  }, {
    async route(request, host) {
      if (request.method !== "POST") return null;
      const { session, cookies } = await host.update(request, { name: "Countess" } as never);
      assert.equal((await host.read(request, { renew: true })).session, session);
      return withReading(new Response(session?.user?.name), { session, cookies });
    },
  });
  const visitor = await browser().signIn("credentials", ADA);
  assert.equal(await (await visitor.send("POST", "/rename")).text(), "Countess");
  assert.equal((await visitor.open("/")).html, "Countess");
});

test("a prefix that something in front takes off is part of every link", async () => {
  const { browser, served } = openApplication({ protect: ["/guarded/*"] }, {
    env: { AUTH_URL: `${ORIGIN}/app/auth` },
    stripped: "/app",
  });
  const visitor = browser();
  await visitor.open("/app/guarded/x?tab=2");
  assert.equal(visitor.url.pathname, "/app/auth/signin");
  assert.equal(visitor.url.searchParams.get("callbackUrl"), `${ORIGIN}/app/guarded/x?tab=2`);
  await visitor.submit(ADA, "/credentials");
  assert.equal(visitor.url.href, `${ORIGIN}/app/guarded/x?tab=2`);
  assert.equal(visitor.html, "Ada Lovelace");
  assert.deepEqual(served, ["/guarded/x"]);
});

test("patterns are those of the routes, or those that visitors see", async () => {
  for (const pattern of ["/guarded/*", "/app/guarded/*"]) {
    const { host } = openApplication({ protect: [pattern] }, { env: { AUTH_URL: `${ORIGIN}/app/auth` } });
    for (const path of ["/guarded/x", "/app/guarded/x", "/app/%67uarded", "/%61pp/guarded"]) {
      const { denied } = await host.admit(new Request(ORIGIN + path), BY_URL);
      assert.equal(denied?.status, 302, `${pattern} ${path}`);
      const back = new URL(denied.headers.get("location") ?? "").searchParams.get("callbackUrl") ?? "";
      assert.match(new URL(back).pathname, /^\/(?:a|%61)pp\/(?:g|%67)uarded/, "the prefix stands there once");
    }
    assert.equal((await host.admit(new Request(`${ORIGIN}/open`), BY_URL)).denied, null);
  }
});

test("AUTH_URL wins over the path of the binding, and the option over both", async () => {
  const cases = [
    [{}, {}, "/api/auth"],
    [{ AUTH_URL: `${ORIGIN}/` }, {}, "/api/auth"],
    [{ AUTH_URL: `${ORIGIN}/accounts` }, {}, "/accounts"],
    [{ AUTH_URL: `${ORIGIN}/accounts` }, { basePath: "/mine" }, "/mine"],
    [{}, { basePath: "/mine" }, "/mine"],
  ] as const;
  for (const [env, config, expected] of cases) {
    const { host } = openApplication(config, { env, basePath: "/api/auth" });
    const answer = await host.answer(new Request(`${ORIGIN}${expected}/providers`));
    const { credentials } = await answer.json();
    assert.equal(credentials.signinUrl, `${ORIGIN}${expected}/signin/credentials`);
  }
});

test("routes of the framework at another path than that of the service are the service, too", async () => {
  const { host } = openApplication({ basePath: "/accounts" }, { mounted: "/api/auth/" });
  const answer = await host.answer(new Request(`${ORIGIN}/api/auth/providers`));
  assert.equal((await answer.json()).credentials.signinUrl, `${ORIGIN}/accounts/signin/credentials`);
});

test("a configuration that depends on the request is asked for once a visit", async () => {
  let asked = 0;
  const host = createHost(() => (asked++, testConfig()), { basePath: "/auth" });
  const request = new Request(ORIGIN);
  await host.isOwn(request);
  await host.admit(request, BY_URL);
  await host.read(request);
  assert.equal(asked, 1);
  await host.read(new Request(ORIGIN));
  assert.equal(asked, 2);
});

test("require() refuses who has signed out during the visit, although the visit still has the cookie", async () => {
  const { host, browser } = openApplication({ session: { strategy: "jwt" } });
  const visitor = browser();
  await visitor.signIn("credentials", ADA);
  const headers = { cookie: cookieOf(visitor), origin: ORIGIN };
  const visit = new Request(ORIGIN, { method: "POST", headers });
  assert.equal((await host.require(visit)).user?.name, "Ada Lovelace");
  await host.signOut(visit);
  await assert.rejects(host.require(visit), (error) => isStepUp(error) && error.missing.join() === "session");
});

test("a refusal of another copy of the package is answered, and other errors are not", async () => {
  const other = Object.assign(new Error("no"), {
    type: "StepUpRequired",
    response: () => new Response(null, { status: 401 }),
  });
  assert.equal((await orStepUp(() => Promise.reject(other))).status, 401);
  await assert.rejects(orStepUp(() => Promise.reject(new TypeError("broken"))), TypeError);
  await assert.rejects(refusing(Promise.reject(new TypeError("broken")), () => "answer"), TypeError);
});

test("withoutBody() keeps where a request comes from and what it is, and leaves its body", async () => {
  const request = new Request(`${ORIGIN}/x?y`, { method: "POST", body: "text", headers: { origin: "https://a.test" } });
  const copy = withoutBody(request);
  assert.deepEqual([copy.url, copy.method, copy.headers.get("origin"), copy.body], [
    request.url,
    "POST",
    "https://a.test",
    null,
  ]);
  assert.equal(await request.text(), "text");
});

test("mergeRenewedCookies() leaves the application the last word", () => {
  const cookies = [{ name: "a", value: "new", options: {} }, { name: "b", value: "1", options: {} }];
  assert.deepEqual(mergeRenewedCookies(["a=own", "c=2"], cookies), ["b=1", "a=own", "c=2"]);
});

test("withReading() gives headers of its own, and leaves alone what it need not change", () => {
  const given = new Response("x", { headers: { "x-mark": "1" } });
  assert.equal(withReading(given, { session: null, cookies: [] }), given);
  const cookies = [{ name: "a", value: "1", options: {} }];
  const made = withReading(given, { session: null, cookies });
  assert.notEqual(made.headers, given.headers);
  assert.deepEqual([given.headers.getSetCookie(), made.headers.getSetCookie()], [[], ["a=1"]]);
  assert.equal(made.headers.get("x-mark"), "1");
  // Immutable headers, as those of an answer from the network.
  assert.equal(withReading(Response.redirect(ORIGIN), { session: null, cookies }).headers.get("set-cookie"), "a=1");
  // What cannot be copied, such as the answer to a WebSocket.
  const switching = { status: 101, headers: new Headers() } as Response;
  assert.equal(withReading(switching, { session: null, cookies }), switching);
});
