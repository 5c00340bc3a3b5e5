/** On doubles of the structure of Nest: middlewares run on the requests of its platforms, and guards before handlers. */
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import type { AuthConfig } from "@x/auth";
import {
  getSession,
  NestAuth,
  type NestRawResponse,
  type NestRequest,
  type NestResponse,
} from "../../../bindings/nest.ts";
import { Browser } from "../../_support/browser.ts";
import { ADA, recordLog, testConfig } from "../../_support/service.ts";
import { shakyAdapter } from "./_site.ts";
import { actInHandlers, leaveQuietly, sessionCookies, UPDATES } from "./_stories.ts";

/** Express gives handlers the objects of `node:http`, Fastify objects that have them as `raw`. */
const PLATFORMS = [
  ["Express", (request: IncomingMessage) => request, (response: ServerResponse) => response],
  ["Fastify", (raw: IncomingMessage) => ({ raw }), (raw: ServerResponse) => ({ raw })],
] as const;

for (const [platform, requestOf, responseOf] of PLATFORMS) {
  const open = async (t: TestContext, config: AuthConfig = {}, mayFail = false) => {
    const whole = testConfig({ session: { updateAge: 0 }, protect: ["/members/*"], ...config });
    const auth = NestAuth(whole);
    const show = (response: ServerResponse, value: unknown): void => {
      response.end(typeof value === "string" ? value : JSON.stringify(value));
    };
    const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
      const [request, reply] = [requestOf(incoming) as NestRequest, responseOf(response) as unknown as NestResponse];
      switch (incoming.url) {
        case "/enter":
          return void await auth.signIn(request, reply, "credentials", { ...ADA, redirectTo: "/read" });
        case "/leave":
          return void await auth.signOut(request, reply, { redirectTo: "/bye" });
        case "/leave-quietly":
          return show(response, await auth.signOut(request, reply, { redirect: false, redirectTo: "/bye" }));
        case "/rename":
          return show(response, await auth.update(request, reply, { user: { name: "Countess" } }));
        case "/read":
          return show(response, await getSession(request, whole, reply));
        case "/guarded": {
          const context = { getType: () => "http", switchToHttp: () => ({ getRequest: () => request }) };
          if (await auth.guard.canActivate(context)) show(response, `for ${auth.sessionOf(request)?.user?.name}`);
          return;
        }
        case "/any":
        case "/level": {
          const http = { getRequest: () => request, getResponse: () => reply };
          const context = { getType: () => "http", switchToHttp: () => http };
          const guard = auth.require(incoming.url === "/any" ? {} : { level: 2 });
          if (await guard.canActivate(context)) show(response, `for ${auth.sessionOf(request)?.user?.name}`);
          return;
        }
        case "/cached":
          response.setHeader("cache-control", "public, s-maxage=60");
          return show(response, "page");
        default:
          return show(response, auth.sessionOf(request)?.user?.name ?? "stranger");
      }
    };
    const server = createServer((incoming, response) => {
      // As the filter of Nest does with errors that have a status.
      const fail = (error: unknown): void => {
        response.statusCode = (error as { readonly statusCode?: number }).statusCode ?? 500;
        response.end((error as Error).message);
      };
      const next = (error?: unknown): void => {
        if (error) fail(error);
        else handle(incoming, response).catch(fail);
      };
      // What only the guard guards has no middleware above it here.
      if (["/guarded", "/any", "/level", "/read"].includes(incoming.url ?? "")) next();
      else auth.middleware(incoming, response as unknown as NestRawResponse, next);
    });
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    return () => new Browser((request) => fetch(request), { origin, application: true, mayFail });
  };

  test(`Nest on ${platform}: somebody signs in by the pages, is known, and signs out`, async (t) => {
    const visitor = (await open(t))();
    assert.notEqual((await visitor.get("/members/x")).status, 200);
    await visitor.signIn("credentials", ADA, { callbackUrl: "/members/x" });
    assert.deepEqual([visitor.url.pathname, visitor.html], ["/members/x", "Ada Lovelace"]);
    await visitor.signOut();
    assert.equal((await visitor.open("/")).html, "stranger");
    assert.notEqual((await visitor.get("/members/x")).status, 200);
  });

  test(`Nest on ${platform}: the guard lets pass who is signed in`, async (t) => {
    const visitor = (await open(t))();
    const denied = await visitor.get("/guarded");
    assert.deepEqual([denied.status, await denied.text()], [401, "Unauthorized"]);
    await visitor.signIn("credentials", ADA);
    assert.equal(await (await visitor.get("/guarded")).text(), "for Ada Lovelace");
  });

  test(`Nest on ${platform}: a guard of require() lets pass whose sign-in does, and answers all others`, async (t) => {
    const { adapter, state } = shakyAdapter();
    const config = { adapter, session: { strategy: "database" }, logger: recordLog().logger } as const;
    const visitor = (await open(t, config, true))();
    const script = { headers: { "sec-fetch-mode": "cors" } };
    assert.equal((await visitor.get("/any", script)).status, 401);
    await visitor.signIn("credentials", ADA);
    assert.equal(await (await visitor.get("/any", script)).text(), "for Ada Lovelace");
    const refused = await visitor.get("/level", script);
    assert.equal(refused.status, 401);
    assert.match(refused.headers.get("www-authenticate") ?? "", /acr_values="2"/);
    assert.match((await refused.json()).url, /\/auth\/signin\?.*error=SessionRequired/);
    state.down = true;
    assert.equal((await visitor.get("/any", script)).status, 503);
  });

  test(`Nest on ${platform}: handlers sign in, change and end the session`, async (t) => {
    const visitor = (await open(t, { callbacks: UPDATES }))();
    await actInHandlers(visitor);
    await leaveQuietly(visitor);
  });

  test(`Nest on ${platform}: a renewal reaches the browser once, and no cache`, async (t) => {
    const visitor = await (await open(t))().signIn("credentials", ADA);
    for (const path of ["/", "/cached", "/read"]) {
      const { headers } = await visitor.get(path);
      assert.equal(headers.getSetCookie().length, 1, path);
      assert.equal(headers.get("cache-control"), "private, no-store", path);
    }
    const advance = await visitor.get("/", { headers: { "sec-purpose": "prefetch" } });
    assert.deepEqual([advance.headers.getSetCookie(), await advance.text()], [[], "Ada Lovelace"]);
  });

  test(`Nest on ${platform}: while storage is down the guard denies, and nobody is signed out`, async (t) => {
    const { adapter, state } = shakyAdapter();
    const config = { adapter, session: { strategy: "database", updateAge: 0 }, logger: recordLog().logger } as const;
    const visitor = await (await open(t, config, true))().signIn("credentials", ADA);
    state.down = true;
    const answers = [await visitor.get("/members/x"), await visitor.get("/guarded"), await visitor.get("/")];
    assert.deepEqual(answers.map(({ status }) => status), [503, 503, 200]);
    assert.deepEqual(answers.flatMap(sessionCookies), []);
    state.down = false;
    assert.equal(await (await visitor.get("/guarded")).text(), "for Ada Lovelace");
  });

  test(`Nest on ${platform}: a post of another site neither signs in nor out`, async (t) => {
    const visitor = await (await open(t, {}, true))().signIn("credentials", ADA);
    for (const path of ["/enter", "/leave", "/rename"]) {
      const answer = await visitor.post(path, ADA, { headers: { origin: "https://evil.test" } });
      assert.ok(answer.status >= 400, path);
      assert.deepEqual(sessionCookies(answer).filter((line) => /Max-Age=0/.test(line)), [], path);
    }
    assert.equal((await visitor.open("/")).html, "Ada Lovelace");
  });
}

test("Nest: the guard lets nothing pass that is not HTTP", async () => {
  const { guard } = NestAuth(testConfig());
  const context = { getType: () => "ws", switchToHttp: () => ({ getRequest: () => ({}) }) };
  await assert.rejects(guard.canActivate(context), /Cannot guard ws/);
});
