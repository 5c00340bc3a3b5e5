/** Every act of the account page, for everybody who may come: as a script and on the page, in Deno KV and PostgreSQL. */
import { after, describe } from "node:test";
import { testActs } from "../_support/account_acts.ts";
import { type OpenedPlace, PLACES, STRATEGIES } from "../_support/password_places.ts";

const STORES = ["Deno KV", "PostgreSQL"];

for (const { name, skip = false, open } of PLACES.filter(({ name }) => STORES.includes(name))) {
  describe(`in ${name}`, { skip }, () => {
    let opened: Promise<OpenedPlace> | null = null;
    after(async () => await (await opened)?.close());
    for (const strategy of STRATEGIES) {
      testActs(async () => (await (opened ??= Promise.resolve(open()))).adapter, strategy);
    }
  });
}
