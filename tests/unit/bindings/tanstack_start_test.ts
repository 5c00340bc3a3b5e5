import assert from "node:assert/strict";
import { test } from "node:test";
import { getSession, TanStackStartAuth, type TanStackStartContext } from "../../../bindings/tanstack_start.ts";
import { testConfig } from "../../_support/service.ts";
import { handle, tellStories } from "./_stories.ts";

/** TanStack Start, as far as the binding sees it: a request middleware gives a response, or what `next()` gave. */
tellStories("TanStack Start", (config) => {
  const auth = TanStackStartAuth(config);
  return async (request) => {
    const result = await auth.middleware({
      request,
      next: async ({ context }: { context: TanStackStartContext }) => ({
        request,
        context,
        // So it does with a response that a route or a function throws.
        response: await handle(request, {
          session: () => context.session,
          read: () => getSession(request, config),
          require: (options) => auth.require(request, options),
          signIn: (...args) => auth.signIn(request, ...args),
          signOut: (options) => auth.signOut(request, options),
          update: (patch) => auth.update(request, patch),
        }).catch((thrown) => thrown instanceof Response ? thrown : Promise.reject(thrown)),
      }),
    });
    return result instanceof Response ? result : result.response;
  };
});

test("TanStack Start: what an action sets reaches the browser when the framework makes the answer", async () => {
  const auth = TanStackStartAuth(testConfig());
  const request = new Request("http://localhost:3000/_serverFn/x", {
    method: "POST",
    headers: { origin: "http://localhost:3000" },
  });
  const result = await auth.middleware({
    request,
    next: async () => {
      await auth.signIn(request, "credentials", { username: "ada", password: "lovelace" });
      return { response: new Response("done") };
    },
  });
  const { headers } = result instanceof Response ? result : result.response;
  assert.match(headers.getSetCookie().join(), /authjs\.session-token=/);
});

test("TanStack Start: the service may have a route of its own", async () => {
  const { handlers } = TanStackStartAuth(testConfig());
  const answer = await handlers.GET({ request: new Request("http://localhost:3000/auth/providers") });
  assert.equal(Object.keys(await answer.json()).join(), "credentials");
});

test("TanStack Start: a middleware of server functions alone is told where it belongs", async () => {
  const auth = TanStackStartAuth(testConfig());
  const passage = { request: undefined as unknown as Request, next: () => assert.fail("the function ran") };
  await assert.rejects(auth.middleware(passage), /add the middleware to `requestMiddleware`/);
});
