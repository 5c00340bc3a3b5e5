/** Records of features beside adapters that were written for Auth.js. */
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { conformanceCases } from "@x/auth/adapters/conformance";
import { memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { sqliteRecords } from "@x/auth/adapters/sqlite";
import { type ConfiguredAdapter, FOREIGN_ADAPTERS } from "../_support/foreign_adapters.ts";

const QUIET = { logger: { warn: () => {} } };

/** Users are elsewhere, so that nobody can say whether they exist. */
const APART = "putRecord() rejects a user who does not exist";

/** `@auth/unstorage-adapter` fails to delete users without sessions. */
const FAILS: Readonly<Record<string, string>> = {
  "@auth/unstorage-adapter": "deleteUser() removes the records of the user, and no others",
};

for (const { name, open, promises, fails } of FOREIGN_ADAPTERS) {
  for (const place of ["memory", "SQLite"]) {
    const opened = async () => {
      const { adapter, close } = await open({ passkeys: true });
      const handle = new DatabaseSync(":memory:");
      let clock = Date.UTC(2031, 0, 1);
      const now = () => clock;
      const records = place === "memory" ? memoryRecords({ now }) : sqliteRecords(handle, { now });
      return {
        // What a developer writes into the configuration is an adapter.
        adapter: withRecords(adapter as ConfiguredAdapter & object, records, QUIET) as never,
        now: { set: (milliseconds: number) => void (clock = milliseconds) },
        close: async () => {
          handle.close();
          await close();
        },
      };
    };
    for (const each of conformanceCases(opened, promises)) {
      if (each.name === APART || each.name === FAILS[name] || fails.includes(each.name)) continue;
      test(`${name} with records in ${place}: ${each.name}`, each.run);
    }
  }
}
