import assert from "node:assert/strict";
import { test } from "node:test";
import { nextAuthWith } from "../../../bindings/host/next.ts";
import type { AuthConfig, RequireOptions, SetCookie } from "@x/auth";
import { type NextAuthResult, type NextRequestLike, raw } from "../../../bindings/next.ts";
import { CredentialsSignin, InvalidConfig, MissingCSRF, StepUpRequired } from "../../../src/errors.ts";
import { Browser } from "../../_support/browser.ts";
import { ADA, recordLog, testConfig } from "../../_support/service.ts";
import { shakyAdapter } from "./_site.ts";

const ORIGIN = "http://localhost:3000";
const COOKIE = "authjs.session-token";

/** What `redirect` of Next throws. */
class RedirectError extends Error {
  readonly digest: string;
  constructor(to: string) {
    super("NEXT_REDIRECT");
    this.digest = `NEXT_REDIRECT;push;${to};307;`;
  }
}

interface Double {
  readonly next: NextAuthResult;
  /** The headers of the current request. */
  at(headers: Record<string, string>, mayWrite?: boolean): void;
  readonly set: SetCookie[];
  readonly browser: () => Browser;
}

/** Next, as far as the binding sees it: the current request, a proxy, and the route of the service. */
function open(config: AuthConfig = {}, options: { mayFail?: boolean } = {}): Double {
  const state = { headers: new Headers(), mayWrite: false };
  const set: SetCookie[] = [];
  const next = nextAuthWith(testConfig({ session: { updateAge: 0 }, ...config }), () =>
    Promise.resolve({
      headers: () => Promise.resolve(state.headers),
      cookies: () =>
        Promise.resolve({
          set(name: string, value: string, options: SetCookie["options"]) {
            if (!state.mayWrite) throw new Error("Cookies can only be modified in a Server Action or Route Handler");
            set.push({ name, value, options });
          },
        }),
      redirect: (to) => {
        throw new RedirectError(to);
      },
    }));
  async function site(request: Request): Promise<Response> {
    const proxied = await next.auth(request, { waitUntil: () => {} });
    if (proxied.headers.get("x-middleware-next") !== "1") return proxied;
    if (new URL(request.url).pathname.startsWith("/api/auth/")) {
      return await next.handlers[request.method === "POST" ? "POST" : "GET"](request);
    }
    for (const name of [...proxied.headers.keys()].filter((name) => name.startsWith("x-middleware-"))) {
      proxied.headers.delete(name);
    }
    state.headers = request.headers;
    const session = await next.auth();
    return new Response(session?.user?.name ?? "stranger", { headers: proxied.headers });
  }
  return {
    next,
    set,
    at(headers, mayWrite = true) {
      Object.assign(state, { headers: new Headers({ host: "localhost:3000", ...headers }), mayWrite });
    },
    browser: () => new Browser(site, { application: true, basePath: "/api/auth", ...options }),
  };
}

async function cookieOf(browser: Browser): Promise<string> {
  await browser.signIn("credentials", ADA);
  return browser.cookies.headerFor(new URL(ORIGIN), { sameSite: true, safe: true }) ?? "";
}

test("Next: somebody signs in by the pages, is known to pages, and signs out", async () => {
  const { browser } = open({ protect: ["/members/*"] });
  const visitor = browser();
  await visitor.open("/members/x?tab=2");
  assert.equal(visitor.url.pathname, "/api/auth/signin");
  await visitor.submit(ADA, "/credentials");
  assert.equal(visitor.url.pathname, "/members/x");
  assert.equal(visitor.html, "Ada Lovelace");
  await visitor.signOut();
  assert.equal((await visitor.open("/")).html, "stranger");
});

test("Next: the proxy renews the session for no cache, and not for what is loaded in advance", async () => {
  const { browser } = open();
  const visitor = await browser().signIn("credentials", ADA);
  const { headers } = await visitor.get("/");
  assert.deepEqual([headers.getSetCookie().length, headers.get("cache-control")], [1, "private, no-store"]);
  const advance = await visitor.get("/", { headers: { "next-router-prefetch": "1" } });
  assert.deepEqual([advance.headers.getSetCookie(), advance.headers.get("cache-control")], [[], null]);
});

test("Next: the proxy leaves pages that it passes on as they are while nothing is renewed", async () => {
  const { browser } = open({ session: {} });
  const visitor = await browser().signIn("credentials", ADA);
  const { headers } = await visitor.get("/");
  assert.deepEqual([headers.getSetCookie(), headers.get("cache-control")], [[], null]);
});

test("Next: a session is renewed once, by the proxy or by a route handler behind it", async () => {
  const { next, browser } = open();
  const cookie = await cookieOf(browser());
  const event = { waitUntil: () => {} };
  const headers = { cookie, "x-mark": "1" };
  const handler = next.auth((request) => Response.json(request.auth?.user));
  const proxied = await next.auth(new Request(ORIGIN, { headers }), event);
  assert.equal(proxied.headers.getSetCookie().length, 1);
  // What Next hands to the route handler then.
  const names = proxied.headers.get("x-middleware-override-headers")?.split(",") ?? [];
  const behind = names.map((name) => [name, proxied.headers.get(`x-middleware-request-${name}`) ?? ""]);
  const request = new Request(ORIGIN, { headers: Object.fromEntries(behind) });
  assert.deepEqual([request.headers.get("cookie"), request.headers.get("x-mark")], [cookie, "1"]);
  const answer = await handler(request as never, {});
  assert.deepEqual([(await answer.json()).name, answer.headers.getSetCookie()], ["Ada Lovelace", []]);
  const alone = await handler(new Request(ORIGIN, { headers, method: "POST" }) as never, {});
  assert.equal(alone.headers.getSetCookie().length, 1);
});

test("Next: the proxy renews nothing for what is posted: an action may sign out", async () => {
  const { next, browser } = open();
  const headers = { cookie: await cookieOf(browser()) };
  const event = { waitUntil: () => {} };
  for (const proxy of [next.auth(() => undefined), next.auth]) {
    const { headers: sent } = await proxy(new Request(ORIGIN, { method: "POST", headers }) as never, event);
    assert.deepEqual([sent.getSetCookie(), sent.get("x-middleware-next")], [[], "1"]);
  }
});

test("Next: what a proxy changes in the request stays changed", async () => {
  const { next, browser } = open();
  const own = { "x-middleware-next": "1", "x-middleware-override-headers": "x-own", "x-middleware-request-x-own": "1" };
  const proxy = next.auth(() => new Response(null, { headers: own }));
  const request = new Request(ORIGIN, { headers: { cookie: await cookieOf(browser()) } });
  const { headers } = await proxy(request as never, { waitUntil: () => {} });
  assert.equal(headers.get("x-middleware-override-headers"), "x-own");
  assert.equal(headers.getSetCookie().length, 1);
});

test("Next: auth() in a component reads and never writes", async () => {
  const { next, at, browser, set } = open();
  const cookie = await cookieOf(browser());
  at({ cookie }, false);
  assert.equal((await next.auth())?.user?.name, "Ada Lovelace");
  at({}, false);
  assert.equal(await next.auth(), null);
  at({ cookie: `${COOKIE}=nonsense` }, false);
  assert.equal(await next.auth(), null);
  assert.deepEqual(set, []);
});

for (const host of ["", "a b", "evil.test/x", "a,b"]) {
  test(`Next: auth() reads though the host is ${JSON.stringify(host)}`, async () => {
    const { next, at, browser } = open();
    at({ cookie: await cookieOf(browser()), host }, false);
    assert.equal((await next.auth())?.user?.name, "Ada Lovelace");
  });
}

test("Next: an action signs in, changes and ends the session", async () => {
  const { next, at, set, browser } = open({
    callbacks: {
      jwt: ({ token, trigger, session }) => {
        return trigger === "update" ? { ...token, ...(session as { user: object }).user } : token;
      },
    },
  });
  const action = { "next-action": "1", origin: ORIGIN, referer: `${ORIGIN}/page` };
  at(action);
  await assert.rejects(next.signIn("credentials", { ...ADA, password: "wrong" }), CredentialsSignin);
  await assert.rejects(next.signIn("credentials", ADA), (error: RedirectError) => {
    assert.equal(error.digest, `NEXT_REDIRECT;push;${ORIGIN}/page;307;`);
    return true;
  });
  assert.equal(set.find(({ name }) => name === COOKIE)?.options.httpOnly, true);
  set.length = 0;
  at(action);
  assert.equal(await next.signIn("credentials", { ...ADA, redirect: false, redirectTo: "/x" }), `${ORIGIN}/x`);
  assert.ok(set.some(({ name }) => name === COOKIE));
  set.length = 0;
  const cookie = await cookieOf(browser());
  at({ ...action, cookie });
  assert.equal((await next.unstable_update({ user: { name: "Countess" } }))?.user?.name, "Countess");
  assert.equal((await next.auth())?.user?.name, "Countess");
  assert.deepEqual(set.map(({ name }) => name), [COOKIE]);
  set.length = 0;
  at({ ...action, cookie });
  assert.equal(await next.signOut({ redirect: false, redirectTo: "/bye" }), `${ORIGIN}/bye`);
  assert.deepEqual(set.map(({ name, options }) => [name, options.maxAge]), [[COOKIE, 0]]);
  assert.equal(await next.auth(), null);
});

test("Next: a form of another site starts, ends and changes nothing", async () => {
  const { next, at, set } = open();
  for (const origin of [{ origin: "https://evil.test" }, { "sec-fetch-site": "cross-site" }]) {
    at({ "content-type": "multipart/form-data; boundary=x", ...origin } as Record<string, string>);
    await assert.rejects(next.signIn("credentials", ADA), MissingCSRF);
    await assert.rejects(next.signIn(), MissingCSRF);
    await assert.rejects(next.signOut(), MissingCSRF);
    await assert.rejects(next.unstable_update({}), MissingCSRF);
  }
  assert.deepEqual(set, []);
});

test("Next: with the marker raw handlers answer with responses, and actions act", async () => {
  const { next, at, set, browser } = open({ raw });
  assert.equal((await browser().signIn("credentials", ADA)).html, "Ada Lovelace");
  at({ "next-action": "1", origin: ORIGIN });
  assert.equal(await next.signIn("credentials", { ...ADA, redirect: false, redirectTo: "/x" }), `${ORIGIN}/x`);
  assert.ok(set.some(({ name }) => name === COOKIE));
});

test("Next: what the framework throws passes", async () => {
  const bailout = new Error("BAILOUT_TO_CLIENT_SIDE_RENDERING");
  const next = nextAuthWith(testConfig(), () => Promise.reject(bailout));
  await assert.rejects(next.auth(), bailout);
  await assert.rejects(next.signOut(), bailout);
  const { next: wrapped } = open();
  const handler = wrapped.auth(() => {
    throw new RedirectError("/x");
  });
  await assert.rejects(handler(new Request(ORIGIN) as never, {}), RedirectError);
});

test("Next: a wrapped handler gets the session, and runs only for those who may pass", async () => {
  const { next, browser } = open({ callbacks: { authorized: ({ auth }) => auth !== null } });
  let ran = 0;
  const handler = next.auth((request, context: { readonly params: string }) => {
    ran++;
    return Response.json({ name: request.auth?.user?.name, params: context.params });
  });
  const denied = await handler(new Request(`${ORIGIN}/x`) as never, { params: "p" });
  assert.deepEqual([denied.status, ran], [302, 0]);
  const cookie = await cookieOf(browser());
  const answer = await handler(new Request(`${ORIGIN}/x`, { headers: { cookie } }) as never, { params: "p" });
  assert.deepEqual(await answer.json(), { name: "Ada Lovelace", params: "p" });
  assert.deepEqual([answer.headers.getSetCookie().length, answer.headers.get("cache-control")], [
    1,
    "private, no-store",
  ]);
});

test("Next: a wrapped proxy that answers nothing passes the request on", async () => {
  const { next } = open();
  const proxy = next.auth(() => undefined);
  assert.equal((await proxy(new Request(ORIGIN) as never, {})).headers.get("x-middleware-next"), "1");
});

test("Next: the pages router reads and renews the session", async () => {
  const { next, browser } = open();
  const cookie = await cookieOf(browser());
  for (const form of ["api", "props"] as const) {
    const kept = new Map<string, string | string[]>();
    const response = {
      getHeader: (name: string) => kept.get(name),
      setHeader: (name: string, value: string | string[]) => kept.set(name, value),
      removeHeader: (name: string) => kept.delete(name),
      getHeaderNames: () => [...kept.keys()],
      writeHead: () => {},
    };
    const request = {
      method: "POST",
      url: "/api/x",
      headers: { host: "localhost:3000", cookie },
      rawHeaders: ["Host", "localhost:3000", "Cookie", cookie],
      socket: {},
    };
    const session = form === "api"
      ? await next.auth(request, response)
      : await next.auth({ req: request, res: response });
    assert.equal(session?.user?.name, "Ada Lovelace");
    assert.equal(kept.get("set-cookie")?.length, 1);
    assert.equal(kept.get("cache-control"), "private, no-store");
  }
});

test("Next: while storage is down the proxy denies what is guarded, and nobody is signed out", async () => {
  const { adapter, state } = shakyAdapter();
  const session = { strategy: "database", updateAge: 0 } as const;
  const { browser } = open({ adapter, session, protect: ["/members/*"], logger: recordLog().logger }, {
    mayFail: true,
  });
  const visitor = await browser().signIn("credentials", ADA);
  state.down = true;
  const answers = [await visitor.get("/members/x"), await visitor.get("/")];
  assert.deepEqual(answers.map(({ status }) => status), [503, 200]);
  assert.equal(await answers[1]?.text(), "stranger");
  assert.deepEqual(answers.flatMap(({ headers }) => headers.getSetCookie()), []);
  state.down = false;
  assert.equal((await visitor.open("/members/x")).html, "Ada Lovelace");
});

/** What Next shows a proxy: its URL has neither the locale nor `basePath`. */
function proxied(path: string, { headers = {}, ...nextUrl }: Record<string, unknown> = {}): Request {
  const request = new Request(`${ORIGIN}${path}`, { headers: { host: "localhost:3000", ...headers as object } });
  return Object.assign(request, { nextUrl: { pathname: path, locale: "", ...nextUrl } });
}

const EVENT = { waitUntil: () => {} };
const GERMAN = { locale: "de", defaultLocale: "en" };
const ENGLISH = { locale: "en", defaultLocale: "en" };

const GUARDED: readonly (readonly [path: string, nextUrl?: object])[] = [
  ["/de/members/1", { ...GERMAN, pathname: "/members/1" }],
  ["/DE/members/1", { ...GERMAN, pathname: "/members/1" }],
  ["/DE/members/1", GERMAN],
  ["/sub/de/members/1", { ...GERMAN, pathname: "/members/1" }],
  ["/_next/data/b/members/1.json"],
  ["/_next/data/b/members.json"],
  ["/_next/data/b/members/1"],
  ["/_next/data/b/de/members/1.json", GERMAN],
  ["/_next/data/b/DE/members/1.json", GERMAN],
  ["/_next/data/b/en/members/1.json", GERMAN],
  ["/_next/data/b/fr/members/1.json", ENGLISH],
  ["/_next//data/b//de/members/1.json", GERMAN],
  ["/de/_next/data/b/members/1.json", { ...GERMAN, pathname: "/_next/data/b/members/1.json" }],
  ["/de/_next/data/b/fr/members/1.json", { ...GERMAN, pathname: "/_next/data/b/fr/members/1.json" }],
  ["/sub/_next/data/b/de/members/1.json", { ...GERMAN, pathname: "/_next/data/b/de/members/1.json" }],
  ["/(.)members/1"],
  ["/feed/(..)members/1"],
  ["/feed/%28..%29members/1"],
  ["/feed/(%2e%2e)members/1"],
  ["/a/b/(..)(..)members/1"],
  ["/a/b/c/(...)members/1"],
  ["/members/x/(..)(..)photo/1"],
  ["/members/(..)photo/1"],
  ["/feed/(..)members/1.rsc"],
  ["/_next/data/b/feed/(..)members/1.json"],
  ["/_next/data/b/de/feed/(..)members/1.json", GERMAN],
  ["/members.segments/_tree.segment.rsc"],
];

for (const [path, nextUrl] of GUARDED) {
  test(`Next: ${path} is guarded${nextUrl ? ` where Next says ${JSON.stringify(nextUrl)}` : ""}`, async () => {
    const { next } = open({ protect: ["/members", "/members/*"] });
    const answer = await next.auth(proxied(path, { ...nextUrl }), EVENT);
    assert.equal(answer.status, 302);
  });
}

test("Next: pages for everybody pass in every form", async () => {
  const { next } = open({ protect: ["/members", "/members/*", "/secret"] });
  const paths: readonly (readonly [path: string, nextUrl?: object])[] = [
    ["/de/about", { ...GERMAN, pathname: "/about" }],
    ["/demembers/1", GERMAN],
    ["/fr/members/1", GERMAN],
    ["/blog/members", ENGLISH],
    ["/_next/data/b/en/blog/members.json", ENGLISH],
    ["/_next/data/b/blog/members.json"],
    ["/feed/(..)about/1"],
    ["/members-only/(..)about"],
    ["/a/b/(..)members/1"],
    [`/${"(..)".repeat(500)}x`],
    // Next takes one locale off.
    [`${"/de".repeat(500)}/members/1`, GERMAN],
    [`${"/_next/data".repeat(700)}`, GERMAN],
    [`/x${"/".repeat(8000)}x`, GERMAN],
    [`/_next/data/b${"/x.segments".repeat(700)}`, GERMAN],
  ];
  for (const [path, nextUrl] of paths) {
    const answer = await next.auth(proxied(path, { ...nextUrl }), EVENT);
    assert.equal(answer.headers.get("x-middleware-next"), "1", path);
  }
});

test("Next: a page that is none for a visitor shows no intercepting route", async () => {
  const { next, browser } = open({ session: {}, protect: ["/members/*"] });
  const cookie = await cookieOf(browser());
  const passed = async (headers: Record<string, string>, proxy: unknown = next.auth): Promise<string[] | null> => {
    const answer = await (proxy as typeof next.auth)(proxied("/photo/1", { headers }), EVENT);
    assert.equal(answer.headers.get("x-middleware-next"), "1");
    assert.equal(answer.headers.has("x-middleware-request-next-url"), false);
    return answer.headers.get("x-middleware-override-headers")?.split(",") ?? null;
  };
  for (const from of ["/members", "/MEMBERS/x?y", "/%6dembers", "http://localhost:3000/members"]) {
    assert.deepEqual(await passed({ "next-url": from, "x-mark": "1" }), ["host", "x-mark"], from);
    assert.equal(await passed({ "next-url": from, cookie }), null, from);
  }
  assert.equal(await passed({ "next-url": "/feed" }), null);
  const own = { "x-middleware-next": "1", "x-middleware-override-headers": "x-own,next-url" };
  const values = { "x-middleware-request-x-own": "1", "x-middleware-request-next-url": "/members" };
  const wrapped = next.auth(() => new Response(null, { headers: { ...own, ...values } }));
  assert.deepEqual(await passed({ "next-url": "/members" }, wrapped), ["x-own"]);
});

test("Next: where the page that a visitor comes from is hidden, a session is renewed all the same", async () => {
  const { next, browser } = open({
    protect: ["/members/*"],
    callbacks: { authorized: ({ matches }) => !matches("/admin/*") },
  });
  const headers = { cookie: await cookieOf(browser()), "next-url": "/admin" };
  const answer = await next.auth(proxied("/photo/1", { headers }), EVENT);
  assert.equal(answer.headers.getSetCookie().length, 1);
  const names = answer.headers.get("x-middleware-override-headers")?.split(",");
  assert.deepEqual(names, ["cookie", "host", "x-auth-renewed"]);
});

test("Next: a proxy that rewrites opens no guarded page", async () => {
  const { next, browser } = open({ session: {}, protect: ["/members/*"] });
  const cookie = await cookieOf(browser());
  const rewriting = (to: string) =>
    next.auth(() => new Response(null, { headers: { "x-middleware-rewrite": new URL(to, ORIGIN).href } }));
  for (const to of ["/members", "/members/1?x", "/de/members", "/_next/data/b/members.json", "/feed/(..)members/1"]) {
    const denied = await rewriting(to)(proxied("/x", GERMAN) as never, EVENT);
    assert.deepEqual([denied.status, denied.headers.has("x-middleware-rewrite")], [302, false], to);
    const passed = await rewriting(to)(proxied("/x", { ...GERMAN, headers: { cookie } }) as never, EVENT);
    const cached = passed.headers.get("cache-control");
    assert.deepEqual([passed.headers.has("x-middleware-rewrite"), cached], [true, "private, no-store"], to);
  }
  for (const to of ["/about", "https://other.example/members"]) {
    const passed = await rewriting(to)(proxied("/x") as never, EVENT);
    assert.equal(passed.headers.has("x-middleware-rewrite"), true, to);
  }
});

test("Next: a guarded page is kept by no cache, and one for everybody as it says itself", async () => {
  const { next, browser } = open({ session: {}, protect: ["/members/*"] });
  const headers = { cookie: await cookieOf(browser()) };
  for (const path of ["/members", "/members/1", "/feed/(..)members/1"]) {
    const { headers: sent } = await next.auth(proxied(path, { headers }), EVENT);
    assert.deepEqual([sent.get("cache-control"), sent.get("vary")], ["private, no-store", "Cookie"], path);
  }
  const about = await next.auth(proxied("/about", { headers }), EVENT);
  assert.deepEqual([about.headers.get("cache-control"), about.headers.get("vary")], [null, null]);
});

test("Next: what only authorized lets members see is kept by no cache", async () => {
  const { next, browser } = open({
    session: {},
    callbacks: {
      authorized: ({ auth, matches }) => {
        return auth !== null || matches("/about");
      },
    },
  });
  const headers = { cookie: await cookieOf(browser()) };
  const cached = async (path: string, sent = {}): Promise<string | null> =>
    (await next.auth(proxied(path, { headers: sent }), EVENT)).headers.get("cache-control");
  assert.deepEqual([await cached("/x", headers), await cached("/about")], ["private, no-store", null]);
});

test("Next: the image optimizer, which shows no header of a visitor, is refused and not redirected", async () => {
  for (const config of [{ protect: ["/members/*"] }, { callbacks: { authorized: () => false } }]) {
    const { next } = open(config);
    const headers = { "x-forwarded-host": "localhost", "x-forwarded-proto": "http" };
    const request = Object.assign(new Request(`${ORIGIN}/members/picture.png`, { headers }), {
      nextUrl: { pathname: "/members/picture.png" },
    });
    const answer = await next.auth(request, EVENT);
    assert.deepEqual([answer.status, answer.headers.get("location")], [401, null]);
  }
});

/** What callbacks and handlers of applications read of a request. */
type Routed = Request & { readonly nextUrl: URL & { readonly basePath: string; clone(): URL } };

test("Next: `request.nextUrl` and `request.cookies` are there for each path that `callbacks.authorized` is asked about", async () => {
  const asked: (readonly [url: string, nextUrl: string, basePath: string])[] = [];
  const cookies = { get: () => ({ name: "theme", value: "dark" }) };
  const { next } = open({
    callbacks: {
      authorized: ({ request }) => {
        const { url, nextUrl } = request as Routed;
        assert.equal((request as unknown as { cookies: unknown }).cookies, cookies);
        asked.push([new URL(url).pathname, nextUrl.pathname, nextUrl.basePath]);
        return true;
      },
    },
  });
  const asSent = Object.assign(proxied("/sub/_next/data/b/MEMBERS.json", { basePath: "/sub" }), { cookies });
  const answer = await next.auth(asSent, EVENT);
  assert.equal(answer.headers.get("x-middleware-next"), "1");
  assert.ok(asked.length > 1, `${asked.length}`);
  for (const [url, nextUrl, basePath] of asked) assert.deepEqual([nextUrl, basePath], [url, "/sub"]);
});

test("Next: a handler gets `request.nextUrl`, which can be changed and copied, also of a plain request", async () => {
  const { next } = open();
  const handler = next.auth((request) => {
    const { nextUrl } = request as unknown as Routed;
    const copy = nextUrl.clone();
    copy.pathname = "/elsewhere";
    return Response.json([nextUrl.href, nextUrl.searchParams.get("tab"), nextUrl.basePath, copy.href]);
  });
  const answer = await handler(new Request(`${ORIGIN}/a%20b?tab=2`) as never, {});
  const url = `${ORIGIN}/a%20b?tab=2`;
  assert.deepEqual(await answer.json(), [url, "2", "", `${ORIGIN}/elsewhere?tab=2`]);
  const made = Object.assign(new Request(ORIGIN), { nextUrl: new URL(`${ORIGIN}/made-by-next`) });
  const own = await next.auth((request) => new Response(request.nextUrl.pathname))(made as never, {});
  assert.equal(await own.text(), "/made-by-next");
});

test("Next: a function that chooses the configuration gets requests with nextUrl, whoever asks", async () => {
  const paths: string[] = [];
  const source = (request: Request) => {
    const { nextUrl } = request as Partial<NextRequestLike>;
    paths.push(nextUrl?.pathname ?? assert.fail());
    return testConfig();
  };
  const headers = new Headers({ host: "localhost:3000" });
  const parts = { headers: () => headers, cookies: () => ({ set: () => {} }), redirect: () => assert.fail() };
  const next = nextAuthWith(source, () => Promise.resolve(parts));
  await next.auth();
  await next.signIn("credentials", { redirect: false }).catch(() => {});
  await next.handlers.GET(new Request(`${ORIGIN}/api/auth/session`));
  await next.auth(new Request(`${ORIGIN}/members`), { waitUntil: () => {} });
  assert.deepEqual([...new Set(paths)], ["/", "/api/auth/session", "/members"]);
});

test("Next: a page that is forced to be static has no headers, sees nobody, and the log says why", async (t) => {
  const lines: string[] = [];
  t.mock.method(console, "warn", (line: string) => void lines.push(line));
  let headers = new Headers({ host: "localhost:3000" });
  const next = nextAuthWith(testConfig(), () =>
    Promise.resolve({
      headers: () => headers,
      cookies: () => ({ set: () => {} }),
      redirect: (to) => {
        throw new RedirectError(to);
      },
    }));
  assert.equal(await next.auth(), null);
  assert.deepEqual(lines, []);
  for (let page = 0; page < 2; page += 1) {
    headers = new Headers();
    assert.equal(await next.auth(), null);
  }
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /^\[auth\]\[warn\] session-in-static-page: .*remove `dynamic = "force-static"` from it/);
});

test("Next: require() redirects a server component or an action, which says where to go on", async () => {
  const { next, at, browser } = open();
  const cookie = await cookieOf(browser());
  const led = async (options: RequireOptions = {}) => {
    const error = await next.auth.require(options).then(() => assert.fail("it passed"), (error) => error);
    const [, , to = ""] = (error as RedirectError).digest.split(";");
    const { pathname, searchParams } = new URL(to);
    return [pathname, searchParams.get("error"), searchParams.get("callbackUrl")];
  };
  at({ accept: "text/html", "sec-fetch-mode": "navigate" });
  assert.deepEqual(await led(), ["/api/auth/signin", null, `${ORIGIN}/`]);
  at({ cookie, accept: "text/html", "sec-fetch-mode": "navigate" });
  assert.equal((await next.auth.require()).user?.name, "Ada Lovelace");
  assert.equal((await next.auth.require({ maxAge: "10m" })).user?.name, "Ada Lovelace");
  assert.deepEqual(await led({ level: 2, redirectTo: "/admin?x=1" }), [
    "/api/auth/signin",
    "SessionRequired",
    `${ORIGIN}/admin?x=1`,
  ]);
  at({ cookie, "next-action": "1", "sec-fetch-mode": "cors", referer: `${ORIGIN}/admin/7` });
  assert.deepEqual(await led({ level: 2 }), ["/api/auth/signin", "SessionRequired", `${ORIGIN}/admin/7`]);
  await assert.rejects(next.auth.require({ level: 3 } as never), InvalidConfig);
});

test("Next: what auth wraps answers for require()", async () => {
  const { next, browser } = open();
  const cookie = await cookieOf(browser());
  const handler = next.auth(async (request) => Response.json((await next.auth.require(request, { level: 2 })).user));
  const asked = (headers: Record<string, string>) => {
    return handler(new Request(`${ORIGIN}/api/keys`, { headers: { cookie, ...headers } }) as NextRequestLike, {});
  };
  const refused = await asked({ "sec-fetch-mode": "cors" });
  assert.equal(refused.status, 401);
  assert.match(refused.headers.get("www-authenticate") ?? "", /acr_values="2"/);
  assert.equal((await asked({ "sec-fetch-mode": "navigate" })).status, 302);
  const plain = next.auth(async (request) => Response.json((await next.auth.require(request)).user));
  const passed = await plain(new Request(`${ORIGIN}/api/keys`, { headers: { cookie } }) as NextRequestLike, {});
  assert.equal((await passed.json()).name, "Ada Lovelace");
});

test("Next: an API route of the pages router gets the error", async () => {
  const { next, browser } = open();
  const headers = { host: "localhost:3000", cookie: await cookieOf(browser()) };
  const rawHeaders = Object.entries(headers).flat();
  const request = { method: "GET", url: "/api/keys", headers, rawHeaders, httpVersionMajor: 1, socket: {} };
  assert.equal((await next.auth.require(request)).user?.name, "Ada Lovelace");
  await assert.rejects(next.auth.require(request, { level: 2 }), StepUpRequired);
});
