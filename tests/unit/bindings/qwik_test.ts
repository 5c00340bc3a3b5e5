import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig } from "@x/auth";
import {
  openQwik,
  type QwikEvent,
  type QwikServer,
  type QwikSource,
  readSession,
} from "../../../bindings/host/qwik.ts";
import { CredentialsSignin } from "../../../src/errors.ts";
import { Browser, type Site } from "../../_support/browser.ts";
import { ADA, recordLog, testConfig } from "../../_support/service.ts";
import { COOKIE, handle, sessionCookies, tellStories } from "./_stories.ts";

const ORIGIN = "http://localhost:3000";

/** What Qwik City has thrown to end a request. */
class Ended {}

/** An event of Qwik City, as far as the binding sees it, and the response that comes of it. */
class EventOfQwik implements QwikEvent {
  readonly request: Request;
  readonly url: URL;
  readonly headers = new Headers();
  readonly sharedMap = new Map<string, unknown>();
  readonly #lines = new Map<string, string>();
  readonly cookie: QwikEvent["cookie"] = {
    set: (name, value) => void this.#lines.set(name, `${name}=${value}`),
    headers: () => [...this.#lines.values()],
  };
  #response: Response | undefined;
  #status = 200;

  constructor(request: Request) {
    this.request = request;
    this.url = new URL(request.url);
    this.url.pathname = this.url.pathname.replace(/\/q-data\.json$/, "") || "/";
  }

  /** What was sent. */
  get response(): Response | undefined {
    return this.#response;
  }

  // An own member, as it is in Qwik City.
  getWritableStream = (): { write(body: BodyInit | null): void } => {
    const headers = new Headers(this.headers);
    for (const line of this.cookie.headers()) headers.append("set-cookie", line);
    const status = this.#status;
    return { write: (body) => void (this.#response = new Response(body, { status, headers })) };
  };

  send(response: Response): Ended {
    this.#status = response.status;
    for (const [name, value] of response.headers) if (name !== "set-cookie") this.headers.append(name, value);
    for (const line of response.headers.getSetCookie()) {
      const at = line.indexOf("=");
      this.cookie.set(line.slice(0, at), line.slice(at + 1));
    }
    this.getWritableStream().write(response.body);
    return new Ended();
  }

  redirect(status: number, url: string): Ended {
    this.#status = status;
    if (url) this.headers.set("location", url);
    this.headers.set("cache-control", "no-store");
    return new Ended();
  }

  status(code: number): number {
    return this.#status = code;
  }
}

/** Qwik City: plugins, then handlers. */
function siteOf(
  server: QwikServer,
  handler: (event: EventOfQwik) => Promise<Response | void>,
  open = (request: Request) => new EventOfQwik(request),
): Site {
  return async (request) => {
    const event = open(request);
    try {
      await server.onRequest(event);
      const response = await handler(event);
      if (response) event.send(response);
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
    }
    if (!event.response) event.getWritableStream().write(null);
    return event.response ?? assert.fail("nothing was sent");
  };
}

/** Acts, which ends the request. */
async function ending(act: Promise<string>): Promise<never> {
  assert.fail(`it did not redirect to ${await act}`);
}

function kitSite(config: AuthConfig, open?: (request: Request) => EventOfQwik): Site {
  const server = openQwik(() => config);
  const handler = (event: EventOfQwik) =>
    handle(event.request, {
      session: () => event.sharedMap.get("session") as null,
      read: () => readSession(event, config),
      require: (options) => server.require(event, options),
      signIn: (...args) => ending(server.signIn(event, ...args)),
      signOut: (options) => ending(server.signOut(event, options)),
      update: (patch) => server.update(event, patch),
    });
  return siteOf(server, handler, open);
}

tellStories("Qwik", (config) => kitSite(config));

/** A site whose forms are those of `useSignIn` and `useSignOut`, and whose pages use `useSession`. */
function openForms(config: AuthConfig): Browser {
  const server = openQwik(() => config);
  const site = siteOf(server, async (event) => {
    const { method } = event.request;
    if (method !== "POST") {
      return Response.json(await server.sessionOf(event), { headers: { "cache-control": "public" } });
    }
    const input = await event.request.json();
    event.sharedMap.set("@actionFormData", input);
    const value = await (event.url.pathname === "/leave" ? server.leave(event, input) : server.enter(event, input));
    const form = event.sharedMap.get("@actionFormData");
    event.getWritableStream().write(JSON.stringify({ value, form }));
  });
  return new Browser(site, { application: true });
}

const ENTER = { providerId: "credentials", options: ADA, redirectTo: "/here" };

test("Qwik: a form of useSignIn signs in, and one of useSignOut signs out", async () => {
  const visitor = openForms(testConfig());
  const entered = await visitor.postJson("/enter", ENTER);
  assert.deepEqual([entered.status, entered.headers.get("location")], [302, `${ORIGIN}/here`]);
  assert.equal(entered.headers.get("cache-control"), "private, no-store");
  assert.equal((await visitor.session())?.user?.name, "Ada Lovelace");
  const left = await visitor.postJson("/leave", { redirectTo: "/bye" });
  assert.deepEqual([left.status, left.headers.get("location")], [302, `${ORIGIN}/bye`]);
  assert.equal(await visitor.session(), null);
});

test("Qwik: without redirectTo a form leads back to its page", async () => {
  const visitor = openForms(testConfig());
  const { redirectTo: _, ...enter } = ENTER;
  const entered = await visitor.postJson("/enter?qaction=id_in&tab=2", enter);
  assert.equal(entered.headers.get("location"), `${ORIGIN}/enter?tab=2`);
  const left = await visitor.postJson("/leave?qaction=id_out", {});
  assert.equal(left.headers.get("location"), `${ORIGIN}/leave`);
  const referer = { headers: { referer: `${ORIGIN}/seen` } };
  assert.equal((await visitor.postJson("/enter", enter, referer)).headers.get("location"), `${ORIGIN}/seen`);
});

test("Qwik: what the router posts is answered with an address, which it goes to itself", async () => {
  const visitor = openForms(testConfig());
  const entered = await visitor.postJson("/enter/q-data.json", ENTER);
  assert.deepEqual([entered.status, entered.headers.get("location")], [200, `${ORIGIN}/here`]);
  assert.equal(sessionCookies(entered).length, 1);
});

test("Qwik: a wrong password is a value that the form can show, without the password", async () => {
  class Locked extends CredentialsSignin {
    override readonly code = "locked";
  }
  const provider = {
    id: "credentials",
    name: "a",
    type: "credentials",
    authorize: () => Promise.reject(new Locked()),
  } as const;
  const visitor = openForms(testConfig({ providers: [provider], logger: recordLog().logger }));
  const answer = await visitor.postJson("/enter", ENTER);
  assert.deepEqual([answer.status, answer.headers.get("cache-control")], [401, "private, no-store"]);
  assert.deepEqual(await answer.json(), { value: { failed: true, error: "CredentialsSignin", code: "locked" } });
});

test("Qwik: whatever a visitor posts as a form gets a small answer", async () => {
  const visitor = openForms(testConfig({ logger: recordLog().logger }));
  const statusOf = async (input: unknown) => (await visitor.postJson("/enter", input as object)).status;
  for (const input of [[], {}, { providerId: { a: 1 } }, { providerId: "", options: "x", authorizationParams: [1] }]) {
    assert.equal(await statusOf(input), 302, JSON.stringify(input));
  }
  assert.equal(await statusOf({ providerId: "nobody" }), 400);
  assert.equal(await statusOf({ ...ENTER, options: { ...ADA, password: { toString: 1 } } }), 401);
  assert.equal(await statusOf({ ...ENTER, options: { ...ADA, redirect: false, entries: 1 } }), 302);
});

test("Qwik: a form of another site is refused", async () => {
  const visitor = openForms(testConfig({ logger: recordLog().logger }));
  const answer = await visitor.postJson("/enter", ENTER, { headers: { origin: "https://evil.test" } });
  assert.deepEqual([answer.status, (await answer.json()).value.error], [400, "MissingCSRF"]);
  assert.deepEqual(sessionCookies(answer), []);
});

test("Qwik: a page with the session of somebody is kept by no cache, whatever it says", async () => {
  const visitor = openForms(testConfig());
  assert.equal((await visitor.get("/")).headers.get("cache-control"), "public");
  await visitor.signIn("credentials", ADA);
  assert.equal((await visitor.get("/")).headers.get("cache-control"), "private, no-store");
});

test("Qwik: whoever asks for the data of a guarded page is sent to sign in, and comes back to the page", async () => {
  const visitor = openForms(testConfig({ protect: ["/members/*"] }));
  const denied = await visitor.get("/members/x/q-data.json?a=1", { headers: { "sec-fetch-mode": "cors" } });
  assert.equal(denied.status, 302);
  const to = new URL(denied.headers.get("location") ?? "");
  assert.deepEqual([to.pathname, to.searchParams.get("callbackUrl")], ["/auth/signin", `${ORIGIN}/members/x?a=1`]);
});

test("Qwik: a page that another leads to is guarded, too", async () => {
  const server = openQwik(() => testConfig({ protect: ["/members/*"] }));
  const event = new EventOfQwik(new Request(`${ORIGIN}/open`, { headers: { "sec-fetch-mode": "cors" } }));
  await server.onRequest(event);
  event.url.pathname = "/members/x";
  await assert.rejects(server.onRequest(event), Ended);
  assert.equal(event.response?.status, 401);
});

test("Qwik: what is posted renews nothing", async () => {
  const config = testConfig({ session: { updateAge: 0 } });
  const server = openQwik(() => config);
  const visitor = new Browser(siteOf(server, () => Promise.resolve(new Response("done"))), { application: true });
  await visitor.signIn("credentials", ADA);
  const lines = await Promise.all([visitor.post("/x", {}), visitor.get("/x")]);
  assert.deepEqual(lines.map((answer) => sessionCookies(answer).length), [0, 1]);
});

test("Qwik: a handler that sets the cookie of the session has the last word", async () => {
  const config = testConfig({ session: { updateAge: 0 } });
  const server = openQwik(() => config);
  const visitor = new Browser(
    siteOf(server, (event) => {
      if (event.url.pathname === "/end") event.cookie.set(COOKIE, "; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
      return Promise.resolve(new Response("done"));
    }),
    { application: true },
  );
  await visitor.signIn("credentials", ADA);
  assert.deepEqual(sessionCookies(await visitor.get("/end")), [
    `${COOKIE}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`,
  ]);
});

test("Qwik: a configuration without the event is made once, one with it for each request", async () => {
  for (
    const [expected, choose] of [[1, (made: QwikSource): QwikSource => () => made(undefined as never)], [
      3,
      (made: QwikSource): QwikSource => (event) => made(event),
    ]] as const
  ) {
    let calls = 0;
    const server = openQwik(choose(() => {
      calls++;
      return testConfig();
    }));
    const site = siteOf(server, () => Promise.resolve(new Response("page")));
    for (let visit = 0; visit < 3; visit++) await (await site(new Request(`${ORIGIN}/`))).text();
    assert.equal(calls, expected);
  }
});

test("Qwik: a configuration that could not be made is made again", async () => {
  let calls = 0;
  const server = openQwik(() => {
    if (calls++ === 0) throw new Error("not yet");
    return testConfig();
  });
  const site = siteOf(server, () => Promise.resolve(new Response("page")));
  for (let visit = 0; visit < 2; visit++) await site(new Request(`${ORIGIN}/`));
  assert.equal((await site(new Request(`${ORIGIN}/auth/csrf`))).status, 200);
});

test("Qwik: a function that browsers can load is warned about once, and only if the optimizer has made it", async () => {
  const { logger, warnings } = recordLog();
  const config = () => testConfig({ logger });
  const ask = async (server: QwikServer) => {
    for (let visit = 0; visit < 2; visit++) {
      await siteOf(server, () => Promise.resolve(new Response("page")))(new Request(ORIGIN));
    }
    return warnings.splice(0).filter((code) => code.startsWith("config-in-browser")).length;
  };
  const optimized = () => Object.assign(() => config(), { resolve: () => Promise.resolve(config) });
  assert.equal(await ask(openQwik(optimized(), true)), 1);
  assert.equal(await ask(openQwik(optimized())), 0);
  assert.equal(await ask(openQwik(config, true)), 0);
});

test("Qwik: a session can be read only where onRequest has run", () => {
  const server = openQwik(() => testConfig());
  assert.throws(() => server.sessionOf(new EventOfQwik(new Request(ORIGIN))), /export `onRequest`/);
});

test("Qwik: whoever is signed in and goes to a provider stays signed in, with a renewed cookie", async () => {
  const config = testConfig({ session: { updateAge: 0 } });
  const server = openQwik(() => config);
  const site = siteOf(server, async (event) => {
    if (event.url.pathname !== "/choose") return new Response("page");
    await server.signIn(event, undefined, { redirect: false });
    return Response.json(server.sessionOf(event));
  });
  const visitor = new Browser(site, { application: true });
  await visitor.signIn("credentials", ADA);
  const answer = await visitor.get("/choose");
  assert.deepEqual([(await answer.json()).user.name, sessionCookies(answer).length], ["Ada Lovelace", 1]);
});

test("Qwik: where events are frozen, a session is renewed, changed and ended all the same", async () => {
  const site = kitSite(testConfig({ session: { updateAge: 0 } }), (request) => {
    const event = new EventOfQwik(request);
    Object.freeze(event);
    return event;
  });
  const visitor = new Browser(site, { application: true });
  await visitor.post("/enter", ADA);
  const { headers } = await visitor.get("/");
  assert.deepEqual([headers.getSetCookie().length, headers.get("cache-control")], [1, "private, no-store"]);
  assert.equal(sessionCookies(await visitor.post("/rename", {})).length, 1);
  await visitor.post("/leave", {});
  assert.equal((await visitor.open("/")).html, "stranger");
});
