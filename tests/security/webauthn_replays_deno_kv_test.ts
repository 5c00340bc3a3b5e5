/** V84 on Deno KV. */
import { test } from "node:test";
import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
import { START } from "../_support/runtime.ts";
import { replay } from "./_replays.ts";

test("V84: of 64 that send the same answer one is signed in, on Deno KV", async () => {
  const folder = await Deno.makeTempDir();
  const kv = await Deno.openKv(`${folder}/kv`);
  try {
    await replay(denoKvAdapter(kv, { now: () => START }));
  } finally {
    kv.close();
    await Deno.remove(folder, { recursive: true });
  }
});
