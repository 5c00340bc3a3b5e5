/** Twenty thousand histories on each adapter, by chance. `HISTORIES_SEED` repeats a run, `HISTORIES` says how many. */
import process from "node:process";
import { describe, test } from "node:test";
import type { CompleteAdapter } from "@x/auth";
import { printLine } from "../../scripts/print.ts";
import { seedOf } from "../_support/chance.ts";
import { liveAll, type Stage } from "../_support/histories.ts";
import { handlerStage } from "../_support/history_handler.ts";
import { signInStage } from "../_support/history_sign_in.ts";
import { ADAPTERS } from "../_support/opened_adapters.ts";
import type { OracleOptions } from "../_support/oracle_histories.ts";
import { findPostgres, skipsWithoutPostgres } from "../_support/postgres.ts";

const seed = seedOf(process.env.HISTORIES_SEED);
const histories = Number(process.env.HISTORIES || 20_000);

/** How many of them go through the handler, protocols and all. */
const SHARE_OF_HANDLER = 0.025;

/** How many acts a history has, at most: in memory more, because there they take no time. */
const LENGTH = { memory: 14, elsewhere: 8 } as const;

for (const [name, open] of Object.entries(ADAPTERS)) {
  const skip = name === "PostgreSQL" && skipsWithoutPostgres(findPostgres(), "histories of people on PostgreSQL");
  describe(`in ${histories} histories on ${name} nobody is inside whom nobody let in, nor an honest person outside`, {
    skip,
  }, () => {
    const run = async (
      what: string,
      stageOf: StageOf,
      share: number,
    ) => {
      const { adapterOf, close } = await open();
      const [count, began] = [Math.round(histories * share / 2), Date.now()];
      try {
        let acts = 0;
        for (const strategy of ["database", "jwt", "jwt with rows"] as const) {
          const length = name === "memory" ? LENGTH.memory : LENGTH.elsewhere;
          const plan = { histories: count, length, seed, at: 8 };
          acts += await liveAll(stageOf(adapterOf, strategy), plan);
        }
        const seconds = Math.round((Date.now() - began) / 1000);
        printLine(
          `HISTORIES_SEED=${seed}: ${2 * count} histories ${what} on ${name}, ${acts} acts by chance, ${seconds} s`,
        );
      } finally {
        await close();
      }
    };
    test("through the handler", () => run("through the handler", handlerStage, SHARE_OF_HANDLER));
    test("where all ways of signing in end", () => run("after the protocols", signInStage, 1 - SHARE_OF_HANDLER));
  });
}

type StageOf = (adapterOf: () => CompleteAdapter, strategy: OracleOptions["strategy"]) => Stage;
