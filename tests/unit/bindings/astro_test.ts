import assert from "node:assert/strict";
import { test } from "node:test";
import { AstroAuth, type AstroLocals, getSession } from "../../../bindings/astro.ts";
import { testConfig } from "../../_support/service.ts";
import { handle, tellStories } from "./_stories.ts";

/** Astro, as far as the binding sees it: a middleware before a page or an endpoint. */
tellStories("Astro", (config) => {
  const auth = AstroAuth(config);
  return (request) => {
    const context = { request, locals: {} as AstroLocals, isPrerendered: false };
    return auth.onRequest(context, () =>
      handle(request, {
        session: () => context.locals.session,
        read: () => getSession(request, config),
        signIn: (...args) => auth.signIn(context, ...args),
        signOut: (options) => auth.signOut(context, options),
        update: (patch) => auth.update(context, patch),
      }));
  };
});

test("Astro: a page that is made when the site is built is for nobody", async () => {
  const auth = AstroAuth(testConfig({ protect: ["/members/*"] }));
  const locals = {} as AstroLocals;
  const request = new Request("http://localhost:3000/members/x");
  const page = new Response("page");
  assert.equal(await auth.onRequest({ request, locals, isPrerendered: true }, () => Promise.resolve(page)), page);
  assert.equal(locals.session, null);
});
