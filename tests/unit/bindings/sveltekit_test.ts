import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig } from "@x/auth";
import { createHost } from "../../../bindings/host/host.ts";
import {
  type Redirect,
  sourceOf,
  type SvelteKitAuthSource,
  svelteKitAuthWith,
  type SvelteKitEvent,
  type SvelteKitLocals,
} from "../../../bindings/host/sveltekit.ts";
import { getSession, SvelteKitAuth } from "../../../bindings/sveltekit.ts";
import { github } from "../../../src/providers/github.ts";
import { serializeCookie } from "../../../src/http/cookie_text.ts";
import { Browser } from "../../_support/browser.ts";
import { ADA, testConfig } from "../../_support/service.ts";
import { handle, sessionCookies, tellStories } from "./_stories.ts";

/** What `redirect` of SvelteKit throws. */
class Redirected {
  readonly location: string;
  readonly status: number;
  constructor(status: number, location: string) {
    this.status = status;
    this.location = location;
  }
}

const redirect: Redirect = (status, location, { external }) => {
  // SvelteKit 3 refuses addresses of other sites otherwise.
  assert.equal(external, true);
  throw new Redirected(status, location);
};

/** What `error` of SvelteKit throws. */
class Failed {
  readonly status: number;
  constructor(status: number) {
    this.status = status;
  }
}

const error = (status: 401): never => {
  throw new Failed(status);
};

function serviceOf(config: SvelteKitAuthSource) {
  return svelteKitAuthWith(
    createHost(sourceOf(config), { basePath: "/auth" }),
    () => Promise.resolve({ redirect, error }),
  );
}

interface Asked {
  readonly event: SvelteKitEvent;
  /** Adds what `event.cookies` holds, as SvelteKit does before `handle` gets the response. */
  finish(response: Response): Response;
}

function eventOf(request: Request, members: Partial<SvelteKitEvent> = {}): Asked {
  const lines = new Map<string, string>();
  const cookies: SvelteKitEvent["cookies"] = {
    set: (name, value, options) => void lines.set(name, serializeCookie({ name, value, options })),
  };
  const url = new URL(request.url);
  const event = { request, url, route: { id: url.pathname }, params: {}, locals: {}, cookies, ...members };
  return {
    event,
    finish(response) {
      const headers = new Headers(response.headers);
      for (const line of lines.values()) headers.append("set-cookie", line);
      return new Response(response.body, { status: response.status, headers });
    },
  };
}

/** SvelteKit answers a form action that redirects. */
async function acted(act: Promise<string>): Promise<Response> {
  try {
    throw new Error(`it did not redirect to ${await act}`);
  } catch (error) {
    if (!(error instanceof Redirected)) throw error;
    return new Response(null, { status: 302, headers: { location: error.location } });
  }
}

/** What SvelteKit makes of what ends a request. */
function ended(thrown: unknown): Response {
  if (thrown instanceof Failed) return Response.json({ message: "of SvelteKit" }, { status: thrown.status });
  if (!(thrown instanceof Redirected)) throw thrown;
  return new Response(null, { status: thrown.status, headers: { location: thrown.location } });
}

/** SvelteKit, as far as the binding sees it: `handle` around pages, endpoints and form actions. */
tellStories("SvelteKit", (config) => {
  const auth = serviceOf(config);
  return (request) => {
    const { event, finish } = eventOf(request);
    return auth.handle({
      event,
      resolve: async () =>
        finish(
          await handle(request, {
            session: () => (event.locals as SvelteKitLocals).auth(),
            read: () => getSession(event, config),
            require: (options) => auth.require(event, options),
            signIn: (...args) => acted(auth.signIn(event, ...args)),
            signOut: (options) => acted(auth.signOut(event, options)),
            update: (patch) => auth.update(event, patch),
          }).catch(ended),
        ),
    });
  };
});

const ORIGIN = "http://localhost:3000";

function openActions(config: AuthConfig): Browser {
  const auth = serviceOf(config);
  return new Browser((request) => {
    const { pathname } = new URL(request.url);
    const { event, finish } = eventOf(request);
    return auth.handle({
      event,
      async resolve() {
        if (pathname === "/enter") return finish(await acted(auth.signIn(event)));
        if (pathname === "/leave") return finish(await acted(auth.signOut(event)));
        return new Response((await (event.locals as SvelteKitLocals).auth())?.user?.name ?? "stranger");
      },
    });
  }, { application: true });
}

test("SvelteKit: signIn and signOut are form actions", async () => {
  const visitor = openActions(testConfig());
  const chosen = await visitor.post("/enter", {});
  assert.match(chosen.headers.get("location") ?? "", /\/auth\/signin\?/);
  const fields = { ...ADA, providerId: "credentials", redirectTo: "/here", redirect: "false" };
  const entered = await visitor.post("/enter", fields);
  assert.equal(entered.headers.get("location"), `${ORIGIN}/here`);
  assert.equal((await visitor.open("/")).html, "Ada Lovelace");
  const left = await visitor.post("/leave", { redirectTo: "/bye" });
  assert.equal(left.headers.get("location"), `${ORIGIN}/bye`);
  assert.equal((await visitor.open("/")).html, "stranger");
});

test("SvelteKit: fields of a form that begin with authorizationParams- are parameters for the provider", async () => {
  const visitor = openActions(testConfig({ providers: [github({ clientId: "id", clientSecret: "secret" })] }));
  const fields = { providerId: "github", "authorizationParams-prompt": "consent", "authorizationParams-login": "ada" };
  const left = await visitor.post("/enter", fields);
  const { origin, searchParams } = new URL(left.headers.get("location") ?? "");
  assert.deepEqual([origin, searchParams.get("prompt"), searchParams.get("login")], [
    "https://github.com",
    "consent",
    "ada",
  ]);
});

test("SvelteKit: a field of a form cannot replace what the protocol says", async () => {
  const visitor = openActions(testConfig({ providers: [github({ clientId: "id", clientSecret: "secret" })] }));
  for (const name of ["redirect_uri", "client_id", "state", "code_challenge"]) {
    const fields = { providerId: "github", [`authorizationParams-${name}`]: "https://evil.test/" };
    const answer = await visitor.post("/enter", fields).catch((error: unknown) => error);
    assert.ok(!(answer instanceof Response) || !answer.headers.get("location")?.includes("evil"), name);
  }
});

test("SvelteKit: with redirect: false an action gets the URL", async () => {
  const auth = serviceOf(testConfig());
  const { event, finish } = eventOf(new Request(`${ORIGIN}/x`, { method: "POST", headers: { origin: ORIGIN } }));
  const url = await auth.signIn(event, "credentials", { ...ADA, redirectTo: "/here", redirect: false });
  assert.equal(url, `${ORIGIN}/here`);
  assert.equal(sessionCookies(finish(new Response())).length, 1);
});

test("SvelteKit: whoever asks for the data of a guarded page is sent to sign in, and comes back to the page", async () => {
  const auth = serviceOf(testConfig({ protect: ["/members/*"] }));
  const headers = { "sec-fetch-mode": "cors" };
  const { event } = eventOf(new Request(`${ORIGIN}/members/x/__data.json?a=1&x-sveltekit-invalidated=1`, { headers }), {
    isDataRequest: true,
    url: new URL(`${ORIGIN}/members/x?a=1`),
  });
  const denied = await auth.handle({ event, resolve: () => new Response("secret") });
  assert.equal(denied.status, 302);
  const to = new URL(denied.headers.get("location") ?? "");
  assert.deepEqual([to.pathname, to.searchParams.get("callbackUrl")], ["/auth/signin", `${ORIGIN}/members/x?a=1`]);
});

test("SvelteKit: a request of the server to itself renews nothing", async () => {
  const config = testConfig({ session: { updateAge: 0 } });
  const auth = serviceOf(config);
  const visitor = openActions(config);
  await visitor.signIn("credentials", ADA);
  const cookie = visitor.cookies.headerFor(new URL(ORIGIN), { sameSite: true, safe: true }) ?? "";
  const lines = async (isSubRequest: boolean) => {
    const { event } = eventOf(new Request(ORIGIN, { headers: { cookie } }), { isSubRequest });
    const answer = await auth.handle({
      event,
      resolve: async () => Response.json(await (event.locals as SvelteKitLocals).auth()),
    });
    return [(await answer.json()).user.name, answer.headers.getSetCookie().length];
  };
  assert.deepEqual([await lines(true), await lines(false)], [["Ada Lovelace", 0], ["Ada Lovelace", 1]]);
});

test("SvelteKit: the configuration may be chosen by the event", async () => {
  const source = (event: SvelteKitEvent) => testConfig({ basePath: event.url.hostname === "a.test" ? "/a" : "/b" });
  const { handle } = SvelteKitAuth(source);
  const ask = async (url: string) => {
    const { event } = eventOf(new Request(url));
    return (await handle({ event, resolve: () => new Response(null, { status: 404 }) })).status;
  };
  assert.deepEqual([await ask("http://a.test/a/csrf"), await ask("http://b.test/a/csrf")], [200, 404]);
  assert.equal(await getSession(eventOf(new Request("http://a.test/")).event, source), null);
});

test("SvelteKit: a page that is prerendered needs no secret and no storage, and sees nobody", async () => {
  const config: AuthConfig = {
    get providers(): never {
      throw new Error("the configuration was read");
    },
    protect: ["/*"],
  };
  for (const path of ["/about", "/auth/session"]) {
    const { event } = eventOf(new Request(ORIGIN + path));
    const response = await SvelteKitAuth(config, { building: true }).handle({
      event,
      resolve: async () => Response.json(await (event.locals as SvelteKitLocals).auth()),
    });
    assert.deepEqual([response.status, await response.json(), response.headers.get("cache-control")], [
      200,
      null,
      null,
    ]);
  }
});

for (
  const [id, params] of [
    ["/members", {}],
    ["/members/[id]", { id: "1" }],
    ["/(site)/members/(list)/[[lang]]/number-[id=number]", { id: "1" }],
    ["/members/[...path]", { path: "a/b" }],
    ["/members/[...path]", {}],
    ["/[section]/x", { section: "MEMBERS" }],
    ["/[section]", { section: "members/x" }],
    ["/[x+6d]embers/[u+1f600]", {}],
    ["/[[lang]]/members/[[page=number]]", { lang: "de", page: "2" }],
    ["/[...lang]/members", { lang: "de/at" }],
  ] as const
) {
  test(`SvelteKit: a path that is rerouted to ${id} with ${JSON.stringify(params)} is guarded`, async () => {
    const auth = serviceOf(testConfig({ protect: ["/members/*"] }));
    for (const path of ["/de/x", "/de/x/"]) {
      const request = new Request(`http://localhost:3000${path}`);
      const { event } = eventOf(request, { route: { id }, params });
      const answer = await auth.handle({ event, resolve: () => new Response("open") });
      assert.equal(answer.status, 302, path);
    }
  });
}

test("SvelteKit: a path that is rerouted to a page for everybody passes, and so does one of no page", async () => {
  const asked: string[] = [];
  const auth = serviceOf(testConfig({
    protect: ["/members/*"],
    callbacks: { authorized: ({ request }) => asked.push(new URL(request.url).pathname) > 0 },
  }));
  for (
    const [path, id] of [["/de/about", "/about"], ["/about", "/(site)/about"], ["/x/", "/x"], ["/none", null], [
      "/z/a",
      "/[...rest]",
    ]]
  ) {
    const { event } = eventOf(new Request(`http://localhost:3000${path}`), {
      route: { id: id ?? null },
      params: { rest: "z/a" },
    });
    assert.equal((await auth.handle({ event, resolve: () => new Response("open") })).status, 200);
  }
  assert.deepEqual(asked, ["/de/about", "/about", "/about", "/x/", "/none", "/z/a"]);
});

test("SvelteKit: require() leads the data of a page and an enhanced form to where more is proven", async () => {
  const config = testConfig();
  const auth = serviceOf(config);
  const browser = new Browser(
    (request) => auth.handle({ event: eventOf(request).event, resolve: () => new Response("page") }),
    { application: true },
  );
  await browser.signIn("credentials", ADA);
  const cookie = browser.cookies.headerFor(new URL(browser.origin), { sameSite: true, safe: true }) ?? "";
  const led = async (path: string, init: RequestInit, members: Partial<SvelteKitEvent> = {}) => {
    const headers = { cookie, "sec-fetch-mode": "cors", referer: `${browser.origin}/form`, ...init.headers };
    const { event } = eventOf(new Request(browser.origin + path, { ...init, headers }), members);
    const thrown = await auth.require(event, { level: 2 }).then(() => assert.fail("it passed"), (thrown) => thrown);
    assert.ok(thrown instanceof Redirected);
    return new URL(thrown.location).searchParams.get("callbackUrl");
  };
  const url = new URL(`${browser.origin}/admin?x=1`);
  assert.equal(await led("/admin/__data.json?x=1", {}, { url, isDataRequest: true }), url.href);
  const enhanced = { method: "POST", headers: { "x-sveltekit-action": "true", accept: "application/json" } };
  assert.equal(await led("/admin?/delete", enhanced), `${browser.origin}/form`);
});
