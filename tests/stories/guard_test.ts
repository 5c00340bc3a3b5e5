import { test } from "node:test";
import assert from "node:assert/strict";
import { type Auth, type AuthConfig, createAuth, type Session } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { ADA, password, recordLog, testConfig } from "../_support/service.ts";

/** An application whose every page greets, mounted behind `auth`. */
function open(config: AuthConfig = {}): { browser: Browser; service: Auth; greeted: (Session | null)[] } {
  const service = createAuth(testConfig(config));
  const greeted: (Session | null)[] = [];
  const pages = service.auth((_, session) => {
    greeted.push(session);
    return new Response(`Hello ${session?.user?.name ?? "stranger"}`, { headers: { "cache-control": "public" } });
  });
  const browser = new Browser((request) => {
    return new URL(request.url).pathname.startsWith("/auth/") ? service.handler(request) : pages(request);
  }, { application: true });
  return { browser, service, greeted };
}

/** A request with the cookies of a browser. */
function requestOf(browser: Browser, path = "/"): Request {
  const url = new URL(path, browser.origin);
  const cookie = browser.cookies.headerFor(url, { sameSite: true, safe: true });
  return new Request(url, { headers: cookie ? { cookie } : {} });
}

test("auth(request) gives the session, or null", async () => {
  const { browser, service } = open();
  assert.equal(await service.auth(requestOf(browser)), null);
  await browser.signIn("credentials", ADA);
  assert.equal((await service.auth(requestOf(browser)))?.user?.name, "Ada Lovelace");
});

test("auth(request) gives null and logs an error where the secret is missing", async () => {
  const { logger, errors } = recordLog();
  const { service, browser } = open({ secret: "", logger });
  assert.equal(await service.auth(requestOf(browser)), null);
  assert.equal(errors[0]?.name, "MissingSecret");
});

test("auth(handler) passes the session to the handler", async () => {
  const { browser } = open();
  assert.equal((await browser.open("/")).html, "Hello stranger");
  await browser.signIn("credentials", ADA);
  assert.equal((await browser.open("/")).html, "Hello Ada Lovelace");
});

test("auth(handler) adds a renewed cookie to the response, and forbids caches to store it", async () => {
  const { browser } = open({ session: { updateAge: 0 } });
  await browser.signIn("credentials", ADA);
  const answer = await browser.get("/");
  assert.match(answer.headers.getSetCookie()[0] ?? "", /^authjs\.session-token=/);
  assert.equal(answer.headers.get("cache-control"), "private, no-store");
});

test("auth(handler) removes the cache headers of CDNs from a response with a renewed cookie", async () => {
  const kept = {
    "cdn-cache-control": "max-age=600",
    "surrogate-control": "max-age=600",
    "vercel-cdn-cache-control": "max-age=600",
    "netlify-cdn-cache-control": "public, durable, max-age=600",
    "cloudflare-cdn-cache-control": "max-age=600",
    "edge-control": "max-age=600",
    "x-accel-expires": "600",
    "expires": "Wed, 21 Oct 2099 07:28:00 GMT",
  };
  for (const [vary, expected] of [["", "Cookie"], ["Accept", "Accept, Cookie"], ["cookie", "cookie"], ["*", "*"]]) {
    const service = createAuth(testConfig({ session: { updateAge: 0 } }));
    const browser = await new Browser(service.handler).signIn("credentials", ADA);
    const page = service.auth(() => new Response("", { headers: { ...kept, ...(vary && { vary }), "x-mark": "1" } }));
    const { headers } = await page(requestOf(browser));
    assert.equal(headers.getSetCookie().length, 1);
    assert.deepEqual(Object.keys(kept).filter((name) => headers.has(name)), []);
    const told = ["cache-control", "vary", "x-mark"].map((name) => headers.get(name));
    assert.deepEqual(told, ["private, no-store", expected, "1"]);
    const stranger = (await page(new Request("http://localhost:3000/"))).headers;
    assert.deepEqual(Object.keys(kept).filter((name) => !stranger.has(name)), []);
  }
});

test("auth(handler) leaves a response as it is when nothing is renewed", async () => {
  const { browser } = open();
  await browser.signIn("credentials", ADA);
  const answer = await browser.get("/");
  assert.deepEqual(answer.headers.getSetCookie(), []);
  assert.equal(answer.headers.get("cache-control"), "public");
});

test("auth(handler) adds a cookie to a response with immutable headers", async () => {
  const service = createAuth(testConfig({ session: { updateAge: 0 } }));
  const browser = await new Browser(service.handler).signIn("credentials", ADA);
  const leave = service.auth(() => Response.redirect("http://localhost:3000/next"));
  const answer = await leave(requestOf(browser));
  assert.equal(answer.status, 302);
  assert.equal(answer.headers.get("location"), "http://localhost:3000/next");
  assert.equal(answer.headers.getSetCookie().length, 1);
});

test("callbacks.authorized redirects a stranger to the sign-in page, which leads back", async () => {
  const { browser, greeted } = open({ callbacks: { authorized: ({ auth }) => auth !== null } });
  await browser.open("/members?tab=2");
  assert.equal(browser.url.pathname, "/auth/signin");
  assert.equal(browser.url.searchParams.get("callbackUrl"), "http://localhost:3000/members?tab=2");
  assert.deepEqual(greeted, []);
  await browser.submit(ADA);
  assert.equal(browser.url.href, "http://localhost:3000/members?tab=2");
  assert.equal(browser.html, "Hello Ada Lovelace");
});

for (const verdict of [false, undefined, null, 0, "", "yes", 1, {}]) {
  test(`callbacks.authorized that returns ${JSON.stringify(verdict)} denies`, async () => {
    const { browser, greeted } = open({ callbacks: { authorized: () => verdict as boolean } });
    await browser.signIn("credentials", ADA);
    await browser.open("/");
    assert.equal(browser.url.pathname, "/auth/signin");
    assert.deepEqual(greeted, []);
  });
}

test("callbacks.authorized may return a response", async () => {
  const authorized = () => new Response("pay first", { status: 402 });
  const { browser, greeted } = open({ callbacks: { authorized } });
  await browser.open("/");
  assert.equal(browser.status, 402);
  assert.deepEqual(greeted, []);
});

test("callbacks.authorized that fails denies", async () => {
  const service = createAuth(testConfig({
    callbacks: {
      authorized() {
        throw new Error("no verdict");
      },
    },
  }));
  let entered = false;
  const answer = await service.auth(() => {
    entered = true;
    return new Response();
  })(new Request("http://localhost:3000/"));
  assert.equal(answer.status, 503);
  assert.equal(entered, false);
});

test("callbacks.authorized leaves a custom sign-in page open", async () => {
  const { browser } = open({ pages: { signIn: "/login" }, callbacks: { authorized: ({ auth }) => auth !== null } });
  await browser.open("/members");
  assert.equal(browser.url.pathname, "/login");
  assert.equal(browser.html, "Hello stranger");
});

/** An application with pages of its own in place of some of the service, which people can sign in to all the same. */
function openOwn(config: AuthConfig): Browser {
  const { handler } = createAuth(testConfig());
  const pages = createAuth(testConfig(config)).auth((_, session) => new Response(session?.user?.name ?? "stranger"));
  return new Browser((request) => {
    return new URL(request.url).pathname.startsWith("/auth/") ? handler(request) : pages(request);
  }, { application: true });
}

test("callbacks.authorized leads people who are signed in away from a custom sign-in page", async () => {
  const asked: (string | null | undefined)[] = [];
  const browser = openOwn({
    pages: { signIn: "/login" },
    callbacks: {
      authorized({ auth, request, matches }) {
        asked.push(auth?.user?.name);
        if (!matches("/login")) return true;
        return auth === null || Response.redirect(new URL("/members", request.url));
      },
    },
  });
  await browser.open("/login?from=here");
  assert.deepEqual([browser.url.pathname, browser.html, asked], ["/login", "stranger", []]);
  await browser.signIn("credentials", ADA);
  await browser.open("/login?from=here");
  assert.deepEqual([browser.url.pathname, browser.html], ["/members", "Ada Lovelace"]);
});

const NOT_AWAY: Readonly<Record<string, (at: URL) => Response | boolean>> = {
  "no": () => false,
  "a page that says no": () => new Response("For administrators", { status: 403 }),
  "a page that has a location": () => new Response("Over there", { status: 401, headers: { location: "/members" } }),
  "a redirect to this page": (at) => Response.redirect(new URL("?again", at)),
  "a redirect by its path alone to this page": () => redirectBy("/login"),
  "a redirect to nowhere": () => redirectBy("https://"),
};

function redirectBy(location: string): Response {
  return new Response(null, { status: 302, headers: { location } });
}

for (const [what, answer] of Object.entries(NOT_AWAY)) {
  test(`a custom sign-in page stays open where callbacks.authorized answers with ${what}`, async () => {
    const browser = openOwn({
      pages: { signIn: "/login" },
      callbacks: { authorized: ({ request, matches }) => !matches("/login") || answer(new URL(request.url)) },
    });
    await browser.signIn("credentials", ADA);
    const opened = await browser.get("/login");
    assert.deepEqual([opened.status, await opened.text()], [200, "Ada Lovelace"]);
  });
}

test("callbacks.authorized is not asked about custom pages for errors and for sent links", async () => {
  const browser = openOwn({
    pages: { error: "/oops", verifyRequest: "/sent" },
    callbacks: { authorized: ({ matches }) => matches("/") || redirectBy("/members") },
  });
  await browser.signIn("credentials", ADA);
  for (const path of ["/oops", "/sent"]) assert.equal((await browser.open(path)).html, "Ada Lovelace");
});

// The service's own answers may be given inside the guard, as the front page of the documentation does.
function insideGuard(service: Auth): Browser {
  const guarded = service.auth((request) => {
    const { pathname } = new URL(request.url);
    return pathname.startsWith("/auth/") ? service.handler(request) : new Response("page of the application");
  });
  return new Browser((request) => guarded(request), { application: true });
}

test("a sign-out behind auth(handler) ends a session that was due to be renewed", async () => {
  const browser = insideGuard(createAuth(testConfig({ session: { updateAge: 0 } })));
  await browser.signIn("credentials", ADA);
  await browser.signOut();
  assert.deepEqual(browser.cookies.names("session-token"), []);
  assert.equal(await browser.session(), null);
});

test("a sign-in behind auth(handler) replaces a session that was due to be renewed", async () => {
  const provider = password({ authorize: ({ username }) => ({ id: String(username), name: String(username) }) });
  const browser = insideGuard(createAuth(testConfig({ providers: [provider], session: { updateAge: 0 } })));
  await browser.signIn("credentials", { username: "ada" });
  await browser.signIn("credentials", { username: "grace" });
  assert.equal((await browser.session())?.user?.name, "grace");
});

test("the cookie of a handler that signs somebody out wins over a renewal", async () => {
  const service = createAuth(testConfig({ session: { updateAge: 0 } }));
  const pages = service.auth((request) => service.signOut(request, { redirectTo: "/bye" }));
  const browser = new Browser((request) => {
    return new URL(request.url).pathname === "/leave" ? pages(request) : service.handler(request);
  }, { application: true });
  await browser.signIn("credentials", ADA);
  await browser.get("/leave");
  assert.deepEqual(browser.cookies.names("session-token"), []);
});

test("a sign-in page on another site opens no page of this one", async () => {
  const { browser, greeted } = open({
    pages: { signIn: "https://login.test/members" },
    callbacks: { authorized: ({ auth }) => auth !== null },
  });
  const answer = await browser.get("/members");
  assert.match(answer.headers.get("location") ?? "", /^https:\/\/login\.test\/members\?callbackUrl=/);
  assert.equal(greeted.length, 0);
});

test("auth(handler) renews no session on the paths of the service", async () => {
  const { handler, auth } = createAuth(testConfig({ session: { updateAge: 0 } }));
  const guarded = auth((request) => handler(request));
  const browser = new Browser(handler, { application: true });
  await browser.signIn("credentials", ADA);
  const asked = new Request(requestOf(browser, "/auth/session"), { method: "HEAD" });
  assert.deepEqual((await guarded(asked)).headers.getSetCookie(), []);
});
