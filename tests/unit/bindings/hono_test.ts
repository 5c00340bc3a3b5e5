import assert from "node:assert/strict";
import { test } from "node:test";
import { Hono } from "hono";
import type { AuthConfig } from "@x/auth";
import { getSession, HonoAuth, type HonoVariables } from "../../../bindings/hono.ts";
import { Browser } from "../../_support/browser.ts";
import { ADA, recordLog, testConfig } from "../../_support/service.ts";
import { shakyAdapter } from "./_site.ts";
import { refuseLevels } from "./_stories.ts";

const COOKIE = "authjs.session-token";

function open(config: AuthConfig = {}, mayFail = false): () => Browser {
  const whole = testConfig({ session: { updateAge: 0 }, protect: ["/members/*"], ...config });
  const auth = HonoAuth(whole);
  const app = new Hono<{ Variables: HonoVariables }>();
  app.use(auth.middleware);
  app.get("/", (c) => c.text(c.get("session")?.user?.name ?? "stranger"));
  app.get("/members/:page", (c) => c.text(`for ${c.get("session")?.user?.name}`));
  app.get("/read", async (c) => c.json(await getSession(c, whole)));
  app.get("/cached", (c) => c.text("page", 200, { "cache-control": "public, s-maxage=60", "x-mark": "1" }));
  app.get("/remote", () => Response.redirect("http://localhost:3000/"));
  app.get("/broken", () => {
    throw new Error("broken");
  });
  app.post("/enter", async (c) => await auth.signIn(c, "credentials", await c.req.formData()));
  app.post("/leave", (c) => auth.signOut(c, { redirectTo: "/bye" }));
  app.post("/rename", async (c) => c.json(await auth.update(c, { user: { name: "Countess" } })));
  app.onError((error, c) => c.text(error.name, 418));
  return () => new Browser(async (request) => await app.fetch(request), { application: true, mayFail });
}

function sessionCookies(response: Response): string[] {
  return response.headers.getSetCookie().filter((line) => line.startsWith(COOKIE));
}

test("Hono: somebody signs in by the pages, is known, and signs out", async () => {
  const visitor = open()();
  await visitor.open("/members/x?tab=2");
  assert.equal(visitor.url.pathname, "/auth/signin");
  await visitor.submit(ADA, "/credentials");
  assert.equal(visitor.html, "for Ada Lovelace");
  assert.equal(JSON.parse((await visitor.open("/read")).html).user.name, "Ada Lovelace");
  await visitor.signOut();
  assert.equal((await visitor.open("/")).html, "stranger");
});

test("Hono: handlers sign in, change and end the session", async () => {
  const visitor = open({
    callbacks: {
      jwt: ({ token, trigger, session }) => {
        return trigger === "update" ? { ...token, ...(session as { user: object }).user } : token;
      },
    },
  })();
  assert.equal((await visitor.post("/enter", { ...ADA, password: "wrong" })).status, 418);
  const entered = await visitor.post("/enter", { ...ADA, redirectTo: "/read" });
  assert.equal(entered.headers.get("location"), `${visitor.origin}/read`);
  const renamed = await visitor.post("/rename", {});
  assert.equal((await renamed.json()).user.name, "Countess");
  assert.equal(sessionCookies(renamed).length, 1);
  assert.equal((await visitor.open("/")).html, "Countess");
  const left = await visitor.post("/leave", {});
  assert.equal(left.headers.get("location"), `${visitor.origin}/bye`);
  assert.match(sessionCookies(left).join(), /^[^,]*Max-Age=0/);
  assert.equal((await visitor.open("/")).html, "stranger");
});

test("Hono: a renewal reaches the browser once, and no cache", async () => {
  const visitor = await open()().signIn("credentials", ADA);
  for (const path of ["/", "/cached", "/remote", "/broken", "/nowhere"]) {
    const { headers } = await visitor.get(path);
    assert.equal(headers.getSetCookie().length, 1, path);
    assert.equal(headers.get("cache-control"), "private, no-store", path);
  }
  assert.equal((await visitor.get("/cached")).headers.get("x-mark"), "1");
  const advance = await visitor.get("/", { headers: { "sec-purpose": "prefetch" } });
  assert.deepEqual([advance.headers.getSetCookie(), await advance.text()], [[], "Ada Lovelace"]);
});

test("Hono: a page says itself how it is kept if it sets no cookie", async () => {
  const visitor = await open({ session: {} })().signIn("credentials", ADA);
  assert.equal((await visitor.get("/")).headers.get("cache-control"), "private, no-store");
  assert.equal((await visitor.get("/cached")).headers.get("cache-control"), "public, s-maxage=60");
});

test("Hono: while storage is down the guard denies, and nobody is signed out", async () => {
  const { adapter, state } = shakyAdapter();
  const config = { adapter, session: { strategy: "database", updateAge: 0 }, logger: recordLog().logger } as const;
  const visitor = await open(config, true)().signIn("credentials", ADA);
  state.down = true;
  const answers = [await visitor.get("/members/x"), await visitor.get("/")];
  assert.deepEqual(answers.map(({ status }) => status), [503, 200]);
  assert.deepEqual(answers.flatMap(sessionCookies), []);
  state.down = false;
  assert.equal((await visitor.open("/members/x")).html, "for Ada Lovelace");
});

test("Hono: require() gives the session, leads pages to where more is proven, and refuses scripts", async () => {
  const auth = HonoAuth(testConfig());
  const app = new Hono<{ Variables: HonoVariables }>();
  app.use(auth.middleware);
  app.get("/level/1", async (c) => c.text(`level of ${(await auth.require(c)).user?.name}`));
  app.use("/level/2", async (c, next) => {
    await auth.require(c, { level: 2 });
    await next();
  });
  app.all("/level/2", () => assert.fail("the handler ran"));
  await refuseLevels(new Browser(async (request) => await app.fetch(request), { application: true }));
});

test("Hono: a post of another site neither signs in nor out", async () => {
  const visitor = await open()().signIn("credentials", ADA);
  for (const path of ["/enter", "/leave", "/rename"]) {
    const answer = await visitor.post(path, ADA, { headers: { origin: "https://evil.test" } });
    assert.equal(answer.status, 418, path);
  }
  assert.equal((await visitor.open("/")).html, "Ada Lovelace");
});

test("Hono: the service may be mounted by itself", async () => {
  const auth = HonoAuth(testConfig({ basePath: "/accounts" }));
  const app = new Hono().all("/accounts/*", auth.handler);
  const answer = await app.request("http://localhost:3000/accounts/providers");
  assert.match((await answer.json()).credentials.signinUrl, /\/accounts\/signin\/credentials$/);
});
