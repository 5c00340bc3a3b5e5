import assert from "node:assert/strict";
import { test } from "node:test";
import { Elysia } from "elysia";
import { ElysiaAuth, getSession } from "../../../bindings/elysia.ts";
import { testConfig } from "../../_support/service.ts";
import { handle, tellStories } from "./_stories.ts";

tellStories("Elysia", (config) => {
  const auth = ElysiaAuth(config);
  const app = new Elysia().use(auth.plugin).derive(auth.derive).all("*", ({ request, session }) =>
    handle(request, {
      session: () => session,
      read: () => getSession(request, config),
      require: (options) => auth.require({ request }, options),
      signIn: (...args) => auth.signIn({ request }, ...args),
      signOut: (options) => auth.signOut({ request }, options),
      update: (patch) => auth.update({ request }, patch),
    }), { parse: "none" });
  return (request) => Promise.resolve(app.handle(request));
});

test("Elysia: what it answers without a handler is guarded, too", async () => {
  const auth = ElysiaAuth(testConfig({ protect: ["/members/*"] }));
  const app = new Elysia().use(auth.plugin).get("/members/x", "secret").get("/", "open");
  const ask = async (path: string) => (await app.handle(new Request(`http://localhost:3000${path}`))).status;
  assert.deepEqual([await ask("/members/x"), await ask("/")], [302, 200]);
});

test("Elysia: an application that runs nothing around its handlers is refused", () => {
  const auth = ElysiaAuth(testConfig());
  assert.throws(() => new Elysia({ aot: false }).use(auth.plugin), /remove the option `aot: false`/);
});
