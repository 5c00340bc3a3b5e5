import assert from "node:assert/strict";
import { test } from "node:test";
import type { CompleteAdapter, Plan } from "../../../src/contract/adapter.ts";
import { inWorkers } from "../../_support/in_workers.ts";
import { json } from "../../_support/issuer.ts";
import { KEY, openWorld, type World } from "../../_support/refreshes.ts";

/** Lets something happen at the provider, between the request and the answer. */
function during(world: World, happen: () => Promise<unknown>): void {
  world.issuer.override("token", async (request) => {
    const form = new URLSearchParams(await request.clone().text());
    const { status, body } = world.family.refresh(form.get("refresh_token"));
    await happen();
    return json(body, status);
  }, 1);
}

test("a sign-in during a refresh keeps its tokens, and the caller gets them", async () => {
  const world = await openWorld();
  const fresh = {
    access_token: "of the sign-in",
    refresh_token: "also",
    expires_at: world.runtime.now() / 1000 + 3000,
  };
  during(world, () => world.write(fresh));
  assert.equal((await world.ask()).accessToken, "of the sign-in");
  const { access_token, refresh_token } = await world.row();
  assert.deepEqual({ access_token, refresh_token }, { access_token: "of the sign-in", refresh_token: "also" });
});

test("a sign-in without a refresh token during a refresh keeps its access token, and the new refresh token", async () => {
  const world = await openWorld();
  during(
    world,
    () => world.write({ access_token: "of the sign-in", expires_at: world.runtime.now() / 1000 + 3000 }),
  );
  assert.equal((await world.ask()).accessToken, "of the sign-in");
  const { access_token, refresh_token } = await world.row();
  assert.deepEqual([access_token, refresh_token], ["of the sign-in", world.family.current]);
  world.issuer.override("token", () => json(world.family.refresh(world.family.current).body));
  world.runtime.advance(3000);
  assert.equal((await world.ask()).accessToken, "family-access-2");
});

test("an account that is unlinked during a refresh is not linked again, and its token is not given", async () => {
  const world = await openWorld();
  during(world, async () => void await world.adapter.unlinkAccount(KEY));
  await assert.rejects(() => world.ask(), { type: "RefreshRequired", reason: "not-linked" });
  assert.equal(await world.adapter.getAccount("ada-1", "idp"), null);
});

test("an account that becomes somebody else's during a refresh keeps nothing of it", async () => {
  const world = await openWorld();
  await world.adapter.createUser({ id: "eve", email: "eve@example.com", emailVerified: null });
  during(world, () => world.write({ userId: "eve" }));
  await assert.rejects(() => world.ask(), { reason: "not-linked" });
  assert.equal((await world.row()).access_token, "access-0");
});

test("whoever is refused because another process was faster gets the tokens of that one", async () => {
  const world = await openWorld();
  world.issuer.override("token", async () => {
    await world.write({ access_token: "theirs", refresh_token: "r", expires_at: world.runtime.now() / 1000 + 3000 });
    return json({ error: "invalid_grant" }, 400);
  });
  assert.equal((await world.ask()).accessToken, "theirs");
});

test("a refresh token that was read before the end of another's lease is not sent again", async () => {
  let reads = 0;
  const world: World = await openWorld({
    seen: (adapter) => ({
      ...adapter,
      async listAccountsByUserId(id) {
        const rows = await adapter.listAccountsByUserId(id);
        // The last one before the lease.
        if (++reads === 2) {
          // Another process refreshes, and its lease runs out, before this answer arrives.
          await world.another()();
          world.runtime.advance(3600);
        }
        return rows;
      },
    }),
  });
  await world.ask();
  assert.deepEqual([world.family.given, world.family.refusals], [2, 0]);
});

test("a lease that has nearly run out is not used, so that nobody else has it at the same time", async () => {
  let turns = 0;
  const world: World = await openWorld({
    seen: (adapter) => ({
      ...adapter,
      async once(key, expires) {
        const isFirst = await adapter.once(key, expires);
        // The process is suspended right after it has taken the lease.
        if (turns++ === 0) world.runtime.advance(4);
        return isFirst;
      },
    }),
  });
  const asked = world.ask();
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(world.family.given, 0);
  world.runtime.advance(4);
  assert.equal((await asked).accessToken, "family-access-1");
  assert.ok(turns > 1);
});

test("after a crash between refresh and write, the lease ends and the provider's grace saves the account", async () => {
  let processes = 0;
  const crash = Promise.withResolvers<void>();
  const world: World = await openWorld({
    grace: 60,
    now: () => world?.runtime.now() ?? 0,
    seen: (adapter) => {
      const hasCrashed = processes++ === 0;
      return {
        ...adapter,
        commit(plan: Plan) {
          if (!hasCrashed) return adapter.commit(plan);
          crash.resolve();
          return new Promise<never>(() => {});
        },
      };
    },
    config: { timeouts: { total: 3, request: 3 } },
  });
  const crashed = assert.rejects(() => world.ask(), { type: "Timeout" });
  // The other one comes second on a slow machine, too.
  await Promise.race([crash.promise, crashed]);
  const another = world.another();
  const waiting = assert.rejects(() => another(), { type: "ProviderUnavailable" });
  await Promise.all([crashed, waiting]);
  world.runtime.advance(7);
  assert.equal((await another()).accessToken, "family-access-2");
  assert.equal((await world.row()).refresh_token, world.family.current);
  assert.equal(world.family.refusals, 0);
  world.runtime.advance(600);
});

test("after a crash, a provider without grace leads to RefreshRequired, and nobody hangs", async () => {
  const world = await openWorld();
  world.family.refresh(world.family.current);
  await assert.rejects(() => world.ask(), { type: "RefreshRequired", reason: "refused" });
});

test("in Workers nobody waits for the refresh of a request that has left", () => {
  return inWorkers(async () => {
    let reads = 0;
    const seen = (adapter: CompleteAdapter): CompleteAdapter => ({
      ...adapter,
      // Its second look, within the refresh, is the last sign of the first request.
      listAccountsByUserId: (id) => ++reads === 2 ? new Promise(() => {}) : adapter.listAccountsByUserId(id),
    });
    const { ask } = await openWorld({ seen, config: { timeouts: { total: 2, request: 1 } } });
    const left = assert.rejects(ask, { type: "Timeout" });
    while (reads < 2) await new Promise((resolve) => setTimeout(resolve));
    assert.equal((await ask()).accessToken, "family-access-1");
    await left;
  });
});

test("nobody waits longer than timeouts allow for a lease that nobody uses", async () => {
  const seen = (adapter: CompleteAdapter) => ({ ...adapter, once: () => Promise.resolve(false) });
  const one = await openWorld({ seen, config: { timeouts: { total: 2, request: 1 } } });
  const began = Date.now();
  await assert.rejects(() => one.ask(), { type: "ProviderUnavailable", message: /another request refreshes it/ });
  assert.ok(Date.now() - began < 4000);
  assert.equal(one.runtime.timers(), 0);
});

/** Storage that fails at a number of commits. */
function failing(times: number): (adapter: CompleteAdapter) => CompleteAdapter {
  return (adapter) => ({
    ...adapter,
    commit: (plan) => times-- > 0 ? Promise.reject(new Error("The disk is full")) : adapter.commit(plan),
  });
}

test("tokens that cannot be stored at first are stored a moment later", async () => {
  const world = await openWorld({ seen: failing(2) });
  assert.equal((await world.ask()).accessToken, "family-access-1");
  assert.equal((await world.row()).refresh_token, world.family.current);
  assert.deepEqual(world.log.errors, []);
});

test("tokens that cannot be stored at all are given, and the failure is logged", async () => {
  const world = await openWorld({ seen: failing(Infinity) });
  assert.equal((await world.ask()).accessToken, "family-access-1");
  assert.deepEqual(world.log.errors.map((error) => (error as { type?: string }).type), ["AdapterError"]);
  world.runtime.advance(601);
});

test("a write whose answer was lost counts as written", async () => {
  let isLost = true;
  const world = await openWorld({
    seen: (adapter) => ({
      ...adapter,
      async commit(plan: Plan) {
        const result = await adapter.commit(plan);
        if (!isLost) return result;
        isLost = false;
        throw new Error("The connection was reset");
      },
    }),
  });
  assert.equal((await world.ask()).accessToken, "family-access-1");
  assert.equal(world.family.given, 1);
});

test("storage that fails before anything is sent is an AdapterError, each caller's own", async () => {
  const world = await openWorld({
    seen: (adapter) => ({
      ...adapter,
      once: () => Promise.reject(new Error("The database is down")),
    }),
  });
  const errors = await Promise.all([1, 2].map(() => world.ask().catch((error: unknown) => error)));
  assert.deepEqual(errors.map((error) => (error as { type?: string }).type), ["AdapterError", "AdapterError"]);
  assert.notEqual(errors[0], errors[1]);
  assert.equal(world.family.given, 0);
});

test("an adapter without transactions compares before it writes, and remembers refusals in this process", async () => {
  const seen = ({ commit: _, ...adapter }: CompleteAdapter) => adapter;
  const world = await openWorld({ seen });
  assert.equal((await world.ask()).accessToken, "family-access-1");
  const { refresh_failure, expires_in } = await world.row();
  assert.deepEqual([refresh_failure, expires_in], [undefined, undefined]);

  const newer = await openWorld({ seen });
  during(newer, () => newer.write({ access_token: "b", refresh_token: "c", expires_at: 2e10 }));
  assert.equal((await newer.ask()).accessToken, "b");

  const refused = await openWorld({ seen, account: { refresh_token: "unknown" } });
  for (const _ of [1, 2]) await assert.rejects(() => refused.ask(), { reason: "refused" });
  assert.equal(refused.family.refusals, 1);
});

test("callers in one process share one run, whoever they are", async () => {
  let reads = 0;
  const world = await openWorld({
    seen: (adapter) => ({
      ...adapter,
      listAccountsByUserId(id: string) {
        reads++;
        return adapter.listAccountsByUserId(id);
      },
    }),
  });
  await Promise.all(Array.from({ length: 100 }, () => world.ask()));
  assert.ok(reads < 110, `${reads} reads`);
});
