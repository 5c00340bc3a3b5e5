import { test } from "node:test";
import { denoKvAdapter } from "../../../adapters/deno_kv.ts";
import { assertGuessesCounted } from "../../_support/code_guesses.ts";
import { storeFor } from "./_kv.ts";

test("five of 64 concurrent guesses at a code are checked (Deno KV)", async (t) => {
  await assertGuessesCounted(denoKvAdapter(await storeFor(t)));
});
