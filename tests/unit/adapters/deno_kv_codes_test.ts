import { test } from "node:test";
import { denoKvAdapter } from "../../../adapters/deno_kv.ts";
import { assertGuessesCounted } from "../../_support/code_guesses.ts";
import { storeFor } from "./_kv.ts";

test("of 64 guesses at a code at once five are looked at (Deno KV)", async (t) => {
  await assertGuessesCounted(denoKvAdapter(await storeFor(t)));
});
