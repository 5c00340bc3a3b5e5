import { test } from "node:test";
import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { type Auth, type AuthConfig, createAuth } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { ADA, password, recordLog, testConfig } from "../_support/service.ts";

interface Stage {
  readonly service: Auth;
  readonly browser: Browser;
  readonly site: (request: Request) => Promise<Response>;
  /** The paths that the application was asked for. */
  readonly served: string[];
}

/** An application that decodes paths and ignores their case, as routers do, behind the guard. */
function open(config: AuthConfig): Stage {
  const service = createAuth(testConfig(config));
  const served: string[] = [];
  const guarded = service.auth(async (request, session) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/auth/")) return await service.handler(request);
    served.push(decodeURIComponent(pathname).toLowerCase());
    return new Response(`${session?.user?.name ?? "stranger"} ${await request.text()}`);
  });
  const site = (request: Request) => guarded(request);
  return { service, browser: new Browser(site, { application: true }), site, served };
}

test("protect redirects a stranger to the sign-in page, which leads back", async () => {
  const { browser, served } = open({ protect: ["/members/*"] });
  await browser.open("/members/x?tab=2");
  assert.equal(browser.url.pathname, "/auth/signin");
  assert.equal(browser.url.searchParams.get("callbackUrl"), "http://localhost:3000/members/x?tab=2");
  assert.deepEqual(served, []);
  await browser.submit(ADA);
  assert.equal(browser.url.href, "http://localhost:3000/members/x?tab=2");
  assert.match(browser.html, /^Ada Lovelace/);
});

for (
  const [name, init] of [
    ["a form", { method: "POST", body: "x=1" }],
    ["a script that posts", { method: "POST", body: "x=1", headers: { "sec-fetch-mode": "cors" } }],
    ["a script that reads", { headers: { "sec-fetch-mode": "cors" } }],
    ["DELETE", { method: "DELETE" }],
  ] as const
) {
  test(`protect refuses ${name} of a stranger with 401`, async () => {
    const { site, served } = open({ protect: ["/members/*"] });
    const answer = await site(new Request("http://localhost:3000/members/x", init));
    assert.equal(answer.status, 401);
    assert.equal(typeof (await answer.json()).message, "string");
    assert.deepEqual(served, []);
  });
}

test("protect and authorized must both allow", async () => {
  const asked: string[] = [];
  const { browser, served } = open({
    protect: ["/members/*"],
    callbacks: {
      authorized({ request }) {
        const { pathname } = new URL(request.url);
        asked.push(pathname);
        return pathname !== "/members/admin" && pathname !== "/closed";
      },
    },
  });
  await browser.open("/members/x");
  assert.equal(browser.url.pathname, "/auth/signin");
  assert.deepEqual(asked, [], "who is not signed in is denied before anybody is asked");
  await browser.open("/closed");
  assert.equal(browser.url.pathname, "/auth/signin");
  await browser.signIn("credentials", ADA);
  await browser.open("/members/admin");
  assert.equal(browser.url.pathname, "/auth/signin");
  assert.deepEqual(served.filter((path) => path !== "/"), []);
  await browser.open("/members/x");
  assert.deepEqual(served.at(-1), "/members/x");
});

test("protect of everything leaves the service and a custom sign-in page open", async () => {
  const { browser, served } = open({ protect: ["/*"], pages: { signIn: "/login" } });
  await browser.open("/");
  assert.equal(browser.url.pathname, "/login");
  assert.deepEqual(served, ["/login"]);
  assert.equal((await browser.get("/auth/csrf")).status, 200);
});

test("a pattern that protects nothing is an error that names the option", async () => {
  const { logger, errors } = recordLog();
  const { site } = open({ protect: ["/members/:id"], logger });
  assert.equal((await site(new Request("http://localhost:3000/"))).status, 500);
  assert.match(errors[0]?.message ?? "", /`protect`.*"\/members\/:id".*\/members\/\*/);
});

for (
  const [path, ...readings] of [
    ["/%67uarded/x", "/guarded/x"],
    ["//guarded//x", "/guarded/x"],
    ["/a/%2e%2e/guarded", "/guarded"],
    ["/guarded%2fx", "/guarded%2Fx", "/guarded/x"],
    ["/open/..%2fguarded", "/open/..%2Fguarded", "/guarded"],
    ["/guarded;v=1/x", "/guarded;v=1/x", "/guarded/x"],
    ["/guarded/?x=%67", "/guarded/"],
    ["/plain", "/plain"],
  ] as const
) {
  test(`callbacks.authorized sees ${path} as ${readings.join(" and ")}, and the handler gets the request as it came`, async () => {
    const urls: URL[] = [];
    const bodies: string[] = [];
    const service = createAuth(testConfig({
      callbacks: {
        async authorized({ request }) {
          urls.push(new URL(request.url));
          assert.equal(request.method, "POST");
          assert.equal(request.headers.get("x-test"), "1");
          bodies.push(await request.clone().text());
          return true;
        },
      },
    }));
    const guarded = service.auth(async (request) => {
      urls.push(new URL(request.url));
      bodies.push(await request.text());
      return new Response();
    });
    const sent = new Request(`http://localhost:3000${path}`, { method: "POST", headers: { "x-test": "1" }, body: "b" });
    assert.equal((await guarded(sent)).status, 200);
    const handled = urls.pop();
    assert.deepEqual(urls.map(({ pathname }) => pathname), readings);
    assert.deepEqual(new Set(urls.map(({ search }) => search)), new Set([handled?.search]));
    assert.equal(handled?.href, new URL(`http://localhost:3000${path}`).href);
    assert.deepEqual(new Set(bodies), new Set(["b"]));
  });
}

test("a body that authorized does not read reaches the handler, however large", async () => {
  const service = createAuth(testConfig({ callbacks: { authorized: () => true } }));
  const guarded = service.auth(async (request) => new Response(String((await request.arrayBuffer()).byteLength)));
  const body = new ReadableStream({
    start(controller) {
      for (let piece = 0; piece < 64; piece++) controller.enqueue(new Uint8Array(65_536));
      controller.close();
    },
  });
  const init = { method: "POST", body, duplex: "half" } as RequestInit;
  assert.equal(await (await guarded(new Request("http://localhost:3000/%67uarded", init))).text(), "4194304");
});

test("authorized is told of a client who went away, also when the path is not normal and memory is cleared", async () => {
  const controller = new AbortController();
  const aborted: boolean[] = [];
  const authorized = async ({ request }: { readonly request: Request }) => {
    for (let round = 0; round < 3; round++) await collectGarbage();
    controller.abort();
    aborted.push(request.signal.aborted);
    return false;
  };
  const { site } = open({ callbacks: { authorized } });
  await site(new Request("http://localhost:3000/%67uarded", { signal: controller.signal }));
  assert.deepEqual(aborted, [true]);
});

async function collectGarbage(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 10));
  const { Bun } = globalThis as { readonly Bun?: { gc(force: boolean): void } };
  if (Bun) return Bun.gc(true);
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

/** A request as a server hands it on that does not resolve what is in its path. */
function unresolved(path: string): Request {
  return Object.defineProperty(new Request("http://localhost:3000/"), "url", { value: `http://localhost:3000${path}` });
}

for (const path of ["/members/../public", "/members/../login", "/members/../auth/session", "/members\\..\\public"]) {
  test(`a guard refuses ${path}, of which routers that read text make another page`, async () => {
    for (const config of [{ callbacks: { authorized: () => true } }, { protect: ["/members/*"] }]) {
      const { site, served } = open({ ...config, pages: { signIn: "/login" } });
      assert.equal((await site(unresolved(path))).status, 400);
      assert.deepEqual(served, []);
    }
    assert.equal((await open({}).site(unresolved("/members/../public"))).status, 200);
  });
}

const LONG = `/search?q=${"%C3%A9".repeat(2000)}`;

test("a page with a long query of its own is shown, with authorized and without", async () => {
  for (const callbacks of [{}, { authorized: () => true }]) {
    const { site } = open({ callbacks, protect: ["/members/*"] });
    assert.equal((await site(new Request(`http://localhost:3000${LONG}`))).status, 200);
  }
});

test("a stranger on a page with a long query is redirected to the sign-in page without a callbackUrl", async () => {
  for (const config of [{ callbacks: { authorized: () => false } }, { protect: ["/search"] }] as const) {
    const { site } = open(config);
    const answer = await site(new Request(`http://localhost:3000${LONG}`));
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get("location"), "http://localhost:3000/auth/signin");
  }
});

const OWN_PATHS: readonly (readonly [basePath: string, path: string, method: string, isOpen: boolean])[] = [
  ["/auth", "/auth/session", "GET", true],
  ["/auth", "/auth/signin", "GET", true],
  ["/auth", "/auth/signin/", "GET", true],
  ["/auth", "/auth/signin/credentials", "GET", true],
  ["/auth", "/auth/callback/credentials", "POST", true],
  ["/auth", "/auth/session/export", "GET", false],
  ["/auth", "/auth/session/credentials", "GET", false],
  ["/auth", "/auth/callback", "GET", false],
  ["/auth", "/auth/callback/stripe", "POST", false],
  ["/auth", "/auth/signin/nobody", "GET", false],
  ["/auth", "/auth/signin/credentials/x", "GET", false],
  ["/auth", "/auth/providers/credentials", "GET", false],
  ["/auth", "/auth/session", "DELETE", false],
  ["/auth", "/auth/providers", "POST", false],
  ["/auth", "/auth/admin", "GET", false],
  ["/auth", "/auth", "GET", false],
  ["/auth", "/AUTH/session", "GET", false],
  ["/auth", "/auth/%73ession", "GET", false],
  ["/", "/session", "GET", true],
  ["/", "/callback/credentials", "POST", true],
  ["/", "/callback/stripe", "POST", false],
  ["/", "/callback/stripe", "GET", false],
  ["/", "/session/export", "GET", false],
  ["/", "/error/reports", "GET", false],
  ["/", "/", "GET", false],
];

for (const [basePath, path, method, isOpen] of OWN_PATHS) {
  test(`the guard leaves ${method} ${path} ${isOpen ? "to the service" : "to nobody"} with basePath ${basePath}`, async () => {
    for (const config of [{ callbacks: { authorized: () => false } }, { protect: ["/*"] }] as const) {
      const { auth } = createAuth(testConfig({ basePath, providers: [password()], ...config }));
      let entered = false;
      await auth(() => {
        entered = true;
        return new Response();
      })(new Request(`http://localhost:3000${path}`, { method }));
      assert.equal(entered, isOpen);
    }
  });
}

const OPEN_LIST = (matches: (...routes: string[]) => boolean) => matches("/", "/public/*");
const CLOSED_LIST = (matches: (...routes: string[]) => boolean) => !matches("/members/*");

const LISTS: readonly (readonly [path: string, byOpenList: number, byClosedList: number])[] = [
  ["/", 200, 200],
  ["/public", 200, 200],
  ["/public/x", 200, 200],
  ["/PUBLIC/x", 200, 200],
  ["/public/a%20b", 200, 200],
  ["/public/caf%C3%A9", 200, 200],
  ["/public/x.html", 200, 200],
  ["/public//x/", 200, 200],
  ["/other", 302, 200],
  ["/members", 302, 302],
  ["/members/x", 302, 302],
  ["/MEMBERS/x", 302, 302],
  ["/%6dembers/x", 302, 302],
  ["/%256dembers/x", 302, 302],
  ["//members//x", 302, 302],
  ["/members;v=1/x", 302, 302],
  ["/members.data", 302, 302],
  ["/members%2fx", 302, 302],
  ["/public%2fx", 302, 200],
  ["/public/..%2fmembers", 302, 302],
  ["/public%2f..%2fmembers/x", 302, 302],
  ["/public/..%5cmembers", 302, 302],
  ["/public/..;/members", 302, 302],
  ["/members/..%2fpublic", 302, 302],
  ["/public/%c0%af", 400, 400],
  ["/public/%00", 400, 400],
  [`/public/%${"25".repeat(12)}41`, 400, 400],
];

for (const [path, byOpenList, byClosedList] of LISTS) {
  test(`matches() gives strangers ${byOpenList} for ${path.slice(0, 40)} by what is open, ${byClosedList} by what is closed`, async () => {
    for (const [list, status] of [[OPEN_LIST, byOpenList], [CLOSED_LIST, byClosedList]] as const) {
      const { site, served } = open({
        callbacks: { authorized: ({ auth, matches }) => list(matches) || auth !== null },
      });
      assert.equal((await site(new Request(`http://localhost:3000${path}`))).status, status);
      assert.equal(served.length, status === 200 ? 1 : 0);
    }
  });
}

test("matches() with a pattern that matches nothing denies, and the log names the pattern", async () => {
  for (const routes of [["/members/:id"], ["members"], [], [7]] as readonly string[][]) {
    const { logger, errors } = recordLog();
    const { site } = open({ logger, callbacks: { authorized: ({ matches }) => !matches(...routes) } });
    assert.ok((await site(new Request("http://localhost:3000/"))).status >= 500);
    assert.match(inspect(errors[0]), /Cannot match the path/);
  }
});

test("a guard refuses a request whose route Bun chose by a path that it hides, and says what to change", async () => {
  const hidden = Object.defineProperty(new Request("http://localhost:3000/"), Symbol.toStringTag, {
    value: "BunRequest",
  });
  for (const config of [{ callbacks: { authorized: () => true } }, { protect: ["/members/*"] }]) {
    const { logger, errors } = recordLog();
    const { site, served } = open({ ...config, logger });
    assert.equal((await site(hidden)).status, 500);
    assert.deepEqual(served, []);
    assert.match(errors[0]?.message ?? "", /Bun\.serve.*`fetch`.*systemRouter: false/);
  }
  assert.equal((await open({}).site(hidden)).status, 200, "where there is nothing to guard");
});

for (const page of ["signIn", "verifyRequest", "error"] as const) {
  test(`protect of everything leaves a custom page for ${page} open`, async () => {
    const { site } = open({ protect: ["/*"], pages: { [page]: "/custom" } });
    assert.equal((await site(new Request("http://localhost:3000/custom?error=X"))).status, 200);
    assert.equal((await site(new Request("http://localhost:3000/custom/x"))).status, 302);
  });
}

test("protect of everything leaves the pages of the service open", async () => {
  const { site } = open({ protect: ["/*"] });
  for (const path of ["/auth/error?error=Verification", "/auth/verify-request", "/auth/signin", "/auth/signout"]) {
    assert.notEqual((await site(new Request(`http://localhost:3000${path}`))).status, 302, path);
  }
});

for (
  const [accept, status] of [
    ["application/json", 401],
    ["application/problem+json", 401],
    ["application/json, text/plain, */*", 401],
    ["text/html,application/xhtml+xml,application/json", 302],
    ["*/*", 302],
  ] as const
) {
  test(`protect answers ${status} to a stranger who accepts ${accept} and names no mode`, async () => {
    const { site } = open({ protect: ["/members/*"] });
    assert.equal((await site(new Request("http://localhost:3000/members", { headers: { accept } }))).status, status);
    const headers = { accept, "sec-fetch-mode": "navigate" };
    assert.equal((await site(new Request("http://localhost:3000/members", { headers }))).status, 302, "by a visit");
  });
}
