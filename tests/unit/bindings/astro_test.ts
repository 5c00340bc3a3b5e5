import assert from "node:assert/strict";
import { test } from "node:test";
import { AstroAuth, type AstroLocals, getSession } from "../../../bindings/astro.ts";
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

/** Astro, as far as the binding sees it: a middleware before a page or an endpoint. */
function open(config: AuthConfig, cacheFor: () => RouteCache | undefined = () => undefined): Site {
  const auth = AstroAuth(config);
  return (request) => {
    const context = { request, locals: {} as AstroLocals, isPrerendered: false, cache: cacheFor() };
    return auth.onRequest(context, () =>
      handle(request, {
        session: () => context.locals.session,
        read: () => getSession(request, config),
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
  assert.equal(await auth.onRequest({ request, locals, isPrerendered: true }, () => Promise.resolve(page)), page);
  assert.equal(locals.session, null);
});
