import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "@x/auth/adapters/memory";
import type { CompleteAdapter } from "../../../src/contract/adapter.ts";
import { json } from "../../_support/issuer.ts";
import { openWorld, type World, type WorldOptions } from "../../_support/refreshes.ts";
import { START } from "../../_support/runtime.ts";

/** A provider that takes its time, so that two refreshes at once would be seen. */
async function openSlowWorld(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld(options);
  world.issuer.override("token", async (request) => {
    const form = new URLSearchParams(await request.clone().text());
    const { status, body } = world.family.refresh(form.get("refresh_token"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    return json(body, status);
  });
  return world;
}

const SIGHTS: Readonly<Record<string, (adapter: CompleteAdapter) => Partial<CompleteAdapter>>> = {
  "with transactions": (adapter) => adapter,
  "without transactions": ({ commit: _, ...adapter }) => adapter,
};

for (const [which, sight] of Object.entries(SIGHTS)) {
  for (const ahead of [-9, 9]) {
    test(`two processes whose clocks are ${ahead} s apart refresh once: storage ${which}`, async () => {
      // Each process judges marks by its own clock, as an adapter in it does.
      let clock = START;
      const world = await openSlowWorld({
        adapter: memoryAdapter({ now: () => clock }),
        seen: (adapter) =>
          ({
            ...adapter,
            ...sight(adapter),
            ...(which === "without transactions" && { commit: undefined }),
          }) as CompleteAdapter,
      });
      const first = world.ask();
      while (world.family.given === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      clock += ahead * 1000;
      const given = await Promise.all([first, world.another(ahead)(), world.another()()]);
      assert.deepEqual(given.map(({ accessToken }) => accessToken), Array(3).fill("family-access-1"));
      assert.deepEqual([world.family.given, world.family.refusals], [1, 0]);
    });
  }
}
