/** V26, LNK-3: six loops of an impostor beside one victim, on every adapter. `TAKEOVER_ROUNDS` says how often. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { say } from "../../scripts/say.ts";
import { ADAPTERS } from "../_support/opened_adapters.ts";
import { findPostgres, skipsWithoutPostgres } from "../_support/postgres.ts";
import { besiege } from "../_support/takeover_loops.ts";

const rounds = Number(process.env.TAKEOVER_ROUNDS || 200);

for (const [name, open] of Object.entries(ADAPTERS)) {
  const skip = name === "PostgreSQL" && skipsWithoutPostgres(findPostgres(), "take-overs on PostgreSQL");
  test(`beside ${rounds} victims on ${name} no impostor stays inside, and every victim gets in`, { skip }, async () => {
    const { adapterOf, close } = await open();
    const began = Date.now();
    try {
      const { tried, again, takenOver, alive, outside } = await besiege(adapterOf(), rounds);
      say(
        `take-overs on ${name}: ${takenOver.length} of ${rounds}, ${alive.length} live sessions, ${outside.length} ` +
          `victims outside (${again} tried again), ${tried} ways in tried, ${
            Math.round((Date.now() - began) / 1000)
          } s`,
      );
      assert.deepEqual({ takenOver, alive, outside }, { takenOver: [], alive: [], outside: [] });
    } finally {
      await close();
    }
  });
}
