import assert from "node:assert/strict";
import { test } from "node:test";
import { getSession, SolidAuth, type SolidAuthConfig, type SolidLocals } from "../../../bindings/solid_start.ts";
import { testConfig } from "../../_support/service.ts";
import { handle, type Kit, sessionCookies, tellStories } from "./_stories.ts";

/** What h3 makes of what a handler gives and of the headers of the event. */
function finish(body: unknown, prepared: Headers): Response {
  const response = body instanceof Response ? body : new Response(body as string);
  const headers = new Headers(response.headers);
  for (const [name, value] of prepared) {
    if (name === "set-cookie") headers.append(name, value);
    else headers.set(name, value);
  }
  return new Response(response.body, { status: response.status, headers });
}

/** SolidStart, as far as the binding sees it: two functions around an API route, or around a page. */
function open(config: SolidAuthConfig, answer: (request: Request, kit: Kit, headers: Headers) => Promise<unknown>) {
  const auth = SolidAuth(config);
  return async (request: Request): Promise<Response> => {
    const event = { request, response: { headers: new Headers() }, locals: {} as SolidLocals };
    const early = await auth.middleware.onRequest(event);
    if (early) return finish(early, event.response.headers);
    const kit: Kit = {
      session: () => event.locals.session,
      read: () => getSession(request, config),
      require: (options) => auth.require(event, options),
      signIn: (...args) => auth.signIn(event, ...args),
      signOut: (options) => auth.signOut(event, options),
      update: (patch) => auth.update(event, patch),
    };
    const body = await answer(request, kit, event.response.headers);
    return finish(auth.middleware.onBeforeResponse(event, { body }) ?? body, event.response.headers);
  };
}

// What a server function throws is its answer, if it is a response.
const caught = (thrown: unknown) => thrown instanceof Response ? thrown : Promise.reject(thrown);

tellStories("SolidStart with API routes", (config) => {
  return open(config, (request, kit) => handle(request, kit).catch(caught));
});

tellStories("SolidStart with pages and server functions", (config) => {
  return open(config, async (request, kit, headers) => {
    const response = await handle(request, kit).catch(caught);
    if (response.status !== 200) {
      // A server function that redirects: its headers go to those of the event.
      const { status } = response;
      for (const [name, value] of response.headers) headers.append(name, value);
      return new Response(response.body, { status });
    }
    for (const [name, value] of response.headers) headers.append(name, value);
    return await response.text();
  });
});

test("SolidStart: the service has the routes of its prefix", async () => {
  const { GET, POST } = SolidAuth({ ...testConfig(), prefix: "/api/auth" });
  const answer = await GET({ request: new Request("http://localhost:3000/api/auth/providers") });
  assert.match((await answer.json()).credentials.signinUrl, /\/api\/auth\/signin\/credentials$/);
  const refused = await POST({ request: new Request("http://localhost:3000/api/auth/signout", { method: "POST" }) });
  assert.deepEqual(sessionCookies(refused), []);
  assert.notEqual(refused.status, 200);
});

test("SolidStart: what no middleware saw stays as it is", () => {
  const event = {
    request: new Request("http://localhost:3000/"),
    response: { headers: new Headers() },
    locals: {} as SolidLocals,
  };
  assert.equal(SolidAuth(testConfig()).middleware.onBeforeResponse(event, { body: "page" }), undefined);
  assert.deepEqual([...event.response.headers], []);
});
