/** Many who use one link, or change one password, at the same time, in every storage. */
import { after, describe, test } from "node:test";
import { CONTESTS } from "../_support/password_contest.ts";
import { type OpenedPlace, PLACES, STRATEGIES } from "../_support/password_places.ts";

for (const { name, skip = false, endsSessions = STRATEGIES, open } of PLACES) {
  describe(`in ${name}`, { skip }, () => {
    // Once for all contests: each has an address of its own.
    let opened: Promise<OpenedPlace> | null = null;
    after(async () => await (await opened)?.close());
    for (const strategy of STRATEGIES) {
      for (const [what, contest] of Object.entries(CONTESTS)) {
        test(`${what} (${strategy})`, async () => {
          opened ??= Promise.resolve(open());
          const { adapter, store } = await opened;
          await contest({ adapter, strategy, endsSessions: endsSessions.includes(strategy), ...(store && { store }) });
        });
      }
    }
  });
}
