import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as later } from "node:timers/promises";
import type { CompleteAdapter } from "../../../src/contract/adapter.ts";
import { json } from "../../_support/issuer.ts";
import { ADA_ID, KEY, openWorld, type World } from "../../_support/refreshes.ts";

/** Storage whose writes fail for a while, for every process or for one. */
function outage() {
  const state = { isDown: false, isReading: true };
  const check = (): void => {
    if (state.isDown) throw new Error("The database is down");
  };
  const seen = (adapter: CompleteAdapter): CompleteAdapter => ({
    ...adapter,
    commit: async (plan) => (check(), await adapter.commit(plan)),
    once: async (key, expires) => (check(), await adapter.once(key, expires)),
    updateAccount: async (account) => (check(), await adapter.updateAccount(account)),
    async listAccountsByUserId(id) {
      if (!state.isReading) check();
      return await adapter.listAccountsByUserId(id);
    },
  });
  return { state, seen };
}

/** Lets storage fail from the moment at which the provider has answered. */
function failAfterAnswer({ issuer, family }: World, state: { isDown: boolean }): void {
  issuer.override("token", async (request) => {
    const form = new URLSearchParams(await request.clone().text());
    const { status, body } = family.refresh(form.get("refresh_token"));
    state.isDown = true;
    return json(body, status);
  }, 1);
}

test("tokens that storage refused for seconds are written when it answers, and another process gets them", async () => {
  const { state, seen } = outage();
  const world = await openWorld({ seen });
  failAfterAnswer(world, state);
  assert.equal((await world.ask()).accessToken, "family-access-1");
  assert.equal((await world.row()).refresh_token, "family-refresh-1");
  state.isReading = false;
  await assert.rejects(() => world.another()(), { type: "AdapterError" });
  world.runtime.advance(20);
  state.isDown = false;
  await later(1500);
  assert.equal((await world.row()).refresh_token, world.family.current);
  assert.equal((await world.another()()).accessToken, "family-access-1");
  assert.deepEqual([world.family.given, world.family.refusals], [1, 0]);
  assert.equal(world.runtime.timers(), 0);
});

test("another process that asks at the moment at which storage answers again does not use the old refresh token", async () => {
  const { state, seen } = outage();
  const world = await openWorld({ seen });
  failAfterAnswer(world, state);
  await world.ask();
  world.runtime.advance(20);
  state.isDown = false;
  assert.equal((await world.another()()).accessToken, "family-access-1");
  assert.deepEqual([world.family.given, world.family.refusals], [1, 0]);
});

test("a process that waited for the lease before an outage does not take it right after the outage", async () => {
  const { state, seen } = outage();
  const world = await openWorld({ seen, config: { timeouts: { total: 16, request: 4 } } });
  const answer = Promise.withResolvers<void>();
  world.issuer.override("token", async (request) => {
    const form = new URLSearchParams(await request.clone().text());
    const { status, body } = world.family.refresh(form.get("refresh_token"));
    await answer.promise;
    return json(body, status);
  }, 1);
  const asked = world.ask();
  while (world.family.given === 0) await later(5);
  const another = world.another();
  const waiting = assert.rejects(() => another(), { type: "AdapterError" });
  await later(100);
  state.isDown = true;
  answer.resolve();
  await Promise.all([asked, waiting]);
  world.runtime.advance(20);
  state.isDown = false;
  assert.equal((await another()).accessToken, "family-access-1");
  assert.deepEqual([world.family.given, world.family.refusals], [1, 0]);
});

test("the process that keeps tokens gives them meanwhile, and writes them when it is asked", async () => {
  let isDown = false;
  const world = await openWorld({
    seen: (adapter) => ({
      ...adapter,
      commit: async (plan) => isDown ? Promise.reject(new Error("The disk is full")) : await adapter.commit(plan),
    }),
  });
  const state = {
    set isDown(value: boolean) {
      isDown = value;
    },
  };
  failAfterAnswer(world, state);
  for (const _ of [1, 2, 3]) assert.equal((await world.ask()).accessToken, "family-access-1");
  assert.equal(world.log.errors.length, 1, "it is logged once");
  // The next refresh token would be lost, too.
  await assert.rejects(() => world.ask({ userId: ADA_ID }, { refused: "family-access-1" }), { type: "AdapterError" });
  assert.equal(world.family.given, 1);
  state.isDown = false;
  assert.equal((await world.ask()).accessToken, "family-access-1");
  assert.equal((await world.row()).refresh_token, world.family.current);
  assert.equal(world.family.given, 1);
});

test("what is kept and what is logged holds no token", async () => {
  const { state, seen } = outage();
  const world = await openWorld({ seen });
  failAfterAnswer(world, state);
  await world.ask();
  const [error] = world.log.errors as Error[];
  assert.match(String(error), /kept in memory for at most 10 minutes/);
  assert.doesNotMatch(`${error} ${JSON.stringify(error?.cause)}`, /family-/);
  world.runtime.advance(601);
});

test("tokens that cannot be written are forgotten after ten minutes", async () => {
  const { state, seen } = outage();
  const world = await openWorld({ seen });
  failAfterAnswer(world, state);
  await world.ask();
  world.runtime.advance(601);
  await later(1000);
  assert.equal(world.runtime.timers(), 0);
  state.isDown = false;
  await later(1000);
  assert.equal((await world.row()).refresh_token, "family-refresh-1");
});

test("tokens that are kept give way to those of a sign-in, and to an account that was unlinked", async () => {
  const { state, seen } = outage();
  const world = await openWorld({ seen });
  failAfterAnswer(world, state);
  await world.ask();
  await world.write({ access_token: "of the sign-in", refresh_token: "also", expires_at: 2e10 });
  assert.equal((await world.ask()).accessToken, "of the sign-in");
  state.isDown = false;
  await later(1000);
  assert.equal((await world.row()).refresh_token, "also");

  const other = outage();
  const gone = await openWorld({ seen: other.seen });
  failAfterAnswer(gone, other.state);
  await gone.ask();
  await gone.adapter.unlinkAccount(KEY);
  await assert.rejects(() => gone.ask(), { reason: "not-linked" });
  other.state.isDown = false;
  await later(1000);
  assert.equal(await gone.adapter.getAccount(KEY.providerAccountId, KEY.provider), null);
});

test("storage that does not answer counts as storage that fails", async () => {
  let isHanging = false;
  const world = await openWorld({
    seen: (adapter) => ({
      ...adapter,
      commit: (plan) => isHanging ? new Promise<never>(() => {}) : adapter.commit(plan),
    }),
  });
  world.issuer.override("token", async (request) => {
    const form = new URLSearchParams(await request.clone().text());
    const { status, body } = world.family.refresh(form.get("refresh_token"));
    isHanging = true;
    return json(body, status);
  }, 1);
  assert.equal((await world.ask()).accessToken, "family-access-1");
  isHanging = false;
  await later(1000);
  assert.equal((await world.row()).refresh_token, world.family.current);
});

test("a provider that keeps its refresh token, and gives the same access token, can be asked again at once", async () => {
  const world = await openWorld({ rotates: false, answer: () => ({ access_token: "same" }) });
  await world.ask();
  for (const ask of [world.ask, world.another()]) {
    const began = Date.now();
    await ask({ userId: ADA_ID }, { refused: "same" });
    assert.ok(Date.now() - began < 3000);
  }
  assert.deepEqual([world.family.given, world.runtime.timers()], [3, 0]);
});
