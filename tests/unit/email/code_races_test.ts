import { test } from "node:test";
import { assertGuessesCounted } from "../../_support/code_guesses.ts";
import { MEMORY, SQLITE } from "../../_support/stores.ts";

for (const kind of [MEMORY, SQLITE]) {
  test(`of 64 parallel guesses at a code, five are compared (${kind.name})`, async (t) => {
    const store = kind.open(Date.now);
    t.after(() => store.close());
    await assertGuessesCounted(store.adapter);
  });

  test(`of 64 parallel guesses at a code, five are compared without \`once\` (${kind.name})`, async (t) => {
    const store = kind.open(Date.now);
    t.after(() => store.close());
    const { once: _, ...adapter } = store.adapter;
    await assertGuessesCounted(adapter);
  });
}
