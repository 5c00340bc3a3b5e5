import assert from "node:assert/strict";
import { test } from "node:test";
import { AstroAuth, type AstroContext, type AstroLocals, getSession } from "../../../bindings/astro.ts";
import type { AuthConfig } from "@x/auth";
import { Browser, type Site } from "../../_support/browser.ts";
import { ADA, testConfig } from "../../_support/service.ts";
import { handle, tellStories } from "./_stories.ts";

/** The cache of Astro that a route rule has set. */
class RouteCache {
  enabled = true;
  active = true;
  set(options: false): void {
    this.active = options;
  }
}

/** What Astro has made of a request. */
function routed(request: Request, members: Partial<AstroContext> = {}): AstroContext {
  const url = new URL(request.url);
  return { request, url, routePattern: url.pathname, params: {}, locals: {}, ...members };
}

/** Astro, as far as the binding sees it: a middleware before a page or an endpoint. */
function open(config: AuthConfig, cacheFor: () => RouteCache | undefined = () => undefined): Site {
  const auth = AstroAuth(config);
  return (request) => {
    const context = { ...routed(request), locals: {} as AstroLocals, isPrerendered: false, cache: cacheFor() };
    return auth.onRequest(context, () =>
      handle(request, {
        session: () => context.locals.session,
        read: () => getSession(request, config),
        require: (options) => auth.require(context, options),
        signIn: (...args) => auth.signIn(context, ...args),
        signOut: (options) => auth.signOut(context, options),
        update: (patch) => auth.update(context, patch),
      }));
  };
}

tellStories("Astro", open);

test("Astro: the cache of a route keeps nothing that was made for somebody, and no answer of the service", async () => {
  const caches: RouteCache[] = [];
  const site = open(testConfig({ protect: ["/members/*"] }), () => {
    const cache = new RouteCache();
    caches.push(cache);
    return cache;
  });
  const kept = async (path: string): Promise<boolean | undefined> => {
    await (await visitor.get(path)).arrayBuffer();
    return caches.at(-1)?.active;
  };
  const visitor = new Browser(site, { application: true });
  assert.deepEqual([await kept("/"), await kept("/cached")], [true, true]);
  assert.deepEqual([await kept("/members/x"), await kept("/auth/session")], [false, false]);
  await visitor.signIn("credentials", ADA);
  assert.deepEqual([await kept("/"), await kept("/members/x"), await kept("/cached")], [false, false, true]);
});

test("Astro: a cache that is off is not told so, which Astro would warn of", async () => {
  const cache = new RouteCache();
  cache.enabled = false;
  await open(testConfig(), () => cache)(new Request("http://localhost:3000/auth/session"));
  assert.equal(cache.active, true);
});

test("Astro: a page that is made when the site is built is for nobody", async () => {
  const auth = AstroAuth(testConfig({ protect: ["/members/*"] }));
  const locals = {} as AstroLocals;
  const request = new Request("http://localhost:3000/members/x");
  const page = new Response("page");
  assert.equal(
    await auth.onRequest(routed(request, { locals, isPrerendered: true }), () => Promise.resolve(page)),
    page,
  );
  assert.equal(locals.session, null);
});

for (
  const [routePattern, params] of [
    ["/members", {}],
    ["/members/[id]", { id: "1" }],
    ["/members/[...path]", { path: "a/b" }],
    ["/members/[...path]", { path: undefined }],
    ["/[section]/[id]", { section: "members", id: "1" }],
    ["/[...lang]/members", { lang: "de" }],
  ] as const
) {
  test(`Astro: a locale that falls back to ${routePattern} with ${JSON.stringify(params)} is guarded`, async () => {
    const { onRequest } = AstroAuth(testConfig({ protect: ["/members/*"] }));
    for (const path of ["/de/x", "/de/x/"]) {
      const context = routed(new Request(`http://localhost:3000${path}`), { routePattern, params });
      assert.equal((await onRequest(context, () => Promise.resolve(new Response("open")))).status, 302, path);
    }
  });
}

test("Astro: the page of a rewrite is guarded, and pages for errors are not", async () => {
  const { onRequest } = AstroAuth(testConfig({ protect: ["/members/*", "/404"] }));
  const request = new Request("http://localhost:3000/x");
  const open = () => Promise.resolve(new Response("open"));
  const rewritten = routed(request, { url: new URL("http://localhost:3000/members/1"), routePattern: "/[...all]" });
  assert.equal((await onRequest(rewritten, open)).status, 302);
  assert.equal((await onRequest(routed(request, { routePattern: "/404" }), open)).status, 200);
});

test("Astro: what a middleware behind this one rewrites to is guarded", async () => {
  const { onRequest } = AstroAuth(testConfig({ protect: ["/members/*"] }));
  const rewriting = async (to: string): Promise<number> => {
    const context = { ...routed(new Request("http://localhost:3000/x")) };
    const answer = await onRequest(context, () => {
      const request = new Request(`http://localhost:3000${to}`);
      Object.assign(context, { request, url: new URL(request.url), routePattern: to });
      return Promise.resolve(new Response("open"));
    });
    return answer.status;
  };
  assert.deepEqual([await rewriting("/members/7"), await rewriting("/about")], [302, 200]);
});
