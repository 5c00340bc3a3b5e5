import assert from "node:assert/strict";
import { get, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { test, type TestContext } from "node:test";
import express5 from "express";
import express4 from "express-4";
import type { AuthConfig } from "@x/auth";
import { ExpressAuth, type ExpressRequest, type ExpressResponse, getSession } from "../../../bindings/express.ts";
import { Browser } from "../../_support/browser.ts";
import { ADA, recordLog, testConfig } from "../../_support/service.ts";
import { shakyAdapter } from "./_site.ts";
import { actInHandlers, leaveQuietly, sessionCookies, UPDATES } from "./_stories.ts";

const VERSIONS = [["4.22.3", express4], ["5.3.0", express5]] as const;

type Next = (error?: unknown) => void;

/** What a test uses of an application of Express. Its packages have no types. */
interface App {
  use(...handlers: unknown[]): App;
  get(path: string, handler: (request: ExpressRequest, response: Reply, next: Next) => unknown): App;
  post(path: string, handler: (request: ExpressRequest & { body: never }, response: Reply, next: Next) => unknown): App;
  listen(port: number, host: string, ready: () => void): Server;
}

type Reply = ExpressResponse & {
  send(text: string): void;
  set(name: string, value: string): Reply;
  json(value: unknown): void;
};

type Express = (() => App) & { json(): unknown; urlencoded(options: { extended: boolean }): unknown };

async function open(t: TestContext, app: App, options: { mayFail?: boolean; basePath?: string } = {}) {
  const server = await new Promise<Server>((resolve) => {
    const server = app.listen(0, "localhost", () => resolve(server));
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return () => new Browser((request) => fetch(request), { origin, application: true, ...options });
}

/** Opens an address as a browser does. The `fetch` of Node says that a script asks. */
function navigate(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers }, (response) => resolve(response.resume())).once("error", reject);
  });
}

/** Sends a target as it is written, and gives the answer whole. */
function askRaw(origin: string, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(origin);
    let text = "";
    const socket = connect({ port: Number(port), host: "localhost" });
    socket.setEncoding("utf8").on("data", (part) => text += part).once("error", reject).once(
      "close",
      () => resolve(text),
    );
    socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`);
  });
}

for (const [version, given] of VERSIONS) {
  const express = given as unknown as Express;

  const application = (config: AuthConfig = {}) => {
    const whole = testConfig({ session: { updateAge: 0 }, protect: ["/members/*"], ...config });
    const auth = ExpressAuth(whole);
    const app = express()
      .use("/auth", auth)
      .use(auth.middleware)
      .use(express.urlencoded({ extended: true }))
      .get("/", (_, response) => response.send(response.locals.session?.user.name ?? "stranger"))
      .get("/members/:page", (_, response) => response.send(`for ${response.locals.session.user.name}`))
      .get("/read", async (request, response) => response.json(await getSession(request, whole)))
      .get("/renew", async (request, response) => response.json(await getSession(request, whole, response)))
      .get("/cached", (_, response) => response.set("cache-control", "public, s-maxage=60").send("page"))
      .get("/written", (_, response) => {
        response.writeHead(200, { "Cache-Control": "public", "X-Mark": "1", "CDN-Cache-Control": "max-age=9" });
        response.end("page");
      })
      .post("/enter", async (request, response, next) => {
        await auth.signIn(request, response, "credentials", request.body).catch(next);
      })
      .post("/leave", (request, response, next) => auth.signOut(request, response, { redirectTo: "/bye" }).catch(next))
      .post("/leave-quietly", async (request, response) => {
        response.send(await auth.signOut(request, response, { redirect: false, redirectTo: "/bye" }));
      })
      .post("/rename", (request, response, next) => {
        auth.update(request, response, { user: { name: "Countess" } }).then((session) => response.json(session), next);
      })
      .use((error: Error, _request: unknown, response: Reply, _next: Next) => {
        response.statusCode = 418;
        response.send(error.name);
      });
    return { app, auth };
  };

  test(`Express ${version}: somebody signs in by the pages, is known, and signs out`, async (t) => {
    const visitor = (await open(t, application().app))();
    const asked = await navigate(`${visitor.origin}/members/x?tab=2`);
    assert.equal(asked.statusCode, 302);
    await visitor.open(asked.headers.location ?? "");
    assert.equal(visitor.url.pathname, "/auth/signin");
    await visitor.submit(ADA, "/credentials");
    assert.equal(visitor.url.pathname + visitor.url.search, "/members/x?tab=2");
    assert.equal(visitor.html, "for Ada Lovelace");
    await visitor.signOut();
    assert.equal((await visitor.open("/")).html, "stranger");
  });

  test(`Express ${version}: handlers sign in, change and end the session`, async (t) => {
    const visitor = (await open(t, application({ callbacks: UPDATES }).app))();
    assert.equal((await visitor.post("/enter", { ...ADA, password: "wrong" })).status, 418);
    await actInHandlers(visitor);
    await leaveQuietly(visitor);
  });

  test(`Express ${version}: require() lets pass whose sign-in does, and answers all others`, async (t) => {
    const { adapter, state } = shakyAdapter();
    const auth = ExpressAuth(testConfig({ adapter, session: { strategy: "database" }, logger: recordLog().logger }));
    const served: string[] = [];
    const show = (request: ExpressRequest, response: Reply): void => {
      served.push(request.url ?? "");
      response.send(response.locals.session?.user.name ?? "stranger");
    };
    const app = express().use("/auth", auth)
      .use("/any", auth.require())
      .use("/level", auth.require({ level: 2 }))
      .use("/wrong", auth.require({ level: 3 } as never))
      .get("/any/x", show).get("/level/x", show).get("/wrong", show)
      .use((error: { readonly status?: number; readonly name: string }, _: unknown, response: Reply, _next: Next) => {
        response.statusCode = error.status ?? 500;
        response.send(error.name);
      });
    const visitor = (await open(t, app, { mayFail: true }))();
    const page = async (path: string) => {
      const cookie = visitor.cookies.headerFor(new URL(visitor.origin), { sameSite: true, safe: true }) ?? "";
      return new URL((await navigate(visitor.origin + path, { cookie })).headers.location ?? assert.fail(path));
    };
    assert.equal((await page("/any/x")).searchParams.get("callbackUrl"), `${visitor.origin}/any/x`);
    await visitor.signIn("credentials", ADA);
    assert.equal(await (await visitor.get("/any/x")).text(), "Ada Lovelace");
    assert.equal((await page("/level/x?a=1")).searchParams.get("callbackUrl"), `${visitor.origin}/level/x?a=1`);
    const refused = await visitor.get("/level/x", { headers: { "sec-fetch-mode": "cors" } });
    assert.equal(refused.status, 401);
    assert.match(refused.headers.get("www-authenticate") ?? "", /acr_values="2"/);
    assert.equal((await refused.json()).error, "insufficient_user_authentication");
    assert.equal(await (await visitor.get("/wrong")).text(), "InvalidConfig");
    state.down = true;
    assert.equal((await visitor.get("/any/x")).status, 503);
    assert.deepEqual(served, ["/any/x"]);
  });

  test(`Express ${version}: forms and JSON that were parsed before reach the service`, async (t) => {
    const auth = ExpressAuth(testConfig());
    const app = express().use(express.json()).use(express.urlencoded({ extended: true })).use("/auth", auth)
      .use(auth.middleware)
      .get("/", (_, response) => response.send(response.locals.session?.user.name ?? "stranger"));
    const browser = await open(t, app);
    assert.equal((await (await browser().signIn("credentials", ADA)).open("/")).html, "Ada Lovelace");
    const scripted = browser();
    const fields = { ...ADA, csrfToken: await scripted.csrf() };
    assert.equal((await scripted.postJson("/auth/callback/credentials", fields)).status, 302);
    assert.equal((await scripted.session())?.user?.name, "Ada Lovelace");
  });

  test(`Express ${version}: spellings of a guarded path do not pass`, async (t) => {
    const { app } = application();
    const visitor = (await open(t, app, { mayFail: true }))();
    for (
      const path of [
        "/members/x",
        "/MEMBERS/x",
        "/%6dembers/x",
        "/members//x",
        "/members/x/",
        "//members/x",
        "/members;a/x",
        "/members/%78",
        "/members/x.json",
        "/%6D%65mbers/X",
        "/members/x%00",
      ]
    ) {
      const answer = await visitor.get(visitor.origin + path);
      assert.ok(!(await answer.text()).startsWith("for "), path);
      assert.ok([302, 400, 401, 404].includes(answer.status), `${path} ${answer.status}`);
    }
  });

  test(`Express ${version}: a renewal reaches the browser once, and no cache`, async (t) => {
    const visitor = await (await open(t, application().app))().signIn("credentials", ADA);
    for (const path of ["/", "/renew", "/cached", "/written", "/nowhere"]) {
      const { headers } = await visitor.get(path);
      assert.equal(headers.getSetCookie().length, 1, path);
      assert.equal(headers.get("cache-control"), "private, no-store", path);
      assert.match(headers.get("vary") ?? "", /Cookie/, path);
      assert.equal(headers.get("cdn-cache-control"), null, path);
    }
    assert.equal((await visitor.get("/written")).headers.get("x-mark"), "1");
    const advance = await visitor.get("/", { headers: { "sec-purpose": "prefetch" } });
    assert.deepEqual(advance.headers.getSetCookie(), []);
  });

  test(`Express ${version}: pages for somebody who is signed in are kept by no cache, unless they say how`, async (t) => {
    const visitor = await (await open(t, application({ session: {} }).app))().signIn("credentials", ADA);
    assert.equal((await visitor.get("/")).headers.get("cache-control"), "private, no-store");
    assert.equal((await visitor.get("/cached")).headers.get("cache-control"), "public, s-maxage=60");
  });

  test(`Express ${version}: two visitors at once never see each other's session`, async (t) => {
    const browser = await open(t, application().app);
    const ada = await browser().signIn("credentials", ADA);
    const stranger = browser();
    for (let round = 0; round < 10; round++) {
      const [known, unknown] = await Promise.all([ada.get("/"), stranger.get("/")]);
      assert.deepEqual([await known.text(), await unknown.text()], ["Ada Lovelace", "stranger"]);
      assert.deepEqual(unknown.headers.getSetCookie(), []);
    }
  });

  test(`Express ${version}: while storage is down the guard denies, and nobody is signed out`, async (t) => {
    const { adapter, state } = shakyAdapter();
    const config = { adapter, session: { strategy: "database", updateAge: 0 }, logger: recordLog().logger } as const;
    const visitor = await (await open(t, application(config).app, { mayFail: true }))().signIn("credentials", ADA);
    state.down = true;
    const answers = [await visitor.get("/members/x"), await visitor.get("/"), await visitor.get("/renew")];
    assert.deepEqual(answers.map(({ status }) => status), [503, 200, 200]);
    assert.deepEqual(answers.flatMap((answer) => sessionCookies(answer)), []);
    state.down = false;
    assert.equal((await visitor.open("/members/x")).html, "for Ada Lovelace");
  });

  test(`Express ${version}: a post of another site neither signs in nor out`, async (t) => {
    const visitor = await (await open(t, application().app))().signIn("credentials", ADA);
    for (const path of ["/enter", "/leave", "/rename"]) {
      const answer = await visitor.post(path, ADA, { headers: { origin: "https://evil.test" } });
      assert.deepEqual([answer.status >= 400, sessionCookies(answer).filter((line) => /Max-Age=0/.test(line))], [
        true,
        [],
      ], path);
    }
    assert.equal((await visitor.open("/")).html, "Ada Lovelace");
  });

  test(`Express ${version}: the service is at the path that it is mounted at`, async (t) => {
    const auth = ExpressAuth(testConfig());
    const browser = await open(t, express().use("/api/auth", auth), { basePath: "/api/auth" });
    const { credentials } = await browser().providers();
    assert.match(credentials?.signinUrl ?? "", /\/api\/auth\/signin\/credentials$/);
    for (const spelling of ["/API/auth/session", "/Api/Auth/session"]) {
      assert.equal((await browser().get(spelling)).status, 404);
    }
    assert.equal((await browser().get("/api/auth/session")).status, 200);
  });

  test(`Express ${version}: a mount with a parameter serves any number of paths, and warns once`, async (t) => {
    const { logger, warnings } = recordLog();
    const auth = ExpressAuth(testConfig({ logger, unknown: 1 } as AuthConfig));
    const { origin } = (await open(t, express().use("/:tenant/auth", auth)))();
    const signInUrls = [];
    for (let tenant = 0; tenant < 80; tenant++) {
      const answer = await fetch(`${origin}/t${tenant % 75}/auth/providers`);
      signInUrls.push((await answer.json()).credentials.signinUrl);
    }
    assert.deepEqual(
      signInUrls,
      signInUrls.map((_, tenant) => `${origin}/t${tenant % 75}/auth/signin/credentials`),
    );
    assert.equal(warnings.length, 1, `${warnings}`);
    const browser = new Browser((request) => fetch(request), { origin, basePath: "/t3/auth", application: true });
    assert.equal((await (await browser.signIn("credentials", ADA)).session())?.user?.name, "Ada Lovelace");
  });

  test(`Express ${version}: a request with a host that is none is refused`, async (t) => {
    const app = express().use(ExpressAuth(testConfig()).middleware);
    const { port } = new URL((await open(t, app))().origin);
    const status = await new Promise((resolve, reject) => {
      get({ port, path: "/", headers: { host: "a/b" }, agent: false }, (response) => {
        resolve(response.resume().statusCode);
      }).once("error", reject);
    });
    assert.equal(status, 400);
  });

  test(`Express ${version}: a wildcard may stand behind the path`, async (t) => {
    const wildcard = version.startsWith("4") ? "/auth/*" : "/auth/*splat";
    const browser = await open(t, express().use(wildcard, ExpressAuth(testConfig())));
    await browser().signIn("credentials", ADA);
    const { credentials } = await browser().providers();
    assert.match(credentials?.signinUrl ?? "", /:\d+\/auth\/signin\/credentials$/);
  });

  test(`Express ${version}: a target that the router reads and the URL does not show is guarded`, async (t) => {
    const auth = ExpressAuth(testConfig({ protect: ["/members/*"] }));
    const app = express().use(auth.middleware).use(
      "/members",
      (_: unknown, response: Reply) => response.send("closed"),
    );
    const visitor = (await open(t, app.use((_: unknown, response: Reply) => response.send("open"))))();
    const { origin } = visitor.url;
    assert.match(await askRaw(origin, "/x"), / 200 OK[^]*open/);
    for (
      const target of ["/members/../x", "/members/%2e%2e/x", "/members/1/../../x", "/members/.", "/members\\..\\x"]
    ) {
      assert.match(await askRaw(origin, target), /^HTTP\/1\.1 400 /, target);
    }
  });

  test(`Express ${version}: a mounted router is guarded by its own paths, and by the whole ones`, async (t) => {
    for (const pattern of ["/members/*", "/app/members/*"]) {
      const auth = ExpressAuth(testConfig({ protect: [pattern] }));
      const inner = (express as unknown as { Router(): App }).Router().use(auth.middleware)
        .get("/members/:page", (_, response) => response.send("closed"))
        .get("/open", (_, response) => response.send("open"));
      const { origin } = (await open(t, express().use("/app", inner)))().url;
      assert.match(await askRaw(origin, "/app/open"), / 200 OK[^]*open/);
      for (const path of ["/app/members/1", "/APP/MEMBERS/1", "/app/%6dembers/1"]) {
        assert.match(await askRaw(origin, path), /^HTTP\/1\.1 302 /, `${pattern} ${path}`);
      }
    }
  });
}
