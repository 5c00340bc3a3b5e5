/** V26, LNK-3: six loops of an impostor beside one victim, on every adapter. `TAKEOVER_ROUNDS` says how often. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { printLine } from "../../scripts/print.ts";
import { ADAPTERS, farAway } from "../_support/opened_adapters.ts";
import { findPostgres, skipsWithoutPostgres } from "../_support/postgres.ts";
import { besiege } from "../_support/takeover_loops.ts";

const rounds = Number(process.env.TAKEOVER_ROUNDS || 200);

interface Siege {
  readonly name: string;
  readonly rounds: number;
  /** Whether others have a turn whenever storage is asked: what lies in this process is asked without one. */
  readonly isFar?: boolean;
}

const SIEGES: readonly Siege[] = [
  ...Object.keys(ADAPTERS).map((name) => ({ name, rounds })),
  ...["memory", "SQLite"].map((name) => ({ name, rounds: Math.ceil(rounds / 4), isFar: true })),
];

for (const { name, rounds, isFar = false } of SIEGES) {
  const where = isFar ? `${name} far away` : name;
  const skip = name === "PostgreSQL" && skipsWithoutPostgres(findPostgres(), "take-overs on PostgreSQL");
  test(
    `beside ${rounds} victims on ${where} no impostor stays inside, and every victim gets in`,
    { skip },
    async () => {
      const { adapterOf, close } = await ADAPTERS[name]?.() ?? assert.fail();
      const began = Date.now();
      try {
        const adapter = isFar ? farAway(adapterOf()) : adapterOf();
        const { tried, again, takenOver, alive, outside } = await besiege(adapter, rounds);
        printLine(
          `take-overs on ${where}: ${takenOver.length} of ${rounds}, ${alive.length} live sessions, ${outside.length} ` +
            `victims outside (${again} tried again), ${tried} ways in tried, ${
              Math.round((Date.now() - began) / 1000)
            } s`,
        );
        assert.deepEqual({ takenOver, alive, outside }, { takenOver: [], alive: [], outside: [] });
      } finally {
        await close();
      }
    },
  );
}
