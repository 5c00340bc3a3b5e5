import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as ask } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import autoload from "@fastify/autoload";
import fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import type { AuthConfig } from "@x/auth";
import { FastifyAuth, getSession, type Session } from "../../../bindings/fastify.ts";
import { Browser } from "../../_support/browser.ts";
import { ADA, recordLog, testConfig } from "../../_support/service.ts";
import { shakyAdapter } from "./_site.ts";
import { actInHandlers, leaveQuietly, sessionCookies, UPDATES } from "./_stories.ts";

declare module "fastify" {
  interface FastifyRequest {
    session: Session | null;
  }
}

interface Options extends FastifyServerOptions {
  readonly mayFail?: boolean;
}

async function open(t: TestContext, config: AuthConfig = {}, { mayFail = false, ...options }: Options = {}) {
  const whole = testConfig({ session: { updateAge: 0 }, protect: ["/members/*"], ...config });
  const auth = FastifyAuth(whole);
  const app = fastify(options);
  app.addHook("onRequest", (_, reply, done) => {
    reply.header("x-before", "1");
    done();
  });
  app.register(auth);
  // Forms need `@fastify/formbody`, which does no more than this.
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_, text, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(text))));
  });
  routes(app, auth, whole);
  // A route of another plugin, which has a scope of its own.
  app.register((scope, _, done) => {
    scope.get("/inner", (request) => Promise.resolve(request.session?.user?.name ?? "stranger"));
    done();
  });
  const origin = await listen(t, app);
  return () => new Browser((request) => fetch(request), { origin, application: true, mayFail });
}

function routes(app: FastifyInstance, auth: ReturnType<typeof FastifyAuth>, config: AuthConfig): void {
  app.get("/", (request) => Promise.resolve(request.session?.user?.name ?? "stranger"));
  app.get("/members", (request) => Promise.resolve(`for ${request.session?.user?.name}`));
  app.get("/members/:page", (request) => Promise.resolve(`for ${request.session?.user?.name}`));
  app.get("/read", async (request, reply) => reply.send(await getSession(request, config)));
  app.get("/any", { onRequest: auth.require() }, (request) => Promise.resolve(`any ${request.session?.user?.name}`));
  app.route({
    method: ["GET", "POST"],
    url: "/level",
    preHandler: auth.require({ level: 2 }),
    handler: () => assert.fail("the handler ran"),
  });
  app.get("/cached", (_, reply) => reply.header("cache-control", "public, s-maxage=60").send("page"));
  app.get("/own-cookie", (_, reply) => reply.header("set-cookie", "own=1; Path=/").send("page"));
  app.get("/broken", () => {
    throw new Error("broken");
  });
  app.post("/enter", async (request, reply) => {
    await auth.signIn(request, reply, "credentials", request.body as Record<string, string>);
    return reply;
  });
  app.post("/leave", async (request, reply) => {
    await auth.signOut(request, reply, { redirectTo: "/bye" });
    return reply;
  });
  app.post("/leave-quietly", (request, reply) => auth.signOut(request, reply, { redirect: false, redirectTo: "/bye" }));
  app.post("/rename", async (request, reply) => {
    await auth.update(request, { user: { name: "Countess" } });
    return reply.header("cache-control", "public").send(request.session);
  });
}

async function listen(t: TestContext, app: FastifyInstance): Promise<string> {
  const origin = await app.listen({ port: 0, host: "127.0.0.1" });
  t.after(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  return origin.replace("127.0.0.1", "localhost");
}

/** Sends a request whose path and host are as they are written. */
function send(origin: string, path: string, headers: Record<string, string> = {}): Promise<[number, string]> {
  const { hostname, port, host } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = ask({ hostname, port, path, headers: { host, ...headers }, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => text += part);
      response.on("end", () => resolve([response.statusCode ?? 0, text]));
    });
    request.once("error", reject).end();
  });
}

test("Fastify: somebody signs in by the pages, is known, and signs out", async (t) => {
  const visitor = (await open(t))();
  assert.equal((await send(visitor.origin, "/members/x"))[0], 302);
  await visitor.signIn("credentials", ADA, { callbackUrl: "/members/x?tab=2" });
  assert.deepEqual([visitor.url.search, visitor.html], ["?tab=2", "for Ada Lovelace"]);
  assert.equal((await visitor.open("/inner")).html, "Ada Lovelace");
  assert.equal(JSON.parse((await visitor.open("/read")).html).user.name, "Ada Lovelace");
  await visitor.signOut();
  assert.equal((await visitor.open("/")).html, "stranger");
});

test("Fastify: handlers sign in, change and end the session", async (t) => {
  const visitor = (await open(t, { callbacks: UPDATES }, { mayFail: true }))();
  assert.deepEqual(sessionCookies(await visitor.post("/enter", { ...ADA, password: "wrong" })), []);
  await actInHandlers(visitor);
  await leaveQuietly(visitor);
});

test("Fastify: require() lets pass whose sign-in does, and answers all others", async (t) => {
  const { adapter, state } = shakyAdapter();
  const config = { adapter, session: { strategy: "database" }, logger: recordLog().logger } as const;
  const visitor = (await open(t, config, { mayFail: true }))();
  assert.equal((await send(visitor.origin, "/any"))[0], 302);
  await visitor.signIn("credentials", ADA);
  const cookie = visitor.cookies.headerFor(new URL(visitor.origin), { sameSite: true, safe: true }) ?? "";
  assert.equal(await (await visitor.get("/any")).text(), "any Ada Lovelace");
  assert.equal((await send(visitor.origin, "/level", { cookie }))[0], 302);
  const refused = await visitor.get("/level", { headers: { "sec-fetch-mode": "cors" } });
  assert.deepEqual([refused.status, refused.headers.get("x-before")], [401, "1"]);
  assert.match(refused.headers.get("www-authenticate") ?? "", /acr_values="2"/);
  assert.equal((await visitor.post("/level", {})).status, 401);
  state.down = true;
  assert.equal((await visitor.get("/any")).status, 503);
});

test("Fastify: headers that were set before stand on answers of the service and on denials", async (t) => {
  const visitor = (await open(t))();
  for (const path of ["/auth/session", "/members/x", "/"]) {
    assert.equal((await visitor.get(path)).headers.get("x-before"), "1", path);
  }
});

for (const semicolon of [false, true]) {
  const router = semicolon ? "a router that ends paths at a semicolon" : "the router";
  test(`Fastify: spellings of a guarded path do not pass ${router}`, async (t) => {
    const routerOptions = {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      useSemicolonDelimiter: semicolon,
    };
    const { origin } = (await open(t, {}, { routerOptions }))();
    for (
      const path of [
        "/members",
        "/members/x",
        "/MEMBERS/x",
        "/%6dembers/x",
        "/members//x",
        "/members/x/",
        "//members/x",
        "/members;a",
        "/members;a/x",
        "/members/x;a?b",
        "/members/%78",
        "/members/x%00",
        "/./members/x",
        "/y/../members/x",
        `${origin}/members/x`,
      ]
    ) {
      const [status, text] = await send(origin, path);
      assert.ok(!text.startsWith("for "), `${path}: ${text}`);
      assert.ok([302, 400, 401, 404].includes(status), `${path} ${status}`);
    }
  });
}

test("Fastify: authorized sees the path that the router sees, where paths end at a semicolon", async (t) => {
  const authorized = ({ request }: { request: Request }): boolean => new URL(request.url).pathname !== "/members";
  const everywhere = { useSemicolonDelimiter: true };
  for (const options of [everywhere, { routerOptions: everywhere }] as readonly Options[]) {
    const { origin } = (await open(t, { protect: [], callbacks: { authorized } }, options))();
    for (const path of ["/members", "/members;", "/members;a", "/members;a?b;c"]) {
      const [status, text] = await send(origin, path);
      assert.ok(status === 302 || status === 401, `${path}: ${status} ${text}`);
    }
    assert.equal((await send(origin, "/?a;b"))[0], 200);
  }
});

test("Fastify: a request with a host that is none is refused", async (t) => {
  const { origin } = (await open(t))();
  for (const path of ["/", "/members/x", "/auth/session"]) {
    assert.equal((await send(origin, path, { host: "a/b" }))[0], 400, path);
  }
});

test("Fastify: a renewal reaches the browser once, and no cache", async (t) => {
  const visitor = await (await open(t, {}, { mayFail: true }))().signIn("credentials", ADA);
  for (const path of ["/", "/cached", "/inner", "/broken", "/nowhere", "/own-cookie"]) {
    const response = await visitor.get(path);
    assert.equal(sessionCookies(response).length, 1, path);
    assert.equal(response.headers.get("cache-control"), "private, no-store", path);
    assert.match(response.headers.get("vary") ?? "", /Cookie/, path);
  }
  assert.equal((await visitor.get("/own-cookie")).headers.getSetCookie().length, 2);
  const advance = await visitor.get("/", { headers: { "sec-purpose": "prefetch" } });
  assert.deepEqual([advance.headers.getSetCookie(), await advance.text()], [[], "Ada Lovelace"]);
});

test("Fastify: pages for somebody who is signed in are kept by no cache, unless they say how", async (t) => {
  const visitor = await (await open(t, { session: {} }))().signIn("credentials", ADA);
  assert.equal((await visitor.get("/")).headers.get("cache-control"), "private, no-store");
  assert.equal((await visitor.get("/cached")).headers.get("cache-control"), "public, s-maxage=60");
});

test("Fastify: two visitors at once never see each other's session", async (t) => {
  const browser = await open(t);
  const ada = await browser().signIn("credentials", ADA);
  const stranger = browser();
  for (let round = 0; round < 10; round++) {
    const [known, unknown] = await Promise.all([ada.get("/"), stranger.get("/")]);
    assert.deepEqual([await known.text(), await unknown.text()], ["Ada Lovelace", "stranger"]);
    assert.deepEqual(unknown.headers.getSetCookie(), []);
  }
});

test("Fastify: while storage is down the guard denies, and nobody is signed out", async (t) => {
  const { adapter, state } = shakyAdapter();
  const config = { adapter, session: { strategy: "database", updateAge: 0 }, logger: recordLog().logger } as const;
  const visitor = await (await open(t, config, { mayFail: true }))().signIn("credentials", ADA);
  state.down = true;
  const answers = [await visitor.get("/members/x"), await visitor.get("/")];
  assert.deepEqual(answers.map(({ status }) => status), [503, 200]);
  assert.deepEqual(answers.flatMap(sessionCookies), []);
  state.down = false;
  assert.equal((await visitor.open("/members/x")).html, "for Ada Lovelace");
});

test("Fastify: a post of another site neither signs in nor out", async (t) => {
  const visitor = await (await open(t, {}, { mayFail: true }))().signIn("credentials", ADA);
  for (const path of ["/enter", "/leave", "/rename"]) {
    const answer = await visitor.post(path, ADA, { headers: { origin: "https://evil.test" } });
    assert.ok(answer.status >= 400, path);
    assert.deepEqual(sessionCookies(answer).filter((line) => /Max-Age=0/.test(line)), [], path);
  }
  assert.equal((await visitor.open("/")).html, "Ada Lovelace");
});

test("Fastify: a route that the plugin does not see cannot sign in", async (t) => {
  const auth = FastifyAuth(testConfig());
  const app = fastify();
  app.post("/enter", (request, reply) => auth.signIn(request, reply, "credentials", ADA));
  const origin = await listen(t, app);
  const answer = await fetch(`${origin}/enter`, { method: "POST", headers: { origin } });
  assert.equal(answer.status, 500);
  assert.match((await answer.json()).message, /not registered above its route/);
});

/** Writes plugins into a folder, and loads it. Each is a file that exports `auth`, or a plugin that registers it. */
async function autoloaded(
  t: TestContext,
  plugins: Readonly<Record<string, string>>,
): Promise<{ readonly app: FastifyInstance }> {
  const folder = await mkdtemp(join(tmpdir(), "plugins-"));
  t.after(() => rm(folder, { recursive: true }));
  const shared = globalThis as { fastifyAuth?: unknown };
  shared.fastifyAuth = FastifyAuth(testConfig({ protect: ["/members/*"] }));
  for (const [name, text] of Object.entries(plugins)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const app = fastify();
  app.register(autoload, { dir: folder });
  app.get("/members/x", (request) => Promise.resolve(`for ${request.session?.user?.name}`));
  return { app }; // the application itself would be awaited
}

const LOADED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "as a file": { "auth.mjs": "export default globalThis.fastifyAuth" },
  "as a folder": { "auth/index.mjs": "export default globalThis.fastifyAuth" },
  "within a plugin that has no scope of its own": {
    "auth.mjs": "export default Object.assign((app) => app.register(globalThis.fastifyAuth), {\n" +
      '  [Symbol.for("skip-override")]: true,\n' +
      "})",
  },
};

for (const [how, plugins] of Object.entries(LOADED)) {
  test(`Fastify: the service is there and guards when @fastify/autoload loads it ${how}`, async (t) => {
    const origin = await listen(t, (await autoloaded(t, plugins)).app);
    const scripted = { "sec-fetch-mode": "cors" };
    const answers = await Promise.all(["/auth/session", "/members/x"].map((path) => send(origin, path, scripted)));
    assert.deepEqual(answers.map(([status]) => status), [200, 401]);
  });
}

test("Fastify: a start fails where the service would not be found, and would guard nothing", async (t) => {
  const text = "export default async (app) => { await app.register(globalThis.fastifyAuth) }";
  const { app } = await autoloaded(t, { "auth.mjs": text });
  await assert.rejects(async () => await app.ready(), /Cannot register FastifyAuth within a plugin.*fastify-plugin/);
  const own = fastify();
  own.register(async (scope) => void await scope.register(FastifyAuth(testConfig())));
  await assert.rejects(async () => await own.ready(), /Cannot register FastifyAuth within a plugin/);
});

test("Fastify: TRACE gets 405 from the service, and passes no guard", async (t) => {
  const { origin } = (await open(t))();
  const statuses = [];
  for (const path of ["/auth/session", "/auth/signin", "/members/x", "/nowhere"]) {
    const [status, allow] = await trace(origin, path);
    statuses.push([status, allow ?? null]);
  }
  assert.deepEqual(statuses, [[405, "GET, POST, HEAD"], [405, "GET, POST, HEAD"], [401, null], [404, null]]);
});

function trace(origin: string, path: string): Promise<[number | undefined, string | undefined]> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    ask({ hostname, port, path, method: "TRACE", agent: false }, (response) => {
      response.resume();
      resolve([response.statusCode, response.headers.allow]);
    }).once("error", reject).end();
  });
}
