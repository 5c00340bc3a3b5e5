import assert from "node:assert/strict";
import { createServer, request as ask, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import {
  createApp,
  eventHandler,
  type H3Event,
  setResponseHeaders,
  setResponseStatus,
  toNodeListener,
  toWebRequest,
} from "h3";
import type { AuthConfig } from "@x/auth";
import { getSession, NuxtAuth, type NuxtAuthContext } from "../../../bindings/nuxt.ts";
import { ADA, testConfig } from "../../_support/service.ts";
import { Browser, type Site } from "../../_support/browser.ts";
import { handle, sessionCookies, tellStories } from "./_stories.ts";

const servers: Server[] = [];

after(() => servers.forEach((server) => server.close()));

/** What Nitro does for a route that a rule caches. */
interface Rules {
  readonly cache?: unknown;
  readonly isr?: unknown;
}

/** h3, which Nuxt is made of, on a server of Node: a middleware before a handler. */
function open(config: AuthConfig, rules: Rules = {}, failed: (error: Error) => void = () => {}): Site {
  const auth = NuxtAuth(config);
  const left = async (act: Promise<string>): Promise<Response> => {
    await act;
    return new Response(null, { status: 302 });
  };
  async function answer(event: H3Event): Promise<unknown> {
    const response = await handle(toWebRequest(event), {
      session: () => (event.context as unknown as NuxtAuthContext).session,
      read: () => getSession(event, config),
      async require(options) {
        await auth.require(options)(event);
        return (event.context as unknown as NuxtAuthContext).session ?? assert.fail();
      },
      signIn: (provider, form) => left(auth.signIn(event, provider, form)),
      signOut: (options) => left(auth.signOut(event, options)),
      update: (patch) => auth.update(event, patch),
    });
    if (event.handled) return undefined;
    setResponseStatus(event, response.status);
    setResponseHeaders(event, Object.fromEntries(response.headers));
    return await response.text();
  }
  const app = createApp({ onError: failed })
    .use(eventHandler(({ context }) => void (context._nitro = { routeRules: rules })))
    .use(eventHandler((event) => auth.middleware(event)))
    .use(eventHandler(answer));
  const server = createServer(toNodeListener(app));
  servers.push(server);
  const listening = new Promise<void>((resolve) => server.listen(0, "localhost", () => resolve()));
  return async (request) => {
    await listening;
    const url = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set("x-forwarded-host", url.host);
    url.port = String((server.address() as AddressInfo).port);
    return await send(url, request.method, headers, await request.text());
  };
}

// `fetch` of Node says of every request that a script sends it.
function send(url: URL, method: string, headers: Headers, body: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = ask(url, { method, headers: Object.fromEntries(headers), agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part) => text += part).once("end", () => {
        const given = new Headers();
        for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
          for (const value of values) given.append(name, value);
        }
        const { statusCode: status = 0 } = answer;
        // A text would get a content type.
        const bytes = text === "" ? null : new TextEncoder().encode(text);
        resolve(new Response(bytes, { status, headers: given }));
      });
    });
    sent.once("error", reject).end(body);
  });
}

tellStories("Nuxt", open);

for (const rules of [{ cache: { swr: true, maxAge: 60 } }, { isr: 60 }]) {
  const name = Object.keys(rules).join();

  test(`Nuxt: a page that a route rule caches (${name}) is nobody's, and is renewed for nobody`, async () => {
    const config = testConfig({ session: { updateAge: 0 }, protect: ["/members/*"] });
    const ada = await new Browser(open(config), { application: true }).signIn("credentials", ADA);
    const cookie = ada.cookies.headerFor(new URL(ada.origin), { sameSite: true, safe: true }) ?? "";
    const cached = new Browser(open(config, rules), { application: true });
    const page = await cached.get("/", { headers: { cookie } });
    assert.deepEqual([await page.text(), sessionCookies(page)], ["stranger", []]);
    assert.equal((await cached.get("/members/x", { headers: { "sec-fetch-mode": "cors" } })).status, 401);
    const renamed = await cached.post("/rename", {}, { headers: { cookie } });
    assert.equal((await renamed.json()).user.email, "ada@example.com");
    assert.equal(sessionCookies(await cached.post("/nowhere", {}, { headers: { cookie } })).length, 1);
  });

  test(`Nuxt: what a route rule caches (${name}) is kept by no cache for members`, async () => {
    const config = testConfig({ protect: ["/cached"] });
    const ada = await new Browser(open(config), { application: true }).signIn("credentials", ADA);
    const cookie = ada.cookies.headerFor(new URL(ada.origin), { sameSite: true, safe: true }) ?? "";
    const cached = new Browser(open(config, rules), { application: true });
    const page = await cached.get("/cached", { headers: { cookie } });
    assert.deepEqual([await page.text(), page.headers.get("cache-control")], ["page", "private, no-store"]);
  });
}

test("Nuxt: the data of a guarded page is guarded like the page", async () => {
  const site = new Browser(open(testConfig({ protect: ["/members/x"] })), { application: true });
  for (const path of ["/_payload.json", "/_payload.json?a=1", "/_payload.js", "/_payload-json"]) {
    const answer = await site.get(`/members/x${path}`, { headers: { "sec-fetch-mode": "cors" } });
    assert.equal(answer.status, 401, path);
  }
  assert.equal((await site.get("/x/_payload.json")).status, 404);
});

test("Nuxt: a Host that is none is answered with 400 in a few bytes, and is no failure", async () => {
  const errors: Error[] = [];
  const site = open(testConfig(), {}, (error) => errors.push(error));
  await site(new Request("http://localhost/"));
  const { port } = servers.at(-1)?.address() as AddressInfo;
  for (const path of ["/", "/auth/session"]) {
    for (const host of ["a b", "[", "x:99999", "%zz", "a@b", "a/b", ""]) {
      const [status, text] = await new Promise<[number | undefined, string]>((resolve, reject) => {
        const sent = ask({ host: "localhost", port, path, headers: { host }, setHost: false }, (response) => {
          let text = "";
          response.on("data", (part) => text += part).on("end", () => resolve([response.statusCode, text]));
        });
        sent.once("error", reject).end();
      });
      assert.deepEqual([status, text], [400, '{"message":"Bad request"}'], `${path} ${host}`);
    }
  }
  assert.deepEqual(errors, []);
});
