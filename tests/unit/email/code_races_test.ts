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

  test(`of 64 parallel guesses at a code, five are compared where tokens are used in two steps (${kind.name})`, async (t) => {
    const store = kind.open(Date.now);
    t.after(() => store.close());
    const { once: _, ...adapter } = store.adapter;
    await assertGuessesCounted({
      ...adapter,
      async useVerificationToken(key) {
        const found = await adapter.getVerificationToken?.(key) ?? null;
        await adapter.useVerificationToken?.(key);
        return found;
      },
    });
  });

  test(`of 64 parallel guesses at a code, five are compared where a token replaces another (${kind.name})`, async (t) => {
    const store = kind.open(Date.now);
    t.after(() => store.close());
    const { once: _, ...adapter } = store.adapter;
    await assertGuessesCounted({
      ...adapter,
      async createVerificationToken(row) {
        try {
          return await adapter.createVerificationToken?.(row) ?? null;
        } catch {
          return row;
        }
      },
    });
  });
}
