/** Many who change one account at the same time, in every storage. */
import { after, describe, test } from "node:test";
import { CONTESTS } from "../_support/account_contest.ts";
import { type OpenedPlace, PLACES, STRATEGIES } from "../_support/password_places.ts";

// Where hashes are makes no difference to these.
const STORES = PLACES.filter(({ name }) => !name.endsWith("a table of hashes"));

for (const { name, skip = false, isForeign = false, endsSessions = STRATEGIES, open } of STORES) {
  describe(`in ${name}`, { skip }, () => {
    // Once for all contests: each has a person of its own.
    let opened: Promise<OpenedPlace> | null = null;
    after(async () => await (await opened)?.close());
    for (const strategy of STRATEGIES) {
      for (const [what, { needsWhole, run }] of Object.entries(CONTESTS)) {
        if (isForeign && needsWhole) continue;
        test(`${what} (${strategy})`, async () => {
          opened ??= Promise.resolve(open());
          const { adapter } = await opened;
          await run({ adapter, strategy, isWhole: !isForeign, endsSessions: endsSessions.includes(strategy) });
        });
      }
    }
  });
}
