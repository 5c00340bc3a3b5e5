import assert from "node:assert/strict";
import { test } from "node:test";
import { RemoteKeySet } from "../../../src/oauth_client/keys.ts";
import { testRuntime } from "../../_support/runtime.ts";

/** A key document whose answer waits until it is let go. */
function slowKeys() {
  const waiting: (() => void)[] = [];
  let asked = 0;
  const load = (): Promise<Response> => {
    const number = ++asked;
    return new Promise((resolve) => waiting.push(() => resolve(Response.json({ keys: [{ kid: `key-${number}` }] }))));
  };
  const answer = (): void => waiting.splice(0).forEach((give) => give());
  return { load, answer, asked: () => asked };
}

test("RemoteKeySet shares one reload between concurrent sign-ins", async () => {
  const ring = new RemoteKeySet("https://idp.test/jwks");
  const runtime = testRuntime();
  const { load, answer, asked } = slowKeys();
  const before = ring.get(load, runtime);
  answer();
  const old = await before;
  const first = ring.reload(old, load, runtime);
  const second = ring.reload(old, load, runtime);
  answer();
  assert.deepEqual((await first)?.keys, [{ kid: "key-2" }]);
  assert.equal(await second, await first);
  // And a third one, which comes when they are there.
  assert.equal(await ring.reload(old, load, runtime), await first);
  assert.equal(asked(), 2);
});

test("RemoteKeySet caches keys for five minutes", async () => {
  const ring = new RemoteKeySet("https://idp.test/jwks");
  const runtime = testRuntime();
  let asked = 0;
  const load = () => Promise.resolve(Response.json({ keys: [], asked: ++asked }));
  const first = await ring.get(load, runtime);
  runtime.advance(5 * 60 - 1);
  assert.equal(await ring.get(load, runtime), first);
  runtime.advance(1);
  assert.notEqual(await ring.get(load, runtime), first);
  assert.equal(asked, 2);
});

test("RemoteKeySet reloads at most once a minute", async () => {
  const ring = new RemoteKeySet("https://idp.test/jwks");
  const runtime = testRuntime();
  let asked = 0;
  const load = () => Promise.resolve(Response.json({ keys: [], asked: ++asked }));
  const first = await ring.get(load, runtime);
  const second = await ring.reload(first, load, runtime);
  assert.ok(second);
  runtime.advance(59);
  assert.equal(await ring.reload(second, load, runtime), null);
  runtime.advance(1);
  assert.ok(await ring.reload(second, load, runtime));
  assert.equal(asked, 3);
});
