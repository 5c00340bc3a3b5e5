import assert from "node:assert/strict";
import { test } from "node:test";
import { isSealedAtRest, openAtRest, sealAtRest } from "../../../src/crypto/at_rest.ts";
import { createSealer } from "../../../src/crypto/seal.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";

const OLD = "an old secret of more than 32 characters";
const NEW = "a new secret of more than 32 characters";
const sealer = createSealer([NEW], systemRuntime);
const what = { purpose: "refresh_token", owner: '["github","1"]' };

test("openAtRest() gives what sealAtRest() was given, which does not show in the text", async () => {
  const sealed = await sealAtRest(sealer, what, "a token of a provider");
  assert.equal(await openAtRest(sealer, what, sealed), "a token of a provider");
  assert.ok(isSealedAtRest(sealed) && !isSealedAtRest("a token of a provider"));
  assert.ok(!sealed.includes("token of a provider") && !sealed.includes("github"));
});

test("openAtRest() opens a text after a hundred years", async () => {
  const later = createSealer([NEW], { ...systemRuntime, now: () => systemRuntime.now() + 100 * 366 * 86_400_000 });
  assert.equal(await openAtRest(later, what, await sealAtRest(sealer, what, "token")), "token");
});

test("openAtRest() opens what an older secret sealed while it is still in the list", async () => {
  const sealed = await sealAtRest(createSealer([OLD], systemRuntime), what, "token");
  assert.equal(await openAtRest(createSealer([NEW, OLD], systemRuntime), what, sealed), "token");
  assert.equal(await openAtRest(sealer, what, sealed), null);
});

test("openAtRest() gives nothing for another owner, another purpose, or a text that is plain or changed", async () => {
  const sealed = await sealAtRest(sealer, what, "token");
  const changed = `${sealed.slice(0, -1)}${sealed.endsWith("A") ? "Q" : "A"}`;
  assert.equal(await openAtRest(sealer, { ...what, owner: '["github","2"]' }, sealed), null);
  assert.equal(await openAtRest(sealer, { ...what, purpose: "access_token" }, sealed), null);
  assert.equal(await openAtRest(sealer, what, "token"), null);
  assert.equal(await openAtRest(sealer, what, changed), null);
});

test("a token of a cookie does not open as a text at rest, nor the other way round", async () => {
  const cookie = await sealer.seal({ owner: what.owner, text: "token" }, { salt: "authjs.session-token", maxAge: 60 });
  assert.equal(await openAtRest(sealer, what, `sealed:${cookie}`), null);
  const sealed = await sealAtRest(sealer, what, "token");
  assert.equal(await sealer.open(sealed.slice("sealed:".length), "authjs.session-token"), null);
});
